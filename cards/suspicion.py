"""What looks like an identifier or a secret, by its shape alone.

Rules:
1. This is the second net. The first is structural: captured scalars have no place in a card at
   all. Here are judged only the texts that a card does keep: path segments, names, pins.
2. In doubt it is an identifier. A slot too many is visible and harmless; a token kept is neither.
"""

import base64
import binascii
import math
import re
from collections import Counter
from urllib.parse import unquote_plus

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_JWT = re.compile(r"ey[A-Za-z0-9_-]{5,}(?:\.|%2E)[A-Za-z0-9_-]+", re.IGNORECASE)
_KEY_PREFIX = re.compile(r"(?:sk|pk|rk|gh[opusr]|xox[abprs]|glpat|AKIA|AIza)[_-]?[A-Za-z0-9_-]{8,}")
_NUMBERED = re.compile(r"[A-Za-z]{1,12}[_-][0-9]+|[A-Za-z]+[0-9]{3,}")
_HEX = re.compile(r"(?=.*[0-9])[0-9a-f]{8,}", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z]{2,}[0-9]?(?:[-_.~][A-Za-z0-9]{1,15})*|[a-z]+(?:[A-Z][a-z]+)*")
_SECRET_NAME = re.compile(
    r"pass(?:word|wd|phrase)?$|passwd|pwd|secret|token|csrf|xsrf|nonce|authenticity|auth(?:orization)?$|"
    r"session|^sid$|api[_-]?key|cookie|credential|viewstate|otp|^pin$|signature|bearer|ticket",
    re.IGNORECASE,
)
_NAME_PART = re.compile(r"[\[\]().:/$\s,;]+")
_LONG_HEX = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{12,}", re.IGNORECASE)
_VERSION = re.compile(r"v[0-9]+(?:(?:alpha|beta|rc|p)[0-9]*)*")
_LONG_NUMBER = 3
_SHORT_ID = 6
_MIXED = 12
_MANY_SWITCHES = 4
_MIN_SECRET = 16
_SECRET_BITS = 3.3
_LONG_SEGMENT = 40


def looks_like_identifier(segment: str) -> bool:
    """Whether a decoded path segment or a field's name carries a value rather than a word."""
    if not segment:
        return False
    if segment.isdigit() or UUID.search(segment) or _JWT.search(segment):
        return True
    if not segment.isascii() or re.search(r"[@ %=+<>\"'{}|\\^`]", segment):
        return True
    if _HEX.fullmatch(segment) or _NUMBERED.fullmatch(segment):
        return True
    if _alternates(segment):
        return True
    if len(segment) > _LONG_SEGMENT and not re.fullmatch(r"[a-z]+(?:[-_][a-z]+)+", segment):
        return True
    return looks_random(segment)


def _alternates(segment: str) -> bool:
    """Whether digits and letters take turns in a word, as in ``dQw4w9WgXcQ``."""
    return any(
        len(word) >= _SHORT_ID and _switches(word) > 1 and not _VERSION.fullmatch(word)
        for word in re.split(r"[-_.~]", segment)
    )


def _switches(word: str) -> int:
    return len(re.findall(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])", word))


def carries_a_value(name: str) -> bool:
    """Whether a field's name holds an identifier, an address or a token rather than words.

    >>> carries_a_value("user[profile_attributes][0]"), carries_a_value("votes[65b2f1c09d3e4a5b]")
    (False, True)
    """
    if UUID.search(name) or _JWT.search(name) or "@" in name.lstrip("@"):
        return True
    return any(_is_value(part) for part in _NAME_PART.split(name))


def _is_value(part: str) -> bool:
    if part.isdigit():
        return len(part) >= _LONG_NUMBER
    if any(_LONG_HEX.fullmatch(word) for word in re.split(r"[-_]", part)):
        return True
    return len(part) >= _MIXED and _switches(part) >= _MANY_SWITCHES


def looks_random(text: str) -> bool:
    """Whether a text has the length and the mixture of characters of a token."""
    if len(text) < _MIN_SECRET or (_WORDS.fullmatch(text) and not re.search(r"[0-9]", text)):
        return False
    kinds = sum(bool(re.search(kind, text)) for kind in ("[0-9]", "[a-z]", "[A-Z]"))
    return kinds >= 2 and entropy(text) > _SECRET_BITS  # noqa: PLR2004


def entropy(text: str) -> float:
    """Shannon entropy of the text's characters, in bits for each character."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def names_a_secret(field: str) -> bool:
    """Whether a field's name says that its value is a secret (``password``, ``csrf_token``)."""
    last = re.split(r"[.\[\]]", field.rstrip("]"))[-1]
    return bool(_SECRET_NAME.search(last))


def looks_like_secret(value: str) -> bool:
    """Whether a text, or what it is an encoding of, has the shape of a secret."""
    return any(_secret_shape(form) for form in decoded_forms(value))


def _secret_shape(text: str) -> bool:
    if UUID.search(text) or _JWT.search(text) or _KEY_PREFIX.search(text):
        return True
    return any(
        looks_random(word) or (_HEX.fullmatch(word) and len(word) >= _MIN_SECRET)
        for word in re.split(r"[\s,;:&?/\"'=]+", text)
    )


def decoded_forms(value: str) -> frozenset[str]:
    """The value itself and its percent- and base64-decoded forms, each to two levels."""
    forms = {value}
    for _ in range(2):
        forms |= {unquote_plus(form) for form in forms}
        forms |= {plain for form in tuple(forms) if (plain := _base64(form)) is not None}
    return frozenset(forms)


def _base64(text: str) -> str | None:
    compact = text.strip().replace("-", "+").replace("_", "/").rstrip("=")
    if len(compact) < _MIN_SECRET or not re.fullmatch(r"[A-Za-z0-9+/]+", compact):
        return None
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
