"""How a card moves from one state to the next.

Rules:
1. Only the verifier's ``promotion`` imports this module (import-linter: *protected*): it alone
   holds evidence, from which it makes the records that are added here.
2. Every move is a new card; the contract and its digest never change.
"""

from datetime import datetime

from cards.card import (
    FAILURES_UNTIL_FALL_BACK,
    Card,
    CardFile,
    ConfirmedCard,
    EvidenceRecord,
    FallBack,
    PromotedCard,
    SealedCard,
    card_of,
)


def with_proof(card: SealedCard | ConfirmedCard | PromotedCard, proof: EvidenceRecord) -> Card:
    """The card with a new proof in the place of the last one by the same actor."""
    others = tuple(old for old in card.file.evidence if old.acted != proof.acted)
    fell_back = None if proof.acted == "replay" else card.file.fell_back
    return _changed(card, evidence=(*others, proof), failures=0, fell_back=fell_back)


def with_failure(card: PromotedCard, reason: str, at: datetime) -> ConfirmedCard | PromotedCard:
    """The card after one more failed verification: the third running takes its promotion away."""
    failures = card.file.failures + 1
    if failures >= FAILURES_UNTIL_FALL_BACK:
        return fallen_back(card, f"{failures} verifications failed running, the last: {reason}", at)
    changed = _changed(card, failures=failures)
    assert isinstance(changed, PromotedCard)
    return changed


def fallen_back(card: PromotedCard, reason: str, at: datetime) -> ConfirmedCard:
    """The card without its promotion, and why."""
    kept = tuple(proof for proof in card.file.evidence if proof.acted != "replay")
    changed = _changed(card, evidence=kept, failures=0, fell_back=FallBack(reason=reason, at=at))
    assert isinstance(changed, ConfirmedCard)
    return changed


def _changed(card: Card, **members: object) -> Card:
    return card_of(CardFile.model_validate({**dict(card.file), **members}))
