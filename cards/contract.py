"""The contract: all that replay needs to know of one request, and its digest.

Rules:
1. Every reference has a definition and every definition a use, so that what a reviewer reads is
   what will be sent.
2. The digest is SHA-256 over the canonical form of RFC 8785, with members at their defaults left
   out. Evidence stands outside it. A changed contract is a new card.
"""

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

import rfc8785
from pydantic import AfterValidator, Field, StringConstraints, model_validator

from cards.errors import BadOrigin
from cards.holes import GeneratedValue, Leaf, Slot
from cards.model import ActionName, FieldName, Frozen, SlotName
from cards.origin import Origin
from cards.readback import Readback
from cards.shapes import Body, NoBody, OpaqueBody, Target
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


_MEDIA = r"(?:application|text|image|audio|video|font|multipart|\*)/(?:\*|[a-z]+(?:[.+-][a-z]+)*)"
_PARAMETER = r"\s*;\s*(?:charset=[A-Za-z0-9_-]{2,20}|q=[01](?:\.[0-9]{1,3})?|v=b3)"
_RANGE = rf"{_MEDIA}(?:{_PARAMETER})*"
MEDIA_RANGES = rf"^{_RANGE}(?:\s*,\s*{_RANGE})*$"


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


class Operation(Frozen):
    """The GraphQL operation: its identity, apart from the shape of its variables."""

    type: Literal["mutation"] = "mutation"
    name: FieldName | None = None
    document: str | None = None
    document_hash: Annotated[str, StringConstraints(pattern="^sha256:[0-9a-f]{64}$")] | None = None
    persisted_hash: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")] | None = None


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
        used = _references(self.model_dump(by_alias=True))
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

    def canonical(self) -> bytes:
        """The bytes that the digest covers (RFC 8785)."""
        return rfc8785.dumps(self.model_dump(mode="json", by_alias=True, exclude_defaults=True))

    def digest(self) -> str:
        """``sha256:`` and 64 hexadecimal digits."""
        return f"sha256:{hashlib.sha256(self.canonical()).hexdigest()}"

    def pretty(self) -> dict[str, Any]:
        """The contract as a JSON object for people: defaults left out, order kept."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


_KINDS = ("slot", "live", "generated")


def _references(tree: Any) -> set[tuple[str, str]]:
    return set(_walk(tree))


def _walk(tree: Any) -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        for kind in _KINDS:
            if isinstance(tree.get(kind), str):
                yield kind, tree[kind]
        for value in tree.values():
            yield from _walk(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _walk(value)
