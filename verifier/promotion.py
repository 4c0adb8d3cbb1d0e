"""How evidence moves a card: the only importer of ``cards.transitions``."""

from datetime import datetime

from cards.card import ConfirmedCard, PromotedCard, SealedCard
from cards.transitions import fallen_back, with_failure, with_proof
from verifier.evidence import Evidence


def confirm(card: SealedCard, evidence: Evidence) -> ConfirmedCard:
    """The card after its readback rose around the recorded action.

    Raises:
        ValueError: the evidence does not prove, or a replay acted.
    """
    confirmed = with_proof(card, _proof(evidence, "ui").record())
    assert isinstance(confirmed, ConfirmedCard)
    return confirmed


def promote(card: SealedCard | ConfirmedCard | PromotedCard, evidence: Evidence) -> PromotedCard:
    """The card after its readback rose around a replay.

    Raises:
        ValueError: the evidence does not prove, or the page acted.
    """
    promoted = with_proof(card, _proof(evidence, "replay").record())
    assert isinstance(promoted, PromotedCard)
    return promoted


def note_failure(card: PromotedCard, reason: str, at: datetime) -> ConfirmedCard | PromotedCard:
    """The card after one more failed verification; the third running takes its promotion away."""
    return with_failure(card, reason, at)


def fall_back(card: PromotedCard, reason: str, at: datetime) -> ConfirmedCard:
    """The card without its promotion: its source, path or operation is gone."""
    return fallen_back(card, reason, at)


def _proof(evidence: Evidence, acted: str) -> Evidence:
    if not evidence.proves or evidence.acted != acted:
        raise ValueError(f"the evidence does not prove what {acted} did")
    return evidence
