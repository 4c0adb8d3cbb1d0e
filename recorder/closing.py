"""The conclusion of a recording: the candidate that is the action, its evidence, and the words.

Rules:
1. Only the verifier makes evidence; this asks it to, and explains what it shows.
2. Several possible requests and no count to tell them apart is an error that lists them.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from cards.card import UiOnlyCard
from cards.errors import AmbiguousAction
from cards.store import CardStore
from recorder.events import Settle
from recorder.plan import Plan
from recorder.recorded import Recorded
from recorder.seal import SealedRequest
from recorder.settling import keep
from recorder.tally import Tally
from recorder.traffic import RawRequest
from verifier import Evidence
from verifier.login import Login
from verifier.records import Count, CountFailed

_OVERLAPPED = (
    "Another candidate left before the count after the one before it was closed; the counts "
    "decided between them."
)


@dataclass(slots=True, repr=False)
class Held:
    """One candidate, from the door to the end. In memory only.

    Attributes:
        request: as it stood at the door.
        ui_only: known beforehand: why no card can describe it.
        released: set when it may leave.
        login: the browser's own, as that request carried it.
        sealed: what is on disk of it.
        after: the last count after it.
    """

    request: RawRequest
    ui_only: str | None
    released: asyncio.Event = field(default_factory=asyncio.Event)
    login: Login = field(default_factory=Login.anonymous)
    sealed: SealedRequest | None = None
    after: Count | CountFailed | None = None


def between(plan: Plan, before: Count, after: Count) -> Evidence:
    """The evidence of two counts around the UI action of a plan with a readback."""
    assert plan.readback is not None
    return Evidence.between(
        before, after, acted="ui", window=plan.readback.is_part, expect=plan.readback.expect
    )


async def conclude(
    plan: Plan,
    store: CardStore,
    verdict: Settle,
    held: Sequence[tuple[int, Held]],
    tally: Tally,
    *,
    overlapped: bool,
) -> Recorded:
    """Keep the card of the verdict under its action's name.

    Raises:
        NothingCaptured: no card was sealed.
        AmbiguousAction: several could be the action.
        UserError: the card can't be written.
    """
    candidates = {key: one for key, one in held if one.sealed is not None}
    sealed = {key: one.sealed for key, one in candidates.items() if one.sealed is not None}
    if not sealed:
        raise tally.nothing_captured(plan.origin)
    if verdict.kept is None:
        raise _ambiguous(plan, tuple(sealed.values()))
    chosen = sealed[verdict.kept]
    after = candidates[verdict.kept].after
    if verdict.confirmed:
        after = _last_count(tuple(candidates.values()))
    evidence = None
    if chosen.ruler and isinstance(chosen.ruler.before, Count) and isinstance(after, Count):
        evidence = between(plan, chosen.ruler.before, after)
    rivals = tuple(sealed[key].card for key in verdict.rivals)
    kept = await asyncio.to_thread(keep, store, chosen.card, evidence, rivals)
    notes = (
        *_why_not_confirmed(plan, chosen, evidence, after),
        *(f"The pinned field {name} is not in the request." for name in chosen.unused_pins),
        *((_OVERLAPPED,) if overlapped and plan.readback else ()),
        *kept.notes,
    )
    return Recorded(kept.card, kept.file, evidence, chosen.script_fields, notes)


def _last_count(candidates: Sequence[Held]) -> Count | None:
    counts = (one.after for one in candidates if isinstance(one.after, Count))
    return max(counts, key=lambda count: count.at, default=None)


def _why_not_confirmed(
    plan: Plan,
    chosen: SealedRequest,
    evidence: Evidence | None,
    after: Count | CountFailed | None,
) -> tuple[str, ...]:
    if isinstance(chosen.card, UiOnlyCard) or (evidence is not None and evidence.proves):
        return ()
    if plan.readback is None:
        return ("Without a readback it is never promoted.",)
    before = chosen.ruler.before if chosen.ruler else None
    if isinstance(before, CountFailed):
        return (f"The readback failed at its first count: {before.message}",)
    if isinstance(after, CountFailed):
        return (f"The readback failed after the action: {after.message}",)
    if evidence is None:
        return ("The recording ended before the readback was asked again.",)
    return (_not_proving(evidence, plan.readback.deadline),)


def _not_proving(evidence: Evidence, deadline: float) -> str:
    move, moved = ("fall", "fell") if evidence.expect == "decrease" else ("rise", "rose")
    if evidence.vanished:
        return f"The readback {moved}, but other records vanished: this may replace the collection."
    if evidence.replaced:
        return f"The readback {moved} and the total did not: a record was replaced."
    if evidence.spread:
        return f"The readback rose by {evidence.rise}: more records than one took the value."
    if evidence.added:
        return "The readback rose and the total too: this may be a new record, not a change."
    return f"The readback did not {move} within {deadline:g} s."


def _ambiguous(plan: Plan, sealed: Sequence[SealedRequest]) -> AmbiguousAction:
    different = {one.card.digest: one for one in sealed}
    listed = "; ".join(
        f"{one.template} ({one.card.action}.{digest[7:15]})" for digest, one in different.items()
    )
    why = "the readback rose after none" if plan.readback else "no readback tells which"
    return AmbiguousAction(
        f"{len(different)} requests could be the action, and {why}: {listed}.",
        "Give a --readback that counts the action's records; or keep one of these files, named "
        "after the action, and delete the others.",
    )
