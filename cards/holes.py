"""The leaves of a request: the closed union of what may stand where a scalar stood.

Rules:
1. No leaf has room for a captured value. A ``Pin`` holds what the card's *author* chose, and only
   the author's doors (command line, Python, review in git) make one.
2. Leaves refer by name; what the name means is defined once, in the contract. So the same value
   used twice in one request stays the same value.
"""

import re
from datetime import date, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from cards.markup import is_markup
from cards.model import FieldName, Frozen, SlotName
from cards.suspicion import looks_like_secret
from cards.words import OperationRef, Place, Word

SlotType = Literal[
    "string",
    "integer",
    "number",
    "boolean",
    "date",
    "date-time",
    "email",
    "url",
    "uuid",
    "enum",
    "file",
]
Transform = Literal["text", "strip", "lower", "slug", "html", "url", "json", "crlf"]
GeneratedKind = Literal[
    "uuid", "epoch_seconds", "epoch_milliseconds", "iso_datetime", "hex", "base62"
]
_SAFE_INTEGER = 2**53 - 1  # RFC 8785 section 3.2.2.3: what every JSON parser reads alike


class Slot(Frozen):
    """A named, typed hole that the caller fills.

    Attributes:
        type: what the caller's value must be.
        choices: the values allowed when the type is ``enum``, written by the author.
        many: the caller gives a list, each item of the type.
        optional: the field was empty when recorded; it is sent empty unless a value is given.
        secret: its values are shown as a mark wherever they would be printed or stored.
        description: the author's words for callers.
    """

    type: SlotType = "string"
    choices: tuple[str, ...] = ()
    many: bool = False
    optional: bool = False
    secret: bool = False
    description: str = ""

    @model_validator(mode="after")
    def _choices_go_with_enum(self) -> Self:
        if (self.type == "enum") != bool(self.choices):
            raise ValueError("choices belong to the type enum, and an enum needs them")
        if self.many and self.type in {"file", "boolean"}:
            raise ValueError("a list of files or of booleans is not supported")
        return self


class SlotRef(Frozen):
    """Here the slot's value stands, in the shapes that the named transforms give it, in order."""

    slot: SlotName
    transforms: tuple[Transform, ...] = ()


class LiveRef(Frozen):
    """Here a live value stands."""

    live: SlotName


class GeneratedRef(Frozen):
    """Here a generated value stands."""

    generated: SlotName


class Null(Frozen):
    """JSON ``null``: a type with one value, so the type says all of it."""

    null: Literal[True]


class GeneratedValue(Frozen):
    """A hole that replay fills by itself.

    Attributes:
        kind: the shape of the value.
        length: characters of a ``hex`` or ``base62`` value, else none.
        as_text: whether a number is sent as a JSON string.
    """

    kind: GeneratedKind
    length: Annotated[int, Field(ge=4, le=256)] | None = None
    as_text: bool = False

    @model_validator(mode="after")
    def _length_goes_with_random_text(self) -> Self:
        if (self.kind in {"hex", "base62"}) != (self.length is not None):
            raise ValueError("a length belongs to hex and base62, and to nothing else")
        return self


def _pinnable(value: str | float | bool) -> str | int | float | bool:
    if isinstance(value, str) and looks_like_secret(value):
        raise ValueError("a pin looks like a secret: make it a slot or a live value instead")
    if isinstance(value, int) and not -_SAFE_INTEGER <= value <= _SAFE_INTEGER:
        raise ValueError("a pinned integer is larger than JSON numbers are exact")
    if (isinstance(value, float) and value != value) or value in (float("inf"), float("-inf")):  # noqa: PLR0124
        raise ValueError("a pinned number is not finite")
    return value


PinValue = Annotated[bool | int | float | str, AfterValidator(_pinnable)]


class Pin(Frozen):
    """A constant that the card's author chose. Caution: made by the author's doors only."""

    pin: PinValue


class Template(Frozen):
    """A slot inside markup: literals are tags without attributes and white space, nothing else."""

    template: tuple[str | SlotRef, ...]

    @model_validator(mode="after")
    def _literals_are_markup(self) -> Self:
        if not any(isinstance(part, SlotRef) for part in self.template):
            raise ValueError("a template holds at least one slot")
        if any(isinstance(part, str) and not is_markup(part) for part in self.template):
            raise ValueError("a template's literals are tags without attributes and nothing else")
        return self


_TAGS = ("slot", "live", "generated", "pin", "template", "null", "operation", "word", "place")


def _leaf_tag(value: Any) -> str | None:
    names = value.keys() if isinstance(value, dict) else getattr(type(value), "model_fields", ())
    for tag in _TAGS:
        if tag in names:
            return tag
    return None


Hole = SlotRef | LiveRef | GeneratedRef | Pin | Template | Null | OperationRef | Word | Place
Leaf = Annotated[
    Annotated[SlotRef, Tag("slot")]
    | Annotated[LiveRef, Tag("live")]
    | Annotated[GeneratedRef, Tag("generated")]
    | Annotated[Pin, Tag("pin")]
    | Annotated[Template, Tag("template")]
    | Annotated[Null, Tag("null")]
    | Annotated[OperationRef, Tag("operation")]
    | Annotated[Word, Tag("word")]
    | Annotated[Place, Tag("place")],
    Discriminator(_leaf_tag),
]
"""What a scalar of a body, query, path or header becomes."""


def infer_slot_type(value: str | float | bool) -> SlotType:
    """The narrowest slot type that a value which the author declared has.

    >>> infer_slot_type("2026-01-31"), infer_slot_type("31 January")
    ('date', 'string')
    """
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    return _text_type(value)


def _text_type(text: str) -> SlotType:
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text, re.IGNORECASE):
        return "uuid"
    if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", text):
        return "email"
    if re.fullmatch(r"https?://[^\s/]+(/\S*)?", text, re.IGNORECASE):
        return "url"
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text) and _parses(date.fromisoformat, text):
        return "date"
    if re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", text) and _parses(datetime.fromisoformat, text):
        return "date-time"
    return "string"


def _parses(parse: Any, text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


__all__ = [
    "FieldName",
    "GeneratedKind",
    "GeneratedRef",
    "GeneratedValue",
    "Hole",
    "Leaf",
    "LiveRef",
    "Null",
    "OperationRef",
    "Pin",
    "PinValue",
    "Place",
    "Slot",
    "SlotRef",
    "SlotType",
    "Template",
    "Transform",
    "Word",
    "infer_slot_type",
]
