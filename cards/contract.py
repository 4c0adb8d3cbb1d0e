"""The contract: all that replay needs to know of one request, and its digest.

Rules:
1. Every reference has a definition and every definition a use, so that what a reviewer reads is
   what will be sent.
2. The digest is SHA-256 over the canonical form of RFC 8785, with members at their defaults left
   out. Evidence stands outside it. A changed contract is a new card.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

import rfc8785
from pydantic import AfterValidator, Field, StringConstraints, model_validator

from cards.errors import BadOrigin
from cards.holes import GeneratedValue, Leaf, Slot
from cards.media import MEDIA_RANGES
from cards.model import ActionName, FieldName, Frozen, SlotName
from cards.operation import Operation
from cards.origin import Origin
from cards.readback import Readback
from cards.shapes import Body, FilePart, MultipartBody, NoBody, OpaqueBody, Target
from cards.sources import LiveValue

Method = Literal["POST", "PUT", "PATCH", "DELETE"]


def _canonical_origin(text: str) -> str:
    try:
        origin = str(Origin.parse(text))
    except BadOrigin as error:
        raise ValueError(error.message) from None
    if origin != text:
        raise ValueError("the origin is not in its canonical form")
    return text


class StructuralHeaders(Frozen):
    """The headers whose values a card keeps, because they say what the request is, not who sent it.

    Attributes:
        content_type: media type, without a boundary.
        accept: media ranges (RFC 9110 section 12.5.1).
        requested_with: ``X-Requested-With``, which script libraries set.
        origin: whether ``Origin`` is sent, built again from the card's origin.
        referer: whether ``Referer`` is sent, built again from the card's origin.
    """

    content_type: Annotated[str, StringConstraints(pattern=MEDIA_RANGES)] | None = None
    accept: Annotated[str, StringConstraints(pattern=MEDIA_RANGES, max_length=300)] | None = None
    requested_with: Literal["XMLHttpRequest", "fetch"] | None = None
    origin: bool = False
    referer: bool = False


class Contract(Frozen):
    """The secret-free description of the single request that performs one action.

    Attributes:
        action: the action's name.
        origin: scheme, host and port, canonical.
        imported: made from a file, so nobody saw the page at its side.
        headers: structural headers.
        custom_headers: other headers, by lower-case name.
        readback: how a new record is seen; without one the card is never promoted.
        unresolved: fields and headers of the recorded request that have no source and are not sent.
    """

    action: ActionName
    origin: Annotated[str, AfterValidator(_canonical_origin)]
    method: Method
    target: Target
    headers: StructuralHeaders = StructuralHeaders()
    custom_headers: dict[FieldName, Leaf] = Field(default_factory=dict)
    body: Body = NoBody(kind="none")
    slots: dict[SlotName, Slot] = Field(default_factory=dict)
    live: dict[SlotName, LiveValue] = Field(default_factory=dict)
    generated: dict[SlotName, GeneratedValue] = Field(default_factory=dict)
    operation: Operation | None = None
    readback: Readback | None = None
    unresolved: tuple[FieldName, ...] = ()
    imported: bool = False

    @model_validator(mode="after")
    def _references_and_definitions_agree(self) -> Self:
        if isinstance(self.body, OpaqueBody):
            return self
        used = _references(self.model_dump(by_alias=True, exclude={"operation"}))
        if self.readback is not None:
            names = (self.readback.match.slot, *self.readback.url_slots)
            used |= {("slot", name) for name in names}
        defined = {
            *(("slot", name) for name in self.slots),
            *(("live", name) for name in self.live),
            *(("generated", name) for name in self.generated),
        }
        for kind, name in sorted(used - defined):
            raise ValueError(f"the {kind} {name} is used and not defined")
        for kind, name in sorted(defined - used):
            raise ValueError(f"the {kind} {name} is defined and not used")
        return self

    @model_validator(mode="after")
    def _operation_has_what_the_body_names(self) -> Self:
        for part in _operation_parts(self.model_dump(by_alias=True, include={"body", "target"})):
            if self.operation is None or self.operation.part(part) is None:
                raise ValueError(f"the body refers to the operation's {part}, and there is none")
        return self

    @model_validator(mode="after")
    def _live_values_come_in_an_order(self) -> Self:
        if len(list(live_order(self.live))) != len(self.live):
            raise ValueError("a live value needs itself, by way of its page")
        return self

    @model_validator(mode="after")
    def _files_stand_in_file_parts(self) -> Self:
        files = {name for name, slot in self.slots.items() if slot.type == "file"}
        parts = self.body.parts if isinstance(self.body, MultipartBody) else ()
        named = {part.file for part in parts if isinstance(part, FilePart) and part.file}
        if not isinstance(self.body, OpaqueBody) and files != named:
            raise ValueError("a file slot fills the file parts of a multipart form, and only them")
        return self

    def canonical(self) -> bytes:
        """The bytes that the digest covers (RFC 8785)."""
        return rfc8785.dumps(self.model_dump(mode="json", by_alias=True, exclude_defaults=True))

    def digest(self) -> str:
        """``sha256:`` and 64 hexadecimal digits."""
        return f"sha256:{hashlib.sha256(self.canonical()).hexdigest()}"

    def pretty(self) -> dict[str, Any]:
        """The contract as a JSON object for people: defaults left out, order kept."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


# The members that refer to a definition, and to which kind of definition.
_KINDS = {
    "slot": "slot",
    "each": "slot",
    "file": "slot",
    "live": "live",
    "generated": "generated",
}


def live_order(live: Mapping[str, LiveValue]) -> Iterator[str]:
    """The live values' names, each after those that its page needs; one in a circle is left out."""
    waiting = {name: _needs(value) for name, value in live.items()}
    done: set[str] = set()
    while ready := [name for name, needs in waiting.items() if needs <= done]:
        for name in ready:
            del waiting[name]
        yield from ready
        done.update(ready)


def _needs(value: LiveValue) -> set[str]:
    page = value.source.page
    used = _references(page.model_dump(by_alias=True)) if page is not None else set()
    return {name for kind, name in used if kind == "live"}


def _operation_parts(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        if isinstance(tree.get("operation"), str):
            yield tree["operation"]
        for value in tree.values():
            yield from _operation_parts(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _operation_parts(value)


def _references(tree: Any) -> set[tuple[str, str]]:
    return set(_walk(tree))


def _walk(tree: Any) -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        for member, kind in _KINDS.items():
            if isinstance(tree.get(member), str):
                yield kind, tree[member]
        for value in tree.values():
            yield from _walk(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _walk(value)
