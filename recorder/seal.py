"""Seal one candidate: strip → count → write and fsync. Only then may it be released.

Rules:
1. The order is this file's whole point, so it stands in one function, top to bottom.
2. Nothing that this file returns or raises holds a captured value: the card is names and types, a
   reason is a fixed sentence and the name of an exception's class.
3. Whatever goes wrong, a card that says so is written before the request leaves.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast, get_args
from urllib.parse import unquote

from pydantic import ValidationError

from cards.card import SealedCard, UiOnlyCard, seal, seal_ui_only
from cards.contract import Contract, Method
from cards.errors import UserError
from cards.holes import SlotRef
from cards.shapes import OpaqueBody, Target
from cards.store import CardStore
from cards.suspicion import looks_like_identifier
from recorder.counting import Ruler
from recorder.plan import Plan
from recorder.prelude import Prelude
from recorder.stripping import Stripped, strip
from recorder.traffic import RawRequest
from verifier.records import Count

_METHODS = get_args(Method)
_PLAIN_SEGMENT = re.compile(r"[a-z][a-z_.-]{0,30}")
_MAX_REASON = 500


@dataclass(frozen=True, slots=True)
class SealedRequest:
    """A candidate whose card is on disk.

    Attributes:
        card: as it was written.
        ruler: its reader and the count before it, or none.
        script_fields: typed slots that the author did not declare.
        unused_pins: fields that the author pinned and the request does not have.
    """

    card: SealedCard | UiOnlyCard
    ruler: Ruler | None = None
    script_fields: tuple[str, ...] = ()
    unused_pins: tuple[str, ...] = ()

    @property
    def template(self) -> str:
        """Method and path with its holes named: what a person may be shown."""
        return template_of(self.card.contract)


@dataclass(frozen=True, slots=True)
class EarlierRose:
    """The count before this candidate shows the rise of the one before it: nothing was written."""

    at: Count


async def seal_request(
    request: RawRequest,
    *,
    plan: Plan,
    prelude: Prelude,
    store: CardStore,
    ui_only: str | None,
    count: Callable[[], Awaitable[Ruler | None]],
    earlier_rose: Callable[[Count], bool],
) -> SealedRequest | EarlierRose:
    """Strip, count, write: when this returns a sealed request, its card is on disk.

    Args:
        request: what stands at the door.
        plan: what the author said.
        prelude: the traffic before.
        store: where the card goes, under its digest's name.
        ui_only: a reason known beforehand why no card can describe it, or none.
        count: takes the count before it.
        earlier_rose: whether a count shows the rise of an earlier candidate.

    Raises:
        UserError: the author's pins don't fit, or the directory can't be written.
    """
    stripped = _stripped(request, plan, prelude, ui_only)
    ruler = await count()
    if ruler is not None and isinstance(ruler.before, Count) and earlier_rose(ruler.before):
        return EarlierRose(ruler.before)
    card = _card(stripped)
    store.write(card, undecided_name(card))
    return SealedRequest(card, ruler, stripped.script_fields, stripped.unused_pins)


def write_ui_only(
    request: RawRequest, *, plan: Plan, store: CardStore, reason: str
) -> SealedRequest:
    """Write the card of a request that could not be sealed.

    Raises:
        UserError: not even that can be written.
    """
    card = seal_ui_only(bare_contract(request, plan), reason)
    store.write(card, undecided_name(card))
    return SealedRequest(card)


def failure_reason(error: BaseException) -> str:
    """What went wrong, by its kind alone; a ``UserError`` speaks for itself, without values."""
    if isinstance(error, UserError):
        return f"It could not be sealed: {error.message}"[:_MAX_REASON]
    return f"The recorder failed while sealing it ({type(error).__name__}); it passed untouched."


def undecided_name(card: SealedCard | UiOnlyCard) -> str:
    """The file's name while it is open which candidate is the action."""
    return f"{card.action}.{card.digest.removeprefix('sha256:')[:8]}"


def template_of(contract: Contract) -> str:
    """``POST /api/rooms/{rooms}/messages``: no captured value can stand in it."""
    segments = (part if isinstance(part, str) else _named(part) for part in contract.target.path)
    return f"{contract.method} /{'/'.join(segments)}"


def bare_contract(request: RawRequest, plan: Plan) -> Contract:
    """As much of a request as can be told without reading its query or body."""
    path = request.target.partition("?")[0].removeprefix("/")
    texts = (text for slot in plan.declared.slots.values() for text in slot.texts)
    values = [text.lower() for text in texts]
    segments = (_bare(segment, values) for segment in path.split("/"))
    try:
        return _opaque(request, plan, Target(path=tuple(segments)))
    except (ValidationError, ValueError):
        return _opaque(request, plan, Target(path=("",)))


def _opaque(request: RawRequest, plan: Plan, target: Target) -> Contract:
    # A WebSocket's upgrade is a GET, which performs nothing: its card is the one of a write.
    method = request.method if request.method in _METHODS else "POST"
    return Contract(
        action=plan.action,
        origin=str(plan.origin),
        method=cast("Method", method),
        target=target,
        body=OpaqueBody(kind="opaque"),
    )


def _bare(segment: str, values: list[str]) -> str | SlotRef:
    plain = unquote(segment).lower()
    if segment == "" or (
        _PLAIN_SEGMENT.fullmatch(segment)
        and not looks_like_identifier(segment)
        and not any(value in plain for value in values)
    ):
        return segment
    return SlotRef(slot="unread")


def _named(part: object) -> str:
    for kind in ("slot", "live", "generated"):
        name = getattr(part, kind, None)
        if isinstance(name, str):
            return f"{{{name}}}"
    return "{…}"


def _stripped(request: RawRequest, plan: Plan, prelude: Prelude, ui_only: str | None) -> Stripped:
    if ui_only is not None:
        return Stripped(bare_contract(request, plan), ui_only)
    return strip(
        request,
        origin=plan.origin,
        action=plan.action,
        declared=plan.declared,
        prelude=prelude,
        readback=plan.readback,
    )


def _card(stripped: Stripped) -> SealedCard | UiOnlyCard:
    if stripped.ui_only is not None:
        return seal_ui_only(stripped.contract, stripped.ui_only[:_MAX_REASON])
    return seal(stripped.contract)
