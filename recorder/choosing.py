"""What one scalar becomes: the order of decision, and the definitions that it needs.

Rules:
1. The order is: the author's pin, a declared slot, a live value, a generated one, ``null``, and at
   last an undeclared slot named after its field. There is no way to keep a captured scalar.
2. The same value twice is the same reference, where it is too long to be equal by accident.
3. A long random value without a source can't be sent again: the card says so.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from cards.holes import (
    GeneratedRef,
    GeneratedValue,
    Hole,
    LiveRef,
    Null,
    Slot,
    SlotRef,
    SlotType,
    Template,
    infer_slot_type,
)
from cards.shapes import Target
from cards.sources import LiveValue
from cards.suspicion import names_a_secret
from recorder.judging import distinctive, is_token
from recorder.matching import DeclaredValues
from recorder.multipart_parts import RawPart
from recorder.naming import Names, identifier, last_part
from recorder.parsed import Carried, Parsed, scalars
from recorder.pinning import Pins
from recorder.prelude import Found, Prelude
from recorder.shapes_of import generated_shape
from recorder.spoken import Spoken
from recorder.strict_json import Scalar, json_text
from recorder.traffic import Declared, RawRequest
from verifier.matching import text_of

Where = Literal["json", "text", "page"]
PageTarget = Callable[[str, "Chooser", bool], Target | None]
_SHARED = 4
_NUMBERS = ("integer", "number")


class Chooser:
    """Decides for each scalar, and collects what the decisions define.

    Args:
        request: the decisive request.
        declared: what the author said.
        prelude: where values were issued.
        parsed: the request, taken apart.
        spoken: its leaves that a protocol's rules decide.
        page_target: makes a source's page, sharing this chooser's slots; none where the page
            can't be fetched again, or needs more slots and the flag says that it may not.

    Attributes:
        slots, live, generated: the definitions, by name.
        script_fields: field paths of the undeclared slots.
        problems: why the card must stay on the UI path, in order.
        pins: the author's pins.
        wanted: declared values for which JSON in strings is opened.
        values: the declared slots' values, in memory only.
    """

    def __init__(
        self,
        request: RawRequest,
        declared: Declared,
        prelude: Prelude,
        parsed: Parsed,
        spoken: Spoken,
        page_target: PageTarget,
    ) -> None:
        carried = list(scalars(parsed))
        self.slots: dict[str, Slot] = {}
        self.live: dict[str, LiveValue] = {}
        self.generated: dict[str, GeneratedValue] = {}
        self.script_fields: list[str] = []
        self.problems: list[str] = []
        self.pins = Pins(declared)
        self.wanted = parsed.wanted
        self._spoken = spoken
        self._request = request
        self._prelude = prelude
        self._page_target = page_target
        self.values = DeclaredValues(declared, carried)
        self._names = Names(frozenset(declared.slots))
        self._numbers = _number_types(carried)
        self._made: dict[tuple[str, bool], str] = {}
        self._shared: dict[str, str] = {}
        self._paths: dict[str, str] = {}

    @property
    def at(self) -> datetime:
        """When the request was seen."""
        return self._request.at

    def choose(self, field: str, value: Scalar, where: Where) -> Hole:
        """The leaf that stands where this scalar stood.

        Args:
            field: its field path.
            value: as sent, escaping taken off.
            where: in JSON, in a text such as a form field, or in the query of a source's page.

        Raises:
            BadPin: the author pins this field, and its value looks like a secret.
        """
        pinned = None if where == "page" else self.pins.hole_for(field, value)
        spoken = None if where == "page" else self._spoken_leaf(field)
        known = pinned or spoken or self.declared_slot(field, value, where)
        if known is not None:
            return known
        if value is None:
            return Null(null=True)
        live = self.live_value(field, value) if where != "page" else None
        return (
            self._same_slot(value, where)
            or live
            or self.generated_value(field, value, as_text=where == "json")
            or self._undeclared(field, value, where)
        )

    def _spoken_leaf(self, field: str) -> Hole | None:
        shape = self._spoken.generated.get(field)
        if shape is None:
            return self._spoken.leaves.get(field)
        name = self._names.make(last_part(field))
        self.generated[name] = shape
        return GeneratedRef(generated=name)

    def file_slot(self, field: str, part: RawPart) -> str:
        """The slot whose file a multipart form's part holds, a new one where nobody declared it."""
        name = self.values.file_for(part)
        if name is not None:
            self.define_declared(name)
            return name
        name = self._names.make(last_part(field))
        self.slots[name] = Slot(type="file")
        self.script_fields.append(field)
        return name

    def declared_slot(self, field: str, value: Scalar, where: Where) -> SlotRef | Template | None:
        """The declared slot whose value this is, transformed or in markup, or none."""
        hole = self.values.hole_for(field, value)
        if isinstance(hole, SlotRef):
            self.define_declared(hole.slot)
            if not hole.transforms and where == "json":
                return self._reference(hole.slot, value)
        if isinstance(hole, Template):
            for part in hole.template:
                if isinstance(part, SlotRef):
                    self.define_declared(part.slot)
        return hole

    def define_declared(self, name: str) -> None:
        """Take a declared slot, or one that only the readback names, into the card."""
        if name not in self.slots:
            self.slots[name] = self.values.slot(name)

    def _reference(self, name: str, value: Scalar) -> SlotRef:
        # A number's slot writes a number; where the page wrote it as a JSON string, so do we.
        number = self.slots[name].type in (*_NUMBERS, "boolean")
        as_text = number and isinstance(value, str)
        return SlotRef(slot=name, transforms=("text",) if as_text else ())

    def live_value(self, field: str, value: Scalar) -> LiveRef | None:
        """A reference to where the value is issued, or none."""
        if not isinstance(value, str) or self._prelude.names_choice(value, self._request):
            return None
        found = self._prelude.find(value, field=field, request=self._request)
        live = None if found is None else self._as_live(found)
        if live is None:
            return None
        for name, known in self.live.items():
            if known == live:
                return LiveRef(live=name)
        name = self._names.make(last_part(field))
        self.live[name] = live
        return LiveRef(live=name)

    def _as_live(self, found: Found) -> LiveValue | None:
        if found.page is None:
            return found.live(None)
        page = self._page_target(found.page, self, not found.page_optional)
        return found.live(page) if page is not None or found.page_optional else None

    def can_name(self, text: str) -> bool:
        """Whether a value of a page's URL stands in the card already, as a slot."""
        return text in self._shared or self.values.hole_for("page", text) is not None

    def generated_value(self, field: str, value: Scalar, *, as_text: bool) -> GeneratedRef | None:
        """A reference to a value that replay makes by itself, or none."""
        name = last_part(field)
        shape = generated_shape(value, name, self.at, as_text=as_text)
        text = json_text(value)
        if shape is None or (shape.kind == "uuid" and self.is_known(text)):
            return None
        key = (text, shape.as_text)
        if key not in self._made:
            self._made[key] = self._names.make(name)
            self.generated[self._made[key]] = shape
        return GeneratedRef(generated=self._made[key])

    def is_known(self, text: str) -> bool:
        """Whether the site itself issued the value, or had it in a URL."""
        return self._prelude.known_in_urls(text) or self._prelude.issued(text)

    def path_slot(self, field: str, text: str, before: str) -> SlotRef:
        """The slot of a path segment, named after the segment before it."""
        if distinctive(text):
            self._blame_earlier_write(field, text)
        shared = self._shared.get(text)
        if shared is None:
            shared = self._paths[text] = self._names.make(before)
            self._define(shared, field, text)
        return SlotRef(slot=shared)

    def _same_slot(self, value: str | float | bool, where: Where) -> SlotRef | None:
        text = json_text(value)
        name = self._shared.get(text)
        if name is None or isinstance(value, bool) or len(text) < _SHARED:
            return None
        number = self.slots[name].type in _NUMBERS
        if number != (not isinstance(value, str) or text in self._numbers):
            return None
        return self._reference(name, value) if where == "json" else SlotRef(slot=name)

    def _undeclared(self, field: str, value: str | float | bool, where: Where) -> SlotRef:
        if isinstance(value, str) and where != "page":
            self._judge(field, value)
        name = self._path_slot_of(field, json_text(value))
        if name is None:
            name = self._names.make(last_part(field))
            self._define(name, field if where != "page" else f"page:{field}", value)
        return self._reference(name, value) if where == "json" else SlotRef(slot=name)

    def _define(self, name: str, field: str, value: str | float | bool) -> None:
        text = json_text(value)
        kind = infer_slot_type(value)
        if isinstance(value, str) and len(text) >= _SHARED:
            kind = self._numbers.get(text, kind)
        secret = names_a_secret(last_part(field))
        self.slots[name] = Slot(type=kind, optional=text == "", secret=secret)
        if not isinstance(value, bool):
            self._shared.setdefault(text, name)
        if not field.startswith("page:"):
            self.script_fields.append(field)

    def _path_slot_of(self, field: str, text: str) -> str | None:
        # /rooms/42 and room_id: 42 are one thing, though 42 alone could be any number.
        name = self._paths.get(text)
        if name is None:
            return None
        stem = name.rstrip("s").lower()
        return name if stem and identifier(last_part(field)).lower().startswith(stem) else None

    def _judge(self, field: str, value: str) -> None:
        if not is_token(value) or self._blame_earlier_write(field, value):
            return
        if not self.is_known(value):
            self._problem(
                f"the field {field} holds a value that differs at each load and has no source"
            )

    def _blame_earlier_write(self, field: str, value: str) -> bool:
        blamed = self._prelude.issued_by_a_write(value)
        if blamed:
            self._problem(f"the value of {field} was made by an earlier write")
        return blamed

    def _problem(self, reason: str) -> None:
        if reason not in self.problems:
            self.problems.append(reason)


def _number_types(carried: list[Carried]) -> dict[str, SlotType]:
    return {
        json_text(item.value): infer_slot_type(item.value)
        for item in carried
        if isinstance(item.value, int | float)
        and not isinstance(item.value, bool)
        and text_of(item.value) == json_text(item.value)
    }
