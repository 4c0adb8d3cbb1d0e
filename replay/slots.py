"""The caller's values against the types of a card's slots.

Rules:
1. A wrong value is told by its slot's name and by what was expected; the value is never repeated.
2. An unknown name is refused, whatever it is: nothing travels beside the slots.
3. Text that says the same as a typed value is that value, since a command line has only text.
4. What would lead the readback's URL to another collection is refused before anything is read.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path, PurePath
from urllib.parse import urlsplit
from uuid import UUID

from cards.contract import Contract
from cards.errors import BadSlot
from cards.holes import Slot, SlotType
from cards.readback import Readback
from replay.numbers import number_text
from verifier.matching import Scalar, SlotValue

_MOST_DIGITS = 30
_INTEGER = re.compile(rf"[+-]?[0-9]{{1,{_MOST_DIGITS}}}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_EMAIL = re.compile(r"[^@\s<>,;:\"()\[\]\\]{1,64}@[^@\s<>,;:\"()\[\]\\]{1,255}")
_BOOLEANS = {"true": True, "false": False}

EXPECTED: dict[SlotType, str] = {
    "string": "text",
    "integer": "a whole number, such as 3",
    "number": "a number, such as 3.5",
    "boolean": "true or false",
    "date": "a date, such as 2026-01-31",
    "date-time": "a date and time, such as 2026-01-31T09:00:00Z",
    "email": "an e-mail address",
    "url": "an http or https URL",
    "uuid": "a UUID, such as 123e4567-e89b-12d3-a456-426614174000",
    "enum": "one of its choices",
    "file": "the path of a file",
}


def check_values(contract: Contract, values: Mapping[str, object]) -> dict[str, SlotValue]:
    """The values in the types that the card's slots want.

    Args:
        contract: whose slots they are for.
        values: by slot name; text or typed.

    Raises:
        BadSlot: a name is unknown, a slot has no value, or a value is of another type.
    """
    unknown = [name for name in values if name not in contract.slots]
    if unknown and contract.operation is not None and _OPERATION & {*map(_plain, unknown)}:
        raise BadSlot(
            "The card performs one operation, and a caller can't name another.",
            "Leave the operation out: it stands in the card.",
        )
    if unknown:
        wanted = ", ".join(contract.slots) or "none"
        shown = ", ".join(name[:64] for name in sorted(unknown) if name.isidentifier())
        raise BadSlot(
            f"The card has no slot {shown or 'of that name'}.", f"Its slots are: {wanted}."
        )
    missing = [name for name in _required(contract) if name not in values]
    if missing:
        raise BadSlot(
            f"No value was given for: {', '.join(missing)}.",
            "Give each as NAME=VALUE. " + _wants(contract, missing),
        )
    typed = {name: _checked(name, contract.slots[name], value) for name, value in values.items()}
    _stay_in_readback(contract.readback, typed)
    return typed


# The members by which GraphQL and JSON-RPC requests name what they do.
_OPERATION = frozenset({"operationname", "operation", "query", "document", "mutation", "method"})


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _stay_in_readback(readback: Readback | None, values: Mapping[str, SlotValue]) -> None:
    if readback is None:
        return
    path = readback.url.partition("?")[0]
    for name in readback.url_slots:
        if f"{{{name}}}" in path and values[name] in {"", ".", ".."}:
            raise BadSlot(
                f"The readback's path can't hold the value of {name}: empty, or a dot segment.",
                "Give an identifier as the site's own URLs have it.",
            )


def _required(contract: Contract) -> list[str]:
    by_readback: set[str] = set()
    if contract.readback is not None:
        by_readback = {contract.readback.match.slot, *contract.readback.url_slots}
    return [
        name for name, slot in contract.slots.items() if not slot.optional or name in by_readback
    ]


def _wants(contract: Contract, names: list[str]) -> str:
    slots = (f"{name}: {_expectation(contract.slots[name])}" for name in names)
    return "; ".join(slots) + "."


def _expectation(slot: Slot) -> str:
    one = f"one of {', '.join(slot.choices)}" if slot.type == "enum" else EXPECTED[slot.type]
    return f'a list, such as ["a", "b"], each item {one}' if slot.many else one


def _checked(name: str, slot: Slot, value: object) -> SlotValue:
    if not slot.many:
        return _one(name, slot, value)
    items = (_one(name, slot, item) for item in _listed(value))
    return tuple(item for item in items if not isinstance(item, PurePath))


def _listed(value: object) -> list[object]:
    """The items of a list: given as one, as JSON's array, or as a single value."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    return list(value) if isinstance(value, list | tuple) else [value]


def _one(name: str, slot: Slot, value: object) -> Scalar | PurePath:
    typed = None if isinstance(value, bytes) else _PARSERS[slot.type](value)
    if typed is None or (slot.type == "enum" and typed not in slot.choices):
        raise BadSlot(
            f"The value of {name} is not what its type {slot.type} wants.",
            f"Give {_expectation(slot)}.",
        )
    if isinstance(typed, str) and re.search("[\ud800-\udfff\x00]", typed):
        raise BadSlot(f"The value of {name} holds a character that is no text.")
    return typed


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return number_text(value) if math.isfinite(value) else None
    whole = _integer(value)
    return None if whole is None else str(whole)


def _integer(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 10**_MOST_DIGITS else None
    if isinstance(value, float) and value.is_integer():
        return _integer(int(value))
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else None


def _number(value: object) -> int | float | None:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    whole = _integer(value)
    if whole is not None:
        return whole
    if isinstance(value, str) and _NUMBER.fullmatch(value) and math.isfinite(float(value)):
        return float(value)
    return None


def _boolean(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return _BOOLEANS.get(value.lower()) if isinstance(value, str) else None


def _iso(parse: Callable[[str], date]) -> Callable[[object], str | None]:
    def check(value: object) -> str | None:
        text = value.isoformat() if isinstance(value, date) else value
        if not isinstance(text, str):
            return None
        try:
            parse(text)
        except ValueError:
            return None
        return text

    return check


def _email(value: object) -> str | None:
    return value if isinstance(value, str) and _EMAIL.fullmatch(value) else None


def _url(value: object) -> str | None:
    if not isinstance(value, str) or re.search(r"[\s\x00-\x1f\\]", value):
        return None
    try:
        parts = urlsplit(value)
    except ValueError:
        return None
    return value if parts.scheme in {"http", "https"} and parts.hostname else None


def _uuid(value: object) -> str | None:
    text = str(value) if isinstance(value, UUID) else value
    if not isinstance(text, str):
        return None
    try:
        return text if str(UUID(text)) == text.lower() else None
    except ValueError:
        return None


def _calendar_date(text: str) -> date:
    # date.fromisoformat also reads week dates and dates without hyphens (ISO 8601-1 section 5.2).
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError
    return date.fromisoformat(text)


def _moment(text: str) -> datetime:
    if not re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}", text):
        raise ValueError
    return datetime.fromisoformat(text)


def _file(value: object) -> PurePath | None:
    if isinstance(value, str) and "\x00" in value:
        return None
    path = Path(value) if isinstance(value, str | Path) and str(value) else None
    return path if path is not None and path.is_file() else None


_PARSERS: dict[SlotType, Callable[[object], Scalar | PurePath | None]] = {
    "string": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "date": _iso(_calendar_date),
    "date-time": _iso(_moment),
    "email": _email,
    "url": _url,
    "uuid": _uuid,
    "enum": _text,
    "file": _file,
}
