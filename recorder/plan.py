"""What the author says before acting, parsed and checked: the plan of one recording.

Rules:
1. Everything that can be told to be wrong before a browser opens is told here.
2. The slots' values stay in memory; nothing in this file prints them, errors included.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from cards.errors import BadPin, BadReadback, UsageError
from cards.holes import Pin, SlotType, infer_slot_type
from cards.model import ActionName, SlotName
from cards.origin import Origin
from cards.readback import Readback, parse_readback
from recorder.traffic import Declared, DeclaredSlot
from verifier.records import check_paths

_SLOT = re.compile(r"(?P<name>[^:=]+)(?::(?P<type>[a-z-]+)(?:\[(?P<choices>[^\]]*)\])?)?")
_SLOT_FORM = (
    "Write --slot name=value, name:type=value, 'name:enum[a,b]=a', name:list=a,b or name:file=PATH."
)
_TYPES = (*get_args(SlotType), "list")
SlotText = str | Sequence[str]
"""What fills a declared slot: a text, or the items of a list."""


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """One recording's task. Its values are not printed.

    Attributes:
        origin: the only origin that is looked at.
        action: the card's name.
        declared: slots, pins and kept fields.
        readback: how a new record is seen, or none.
        cards: the directory of cards.
    """

    origin: Origin
    action: str
    declared: Declared
    readback: Readback | None
    cards: Path

    @property
    def values(self) -> dict[str, str]:
        """The declared slots' values, for the readback."""
        return {
            name: Path(slot.value).name if slot.type == "file" else slot.value
            for name, slot in self.declared.slots.items()
        }


def make_plan(
    *,
    origin: str | Origin,
    action: str,
    slots: Mapping[str, SlotText],
    readback: str | Readback | None,
    cards: Path,
    pins: Iterable[str] = (),
) -> Plan:
    """Check what the author said.

    Args:
        origin: scheme, host and port.
        action: the card's name.
        slots: what is about to be typed, by ``name``, ``name:type``, ``name:enum[a,b]``,
            ``name:list`` (a list, or text with commas) or ``name:file`` (a path).
        readback: the JSON form, the name of a file that holds it, or the parsed form.
        cards: where the card is written.
        pins: ``FIELD=VALUE`` or ``FIELD``.

    Raises:
        UserError: the first thing that is wrong.
    """
    at = origin if isinstance(origin, Origin) else Origin.parse(origin)
    _check_action(action)
    declared = _declared(slots, pins)
    form = _readback(readback, at)
    if form is not None:
        _check_readback(form, declared)
    return Plan(at, action, declared, form, cards)


def split_slots(options: Iterable[str]) -> dict[str, str]:
    """The ``name[:type]=value`` texts of a command line as a mapping.

    Raises:
        UsageError: one has no equals sign, or a name is given twice.
    """
    slots: dict[str, str] = {}
    for option in options:
        # Choices may hold an equals sign, the name and type may not.
        head = re.match(r"[^=\[]*(?:\[[^\]]*\])?", option)
        name = head[0] if head else ""
        if not option[len(name) :].startswith("="):
            raise UsageError("A slot is given without a value.", _SLOT_FORM)
        if name in slots:
            raise UsageError(f"The slot {_plain(name)} is given twice.", "Give each slot once.")
        slots[name] = option[len(name) + 1 :]
    return slots


def _check_action(action: str) -> None:
    if not _is(ActionName, action):
        raise UsageError(
            "The action's name is not a name.",
            "Start it with a letter; use letters, digits, '_' and '-', at most 64.",
        )


def _declared(slots: Mapping[str, SlotText], pins: Iterable[str]) -> Declared:
    declared: dict[str, DeclaredSlot] = {}
    for head, value in slots.items():
        slot = _slot(head, value)
        if slot.name in declared:
            raise UsageError(f"The slot {slot.name} is given twice.", "Give each slot once.")
        declared[slot.name] = slot
    written: dict[str, str] = {}
    kept: set[str] = set()
    for pin in pins:
        field, equals, value = pin.partition("=")
        if not field:
            raise BadPin("A pin names no field.", "Write --pin FIELD=VALUE or --pin FIELD.")
        if equals:
            written[field] = _pinnable(field, value)
        else:
            kept.add(field)
    return Declared(declared, written, frozenset(kept))


def _slot(head: str, given: SlotText) -> DeclaredSlot:
    parts = _SLOT.fullmatch(head)
    if parts is None or not _is(SlotName, parts["name"]):
        raise UsageError(
            f"The slot name {_plain(head)} is not an identifier.",
            f"Use letters, digits and '_'. {_SLOT_FORM}",
        )
    name = parts["name"]
    items = _items(parts["type"], given)
    value = given if isinstance(given, str) else "\n".join(items)
    if items:
        return DeclaredSlot(name, value, "string", items=items)
    if not value or parts["type"] == "list":
        raise UsageError(
            f"The slot {name} has no value to look for.", "Give the text that will be typed."
        )
    kind = parts["type"] or infer_slot_type(value)
    if kind not in _TYPES:
        raise UsageError(f"The slot {name} has an unknown type.", f"Types: {', '.join(_TYPES)}.")
    if kind == "file" and not Path(value).is_file():
        raise UsageError(
            f"The file of the slot {name} is not there.", "Give the path of the file to upload."
        )
    choices = tuple(filter(None, (parts["choices"] or "").split(",")))
    if (kind == "enum") != bool(choices):
        raise UsageError(
            f"The slot {name}: choices belong to the type enum, and an enum needs them.",
            _SLOT_FORM,
        )
    if choices and value not in choices:
        raise UsageError(
            f"The value of the slot {name} is none of its choices.", "Type one of the choices."
        )
    return DeclaredSlot(name, value, kind, choices)


def _items(kind: str | None, given: SlotText) -> tuple[str, ...]:
    """The items of a list slot; none for any other."""
    if not isinstance(given, str):
        return tuple(given)
    if kind != "list":
        return ()
    listed: object = None
    if given.lstrip().startswith("["):
        try:
            listed = json.loads(given)
        except (ValueError, RecursionError):
            listed = None
    items = map(str, listed) if isinstance(listed, list) else given.split(",")
    return tuple(item for item in items if item)


def _pinnable(field: str, value: str) -> str:
    try:
        Pin(pin=value)
    except ValidationError:
        raise BadPin(
            f"The pin of {_plain(field)} looks like a secret.",
            "Leave it out: it becomes a slot or a live value.",
        ) from None
    return value


def _readback(readback: str | Readback | None, origin: Origin) -> Readback | None:
    if readback is None or isinstance(readback, Readback):
        return readback
    text = readback if readback.lstrip().startswith("{") else _file(readback)
    return parse_readback(text, origin)


def _file(name: str) -> str:
    try:
        return Path(name).read_text()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadReadback(
            f"The readback is neither a JSON object nor a readable file: {type(error).__name__}.",
            "Give the JSON form itself, or the name of a file that holds it.",
        ) from None


def _check_readback(readback: Readback, declared: Declared) -> None:
    check_paths(readback)
    for name in (readback.match.slot, *readback.url_slots):
        if name not in declared.slots:
            raise BadReadback(
                f"The readback uses the slot {name}, which is not declared.",
                f"Give --slot {name}=…, the value that will be typed.",
            )
        if declared.slots[name].items:
            raise BadReadback(
                f"The readback compares one value, and the slot {name} is a list.",
                "Match on a slot that has one value.",
            )


def _is(kind: Any, text: str) -> bool:
    try:
        TypeAdapter(kind).validate_python(text)
    except ValidationError:
        return False
    return True


def _plain(text: str) -> str:
    """A name as it may be shown: only where it is one, since a value may stand in its place."""
    return text if re.fullmatch(r"[A-Za-z_][\w.:\[\]-]{0,40}", text) else "given"
