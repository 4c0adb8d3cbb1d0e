"""What a recording leaves, as Python and as JSON.

Rules:
1. Names, counts and fixed sentences only.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards.card import Card, UiOnlyCard
from recorder.explaining import Explained
from verifier import Evidence


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording that sealed a card.

    Attributes:
        card: in its final state.
        file: where it lies.
        evidence: the counts around the recorded action, or none where there are not two.
        script_fields: typed slots that the author did not declare, named after their field.
        notes: what else there is to say, one sentence each; first why it is not confirmed.
        explained: what each request was taken for, or none where nobody asked.
    """

    card: Card
    file: Path
    evidence: Evidence | None
    script_fields: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    explained: tuple[Explained, ...] | None = None

    @property
    def reason(self) -> str | None:
        """Why the card is no more than it is, or none."""
        first = (self.card.reason,) if isinstance(self.card, UiOnlyCard) else ()
        return " ".join((*first, *self.notes)) or None

    def as_json(self) -> dict[str, Any]:
        """The ``data`` of the command line's envelope."""
        contract = self.card.contract
        explained = self.explained
        lines = {} if explained is None else {"explained": [one.as_json() for one in explained]}
        return {
            "card": self.card.action,
            "file": str(self.file),
            "state": self.card.state,
            "slots": {
                name: slot.model_dump(mode="json", exclude_defaults=True) | {"type": slot.type}
                for name, slot in contract.slots.items()
            },
            "unresolved": list(contract.unresolved),
            "scriptFields": list(self.script_fields),
            "evidence": None if self.evidence is None else self.evidence.as_json(),
            "reason": self.reason,
            **lines,
        }

    def line(self) -> str:
        """One line for a person."""
        if self.evidence is None:
            return f"sealed before sending, {self.card.state}"
        before, after = self.evidence.before, self.evidence.after
        return (
            f"sealed before sending, {self.card.state}: {before.matching} → {after.matching} "
            f"matching records ({before.total} → {after.total} in all)"
        )
