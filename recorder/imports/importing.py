"""From a file of traffic to a sealed card: find the action, strip it, write it.

Rules:
1. Only what stands before the decisive request in the file feeds the search for sources.
2. Nothing is written before the whole file was read and one request is left.
3. Nobody watched the page, so the card is sealed and no more, however the answer looked.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cards.card import SealedCard, UiOnlyCard, seal, seal_ui_only
from cards.errors import UsageError
from cards.store import CardStore
from recorder.candidates import NotACandidate, judge
from recorder.imports.deciding import Found, Trial, contenders, decide
from recorder.imports.har_file import HarFile
from recorder.imports.history import history
from recorder.imports.passed import Passed, Progress, Source, Spot
from recorder.imports.relevance import runs_of
from recorder.plan import Plan
from recorder.prelude import Prelude
from recorder.recorded import Recorded
from recorder.seal import bare_contract, template_of
from recorder.settling import keep
from recorder.sockets import needles_of
from recorder.stripping import Stripped, strip

HAR_ENDINGS = (".har", ".json")
FLOW_ENDINGS = (".flow", ".flows", ".mitm", ".dump")
ON_WEBSOCKET = "The action is on a WebSocket."
NEVER_SUCCEEDED = "The request was never seen to succeed: the file has no answer of success to it."
NO_COOKIES = (
    "The file holds no cookies, as a sanitized export does: a value that a cookie issued has no "
    "source. Export it with sensitive data if the card lacks one."
)
ONLY_SEALED = (
    "It is only sealed: its first replay is a trial (--trial), after which the author says "
    "whether the page shows the effect."
)
NEVER_PROMOTED = "Without a readback it is never promoted."
_MAX_TRIALS = 50
_MAX_REASON = 500


def import_file(
    path: Path, plan: Plan, *, force: bool = False, progress: Progress = lambda _: None
) -> Recorded:
    """Make the card of an action that a file of traffic holds.

    Args:
        path: a HAR, or a flow file of mitmproxy.
        plan: what the author says of the action.
        force: take a request that was never answered, where there is no other.
        progress: told the number of bytes that were scanned.

    Raises:
        UsageError: the file is missing, of another kind, damaged, or has nothing of the origin.
        NothingCaptured: no request in it can be the action.
        AmbiguousAction: several could be.
        UserError: the card can't be written.
    """
    with _source(path, plan, progress) as source:
        spots, found = _survey(source, plan)
        likely = contenders(
            found, force=force, origin=plan.origin, tally=source.tally, kind=source.kind
        )
        trials = _trials(source, spots, likely[-_MAX_TRIALS:], plan)
        chosen = decide(trials)
        return _written(chosen, plan, source.remarks())


@contextmanager
def _source(path: Path, plan: Plan, progress: Progress) -> Iterator[Source]:
    ending = path.suffix.lower()
    if ending not in (*HAR_ENDINGS, *FLOW_ENDINGS):
        raise UsageError(
            f"The ending of {path.name} is none that can be imported.",
            f"Give a HAR ({', '.join(HAR_ENDINGS)}; unpack a .zip first) or a flow file of "
            f"mitmproxy ({', '.join(FLOW_ENDINGS)}).",
        )
    try:
        with path.open("rb") as file:
            yield _opened(file, path, plan, progress)
    except OSError as error:
        raise UsageError(
            f"The file {path} can't be read: {error.strerror}.", "Check its name and its rights."
        ) from None


def _opened(file: BinaryIO, path: Path, plan: Plan, progress: Progress) -> Source:
    if path.suffix.lower() in HAR_ENDINGS:
        return HarFile(file, path.parent, plan.origin, progress)
    from recorder.imports.flows import FlowFile

    return FlowFile(file, plan.origin, progress)


def _survey(source: Source, plan: Plan) -> tuple[list[Spot], list[Found]]:
    spots: list[Spot] = []
    found: list[Found] = []
    for spot, passed in source.scan():
        spots.append(spot)
        verdict = None if passed is None else _judged(spot, passed, plan)
        if isinstance(verdict, NotACandidate):
            source.tally.refused[verdict.reason] += 1
        elif verdict is not None:
            found.append(verdict)
    return spots, found


def _judged(spot: Spot, passed: Passed, plan: Plan) -> Found | NotACandidate:
    request = passed.request
    template = template_of(bare_contract(request, plan))
    if passed.sent:
        return _judged_messages(spot, passed, plan, template)
    if passed.refused is not None:
        return Found(spot, template, refused=passed.refused)
    verdict = judge(request, plan.declared)
    if isinstance(verdict, NotACandidate):
        return verdict
    status = passed.response.status if passed.response else 0
    slots = len(verdict.slots_carried)
    return Found(spot, template, slots, verdict.telemetry_hint, status)


def _judged_messages(
    spot: Spot, passed: Passed, plan: Plan, template: str
) -> Found | NotACandidate:
    needles = needles_of(plan.declared)
    carried = sum(any(needle in message for needle in needles) for message in passed.sent)
    if not carried:
        return NotACandidate("the action is on a WebSocket, if it is here")
    status = passed.response.status if passed.response else 0
    return Found(spot, template, carried, status=status, ui_only=ON_WEBSOCKET)


def _trials(
    source: Source, spots: Sequence[Spot], likely: Sequence[Found], plan: Plan
) -> list[Trial]:
    """The card of each, made with what the file holds before it."""
    passed = {one.spot.number: source.again(one.spot) for one in likely}
    runs = runs_of((one.request for one in passed.values()), plan.declared)
    before = [spot for spot in spots if spot.number < likely[-1].spot.number]
    waiting = history(source, before, runs)
    prelude, trials = Prelude(plan.origin), []
    cookies = False
    for one in likely:
        while waiting and waiting[0][0].number < one.spot.number:
            _, earlier = waiting.pop(0)
            cookies |= _has_cookies(earlier)
            assert earlier.response is not None
            prelude.saw(earlier.request, earlier.response)
        here = passed[one.spot.number]
        notes = () if cookies or _has_cookies(here) else (NO_COOKIES,)
        trials.append(_trial(one, here, prelude, plan, notes))
    return trials


def _trial(
    found: Found, passed: Passed, prelude: Prelude, plan: Plan, notes: tuple[str, ...]
) -> Trial:
    notes = (*passed.notes, *notes)
    if found.ui_only is not None:
        contract = bare_contract(passed.request, plan).model_copy(update={"imported": True})
        return Trial(found, seal_ui_only(contract, found.ui_only), (), (), notes)
    stripped = strip(
        passed.request,
        origin=plan.origin,
        action=plan.action,
        declared=plan.declared,
        prelude=prelude,
        readback=plan.readback,
        imported=True,
    )
    return Trial(found, _card(stripped), stripped.script_fields, stripped.unused_pins, notes)


def _card(stripped: Stripped) -> SealedCard | UiOnlyCard:
    if stripped.ui_only is not None:
        return seal_ui_only(stripped.contract, stripped.ui_only[:_MAX_REASON])
    return seal(stripped.contract)


def _has_cookies(passed: Passed) -> bool:
    answered = passed.response.headers if passed.response else ()
    return any(name in ("cookie", "set-cookie") for name, _ in (*passed.request.headers, *answered))


def _written(chosen: Trial, plan: Plan, remarks: tuple[str, ...]) -> Recorded:
    kept = keep(CardStore(plan.cards), chosen.card, None, ())
    notes = (
        *(() if chosen.found.succeeded else (NEVER_SUCCEEDED,)),
        *_next_step(chosen, plan),
        *(f"The pinned field {name} is not in the request." for name in chosen.unused_pins),
        *chosen.notes,
        *remarks,
        *kept.notes,
    )
    return Recorded(kept.card, kept.file, None, chosen.script_fields, notes)


def _next_step(chosen: Trial, plan: Plan) -> tuple[str, ...]:
    if isinstance(chosen.card, UiOnlyCard):
        return ()
    return (ONLY_SEALED,) if plan.readback else (NEVER_PROMOTED,)
