"""Which declared slot's value is this? The values stay in memory; names come out.

Rules:
1. A value of one character matches under its own name, or where nothing else could be meant.
2. Two slots with one value: the one whose name the field has.
"""

from collections.abc import Iterable
from pathlib import Path

from cards.holes import Slot, SlotRef, SlotType, Template, infer_slot_type
from cards.suspicion import names_a_secret
from recorder.multipart_parts import RawPart
from recorder.naming import identifier, last_part
from recorder.parsed import Carried
from recorder.strict_json import Scalar, json_text
from recorder.traffic import Declared, DeclaredSlot
from recorder.transforms import chain_between, template_of

_SHORT = 2
_NUMBERS = ("integer", "number")


class DeclaredValues:
    """The declared slots against all scalars of one request.

    Attributes:
        lists: the list slots.
    """

    def __init__(self, declared: Declared, carried: Iterable[Carried]) -> None:
        slots = declared.slots.values()
        self._declared = declared.slots
        self._slots = {s.name: s for s in slots if not s.items and s.type != "file"}
        self.lists = tuple(slot for slot in slots if slot.items)
        self._files = tuple(slot for slot in slots if slot.type == "file")
        self._named: set[str] = set()
        self._types: dict[str, SlotType] = {}
        scalars = list(carried)
        for item in scalars:
            for slot in self._slots.values():
                if _has_name(item.field, slot.name) and _is_equal(slot, item.value):
                    self._named.add(slot.name)
        for item in scalars:
            meant = self._equal_slot(item.field, item.value)
            if meant is not None and item.json and isinstance(item.value, int | float):
                self._types[meant.name] = infer_slot_type(item.value)
            self._note_number(item)

    def _note_number(self, item: Carried) -> None:
        if item.json and isinstance(item.value, int | float):
            for slot in self.lists:
                if json_text(item.value) in slot.items:
                    self._types[slot.name] = infer_slot_type(item.value)

    def hole_for(self, field: str, value: Scalar) -> SlotRef | Template | None:
        """The slot that the value is, also transformed or in markup, or none."""
        if value is None:
            return None
        slot = self._equal_slot(field, value)
        if slot is not None:
            return SlotRef(slot=slot.name)
        if not isinstance(value, str) or len(value) < _SHORT:
            return None
        for name, text in self._long():
            chain = chain_between(text, value)
            if chain is not None:
                return SlotRef(slot=name, transforms=chain)
        return template_of(value, self._long())

    def names_in(self, field: str, value: Scalar) -> set[str]:
        """Names of the slots whose values the scalar is made of."""
        hole = self.hole_for(field, value)
        listed = {slot.name for slot in self.lists if _text(value) in slot.items}
        if isinstance(hole, SlotRef):
            return {hole.slot, *listed}
        parts = hole.template if isinstance(hole, Template) else ()
        return {part.slot for part in parts if isinstance(part, SlotRef)} | listed

    def file_for(self, part: RawPart) -> str | None:
        """The declared file slot whose file this part holds, by content, name or field."""
        for is_it in (_has_content, _has_file_name, _has_field):
            named = [slot.name for slot in self._files if is_it(slot, part)]
            if len(named) == 1:
                return named[0]
        return None

    def slot(self, name: str) -> Slot:
        """The definition of a slot, of the type that the request sends it as."""
        declared = self._declared.get(name)
        if declared is None:
            return Slot(secret=names_a_secret(name))
        kind = declared.type
        if kind in ("string", *_NUMBERS, "boolean") and not declared.choices:
            kind = self._types.get(name, kind)
        if declared.choices:
            kind = "enum"
        return Slot.model_validate(
            {
                "type": kind,
                "choices": declared.choices,
                "many": bool(declared.items),
                "secret": names_a_secret(name),
            }
        )

    def _long(self) -> list[tuple[str, str]]:
        return [(s.name, s.value) for s in self._slots.values() if len(s.value) >= _SHORT]

    def _equal_slot(self, field: str, value: Scalar) -> DeclaredSlot | None:
        equal = [slot for slot in self._slots.values() if _is_equal(slot, value)]
        for slot in equal:
            if _has_name(field, slot.name):
                return slot
        meant = [slot for slot in equal if len(slot.value) >= _SHORT]
        if meant:
            return meant[0]
        if len(equal) == 1 and equal[0].value and equal[0].name not in self._named:
            return equal[0]
        return None


def _text(value: Scalar) -> str | None:
    return None if value is None else json_text(value)


def _has_content(slot: DeclaredSlot, part: RawPart) -> bool:
    path = Path(slot.value)
    try:
        same_size = path.stat().st_size == len(part.content)
        return same_size and bool(part.content) and path.read_bytes() == part.content
    except OSError:
        return False


def _has_file_name(slot: DeclaredSlot, part: RawPart) -> bool:
    return part.file_name == Path(slot.value).name


def _has_field(slot: DeclaredSlot, part: RawPart) -> bool:
    return _has_name(part.name, slot.name)


def _has_name(field: str, name: str) -> bool:
    return identifier(last_part(field)).lower() == name.lower()


def _is_equal(slot: DeclaredSlot, value: Scalar) -> bool:
    if value is None:
        return False
    if json_text(value) == slot.value:
        return True
    if slot.type in _NUMBERS and isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(slot.value) == value
        except ValueError:
            return False
    return False
