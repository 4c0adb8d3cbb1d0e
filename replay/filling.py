"""One hole, filled: what stands at a leaf when the request is built.

Rules:
1. A value goes through the transforms that its reference names, and through the escaping of the
   place where it stands, each once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import assert_never

from cards.contract import Contract
from cards.holes import (
    GeneratedRef,
    Leaf,
    LiveRef,
    Null,
    OperationRef,
    Pin,
    Place,
    SlotRef,
    Template,
    Word,
)
from cards.transforms import transformed
from replay.numbers import number_text
from replay.uploads import Upload
from verifier.matching import Scalar, SlotValue, text_of

Sent = Scalar | None


def scalar_text(value: SlotValue) -> str:
    """A value as text, as the page's script would write it."""
    if isinstance(value, PurePath | tuple):
        return text_of(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else number_text(value)


@dataclass(frozen=True, slots=True, repr=False)
class Filling:
    """All values of one run.

    Attributes:
        slots: the caller's, typed.
        live: fetched from the live login.
        generated: made for this run.
    """

    contract: Contract
    slots: Mapping[str, SlotValue]
    live: Mapping[str, str] = field(default_factory=dict)
    generated: Mapping[str, str | int] = field(default_factory=dict)

    def items(self, name: str) -> Iterator["Filling"]:
        """For each value of a list slot, the filling in which the slot is that one value."""
        values = self.slots.get(name, ())
        for value in values if isinstance(values, tuple) else (values,):
            yield replace(self, slots={**self.slots, name: value})

    def upload(self, name: str) -> Upload | None:
        """The file of a slot, opened; none where an optional one was not given.

        Raises:
            BadSlot: it can't be read.
        """
        path = self.slots.get(name)
        return Upload.opened(name, path) if isinstance(path, PurePath) else None

    def scalar(self, leaf: Leaf) -> Sent:
        """What a JSON body holds at a leaf, in its own type."""
        match leaf:
            case SlotRef():
                return self._slot(leaf)
            case LiveRef():
                return self.live[leaf.live]
            case GeneratedRef():
                return self.generated[leaf.generated]
            case Pin():
                return leaf.pin
            case Template():
                return "".join(self._part(part) for part in leaf.template)
            case Null():
                return None
            case OperationRef():
                assert self.contract.operation is not None
                return self.contract.operation.part(leaf.operation)
            case Word():
                return leaf.word
            case Place():
                return leaf.place
            case _:
                assert_never(leaf)

    def text(self, leaf: Leaf) -> str:
        """What a form, query, path or header holds at a leaf."""
        value = self.scalar(leaf)
        return "" if value is None else scalar_text(value)

    def _slot(self, reference: SlotRef) -> Scalar:
        value = self.slots.get(reference.slot)
        if value is None:
            assert self.contract.slots[reference.slot].optional
            return ""
        if isinstance(value, PurePath | tuple):
            value = text_of(value)
        for transform in reference.transforms:
            value = transformed(scalar_text(value), transform)
        return value

    def _part(self, part: str | SlotRef) -> str:
        return part if isinstance(part, str) else scalar_text(self._slot(part))
