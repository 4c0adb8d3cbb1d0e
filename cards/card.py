"""A card and its state, which is computed from its evidence and stored nowhere.

Rules:
1. A state is a class. What takes a ``PromotedCard`` cannot be given a sealed one.
2. The file's evidence is a record of what the verifier found. Only ``cards.transitions`` adds
   one, and only the verifier may import it. An evidence block written by hand into a file in git
   stays possible: review is the guard there.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field, StringConstraints, model_validator

from cards.contract import Contract
from cards.model import Frozen
from cards.shapes import OpaqueBody

State = Literal["sealed", "confirmed", "promoted", "ui_only"]
FAILURES_UNTIL_FALL_BACK = 3


class CountRecord(Frozen):
    """One count: matching records and all records seen, and when."""

    matching: Annotated[int, Field(ge=0)]
    total: Annotated[int, Field(ge=0)]
    at: AwareDatetime


class EvidenceRecord(Frozen):
    """Counts before and after, and what acted between them."""

    acted: Literal["ui", "replay"]
    before: CountRecord
    after: CountRecord


class FallBack(Frozen):
    """Why and when a promoted card went back to confirmed."""

    reason: str
    at: AwareDatetime


class CardFile(Frozen):
    """What stands in a card's file.

    Attributes:
        digest: of the contract; a file whose digest does not match is refused.
        ui_only: why the card stays on the UI path, or none.
        evidence: the last proof by the recorded UI action and the last one by a replay.
        failures: verifications that failed, one after another, since the last success.
        fell_back: set when a promoted card lost its promotion.
    """

    format: Literal[1]
    digest: Annotated[str, StringConstraints(pattern="^sha256:[0-9a-f]{64}$")]
    contract: Contract
    ui_only: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None
    evidence: Annotated[tuple[EvidenceRecord, ...], Field(max_length=2)] = ()
    failures: Annotated[int, Field(ge=0)] = 0
    fell_back: FallBack | None = None

    @model_validator(mode="after")
    def _digest_matches(self) -> Self:
        if self.digest != self.contract.digest():
            raise ValueError("the digest does not match: the contract was changed after its seal")
        if isinstance(self.contract.body, OpaqueBody) and self.ui_only is None:
            raise ValueError("a card with an opaque body can only stay on the UI path")
        return self


@dataclass(frozen=True, slots=True)
class _Card:
    """Caution: made by ``seal``, ``seal_ui_only`` and ``card_of``."""

    file: CardFile

    @property
    def contract(self) -> Contract:
        return self.file.contract

    @property
    def action(self) -> str:
        return self.file.contract.action

    @property
    def digest(self) -> str:
        return self.file.digest

    def evidence_of(self, acted: Literal["ui", "replay"]) -> EvidenceRecord | None:
        """The last proof by that actor, or none."""
        return next((proof for proof in self.file.evidence if proof.acted == acted), None)


@dataclass(frozen=True, slots=True)
class SealedCard(_Card):
    """Recorded or imported; nothing has shown yet that its request does what it should."""

    state: Literal["sealed"] = "sealed"


@dataclass(frozen=True, slots=True)
class ConfirmedCard(_Card):
    """The readback rose around the recorded UI action."""

    state: Literal["confirmed"] = "confirmed"


@dataclass(frozen=True, slots=True)
class PromotedCard(_Card):
    """The readback rose around a replay: agents may call it."""

    state: Literal["promoted"] = "promoted"


@dataclass(frozen=True, slots=True)
class UiOnlyCard(_Card):
    """Recorded honestly, with a reason, and never replayed."""

    state: Literal["ui_only"] = "ui_only"

    @property
    def reason(self) -> str:
        return self.file.ui_only or ""


Card = SealedCard | ConfirmedCard | PromotedCard | UiOnlyCard


def seal(contract: Contract) -> SealedCard:
    """The new card of a contract, without evidence."""
    return SealedCard(CardFile(format=1, digest=contract.digest(), contract=contract))


def seal_ui_only(contract: Contract, reason: str) -> UiOnlyCard:
    """The new card of an action that can't be replayed.

    Args:
        contract: as much as is known of the request.
        reason: one sentence, without values.
    """
    return UiOnlyCard(
        CardFile(format=1, digest=contract.digest(), contract=contract, ui_only=reason)
    )


def card_of(file: CardFile) -> Card:
    """The card of a file, in the state that its evidence gives it."""
    if file.ui_only is not None:
        return UiOnlyCard(file)
    proofs = {proof.acted for proof in file.evidence}
    if "replay" in proofs:
        return PromotedCard(file)
    if "ui" in proofs or file.fell_back is not None:
        return ConfirmedCard(file)
    return SealedCard(file)
