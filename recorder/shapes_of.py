"""Values that a page makes by itself, told by their shape and the name that they stand under.

Rules:
1. A UUID that nobody issued and a time of today need no name. Random letters need one, because a
   password has the same shape. A nonce is never made up: its server made it.
"""

import re
from datetime import UTC, datetime, timedelta

from cards.holes import GeneratedValue
from recorder.strict_json import Scalar

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)")
_HEX = re.compile(r"[0-9a-f]{16,256}")
_BASE62 = re.compile(r"[A-Za-z0-9]{16,256}")
_ONCE = re.compile(
    r"idempotency|requestid$|clientmutationid$|correlationid$|clientmsgid$|clientmessageid$|"
    r"clientrequestid$|dedup(?:e|lication)?(?:id|key)?$"
)
_DAY = timedelta(days=1)
_SECONDS = range(10**9, 10**10)
_MILLISECONDS = range(10**12, 10**13)


def generated_shape(
    value: Scalar, name: str, at: datetime, *, as_text: bool
) -> GeneratedValue | None:
    """The generated value that a scalar of this shape is, or none.

    Args:
        value: the scalar as sent.
        name: the name that it stands under.
        at: when it was sent.
        as_text: whether a number would be sent as a JSON string.
    """
    if isinstance(value, bool | float) or value is None:
        return None
    if isinstance(value, int):
        return _stamp(value, at, as_text=False)
    if re.fullmatch(r"[0-9]{10}|[0-9]{13}", value):
        return _stamp(int(value), at, as_text=as_text)
    return _text_shape(value, name, at)


def _text_shape(value: str, name: str, at: datetime) -> GeneratedValue | None:
    once = bool(_ONCE.search(re.sub(r"[^a-z]", "", name.lower())))
    if _UUID.fullmatch(value):
        return GeneratedValue(kind="uuid")
    if _ISO.fullmatch(value) and _is_recent(value, at):
        return GeneratedValue(kind="iso_datetime")
    if once and _HEX.fullmatch(value):
        return GeneratedValue(kind="hex", length=len(value))
    if once and _BASE62.fullmatch(value):
        return GeneratedValue(kind="base62", length=len(value))
    return None


def _stamp(number: int, at: datetime, *, as_text: bool) -> GeneratedValue | None:
    seconds = at.timestamp()
    if number in _SECONDS and abs(number - seconds) < _DAY.total_seconds():
        return GeneratedValue(kind="epoch_seconds", as_text=as_text)
    if number in _MILLISECONDS and abs(number / 1000 - seconds) < _DAY.total_seconds():
        return GeneratedValue(kind="epoch_milliseconds", as_text=as_text)
    return None


def _is_recent(text: str, at: datetime) -> bool:
    try:
        stamp = datetime.fromisoformat(text)
    except ValueError:
        return False
    return abs(stamp.astimezone(UTC) - at.astimezone(UTC)) < _DAY
