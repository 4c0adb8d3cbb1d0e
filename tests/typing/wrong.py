"""Programs that must not type-check. Checked by mypy, run by nobody.

Each line holds one wrong program and the error that refuses it; ``warn_unused_ignores`` fails
the check as soon as one of them becomes possible.
"""

from datetime import datetime

from cards.card import ConfirmedCard, SealedCard, UiOnlyCard
from cards.holes import SlotRef
from cards.shapes import JsonBody, ObjectShape
from replay.attempt import Attempt
from replay.prepared import Prepared
from replay.send import send
from replay.wire import Wire
from verifier.evidence import Evidence
from verifier.outcome import Outcome, Success, exit_code
from verifier.promotion import confirm, note_failure, promote
from verifier.records import Count


def success_needs_evidence() -> Outcome:
    return Success("http 200")  # type: ignore[arg-type]


def evidence_needs_two_counts(before: Count) -> Evidence:
    return Evidence.between(before, None, "replay")  # type: ignore[arg-type]


def promotion_needs_evidence(card: ConfirmedCard) -> None:
    promote(card, True)  # type: ignore[arg-type]


def a_ui_only_card_is_never_promoted(card: UiOnlyCard, evidence: Evidence) -> None:
    promote(card, evidence)  # type: ignore[arg-type]


def a_sealed_card_cannot_fail_a_verification(card: SealedCard, at: datetime) -> None:
    note_failure(card, "reason", at)  # type: ignore[arg-type]


def a_confirmed_card_is_not_confirmed_again(card: ConfirmedCard, evidence: Evidence) -> None:
    confirm(card, evidence)  # type: ignore[arg-type]


async def a_send_needs_an_attempt(prepared: Prepared, wire: Wire) -> None:
    await send(prepared, None, wire)  # type: ignore[arg-type]


async def an_attempt_alone_sends_nothing(attempt: Attempt, wire: Wire) -> None:
    await send(attempt, attempt, wire)  # type: ignore[arg-type]


def a_body_holds_no_text() -> JsonBody:
    return JsonBody(kind="json", content=ObjectShape(object={"text": "zebra"}))  # type: ignore[dict-item]


def a_reference_holds_no_value() -> SlotRef:
    return SlotRef(slot="message", value="zebra")  # type: ignore[call-arg]


def an_outcome_is_no_number() -> int:
    return exit_code("success")  # type: ignore[arg-type]
