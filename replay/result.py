"""The one form of every answer: of the command line, of MCP and of Python.

Rules:
1. An agent never has to read prose to know whether something was sent and what it may do next.
"""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from cards.errors import UserError
from verifier.outcome import (
    NotApplicable,
    Outcome,
    Simulated,
    Success,
    error_code,
    evidence_of,
    exit_code,
    look_first,
    next_step,
    sent,
)


def new_call_id() -> str:
    """A new identity for one call."""
    return str(uuid4())


@dataclass(frozen=True, slots=True)
class Result:
    """How one replay ended.

    Attributes:
        call_id: the call's identity, also in the audit.
        outcome: one of the nine of DESIGN section 6; ``match`` on it.
        action: the card's action, as it was asked for.
        dry_run: whether it was a rehearsal.
        promoted: whether this replay promoted its card.
        warnings: what else a person should know.
    """

    call_id: str
    outcome: Outcome
    action: str
    dry_run: bool = False
    promoted: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """The process exit status."""
        return exit_code(self.outcome)

    def as_json(self) -> dict[str, Any]:
        """The envelope."""
        ok = isinstance(self.outcome, Success | Simulated)
        told = self._told()
        if ok:
            return {"callId": self.call_id, "content": {"ok": True, "data": told}}
        error = {"ok": False, "error": error_code(self.outcome), **told}
        return {"callId": self.call_id, "content": error}

    def _told(self) -> dict[str, Any]:
        outcome = self.outcome
        evidence = evidence_of(outcome)
        notes = list(outcome.notes) if isinstance(outcome, Success) else []
        return {
            "action": self.action,
            "outcome": outcome.outcome,
            "message": outcome.message,
            "wayOut": outcome.way_out,
            "sent": sent(outcome),
            "next": next_step(outcome),
            "lookFirst": look_first(outcome),
            "evidence": None if evidence is None else evidence.as_json(),
            "dry_run": self.dry_run,
            "promoted": self.promoted,
            "notes": [*notes, *self.warnings],
        }


def envelope(data: Any) -> dict[str, Any]:
    """The envelope of any other answer."""
    return {"callId": new_call_id(), "content": {"ok": True, "data": data}}


def error_envelope(error: UserError) -> dict[str, Any]:
    """The envelope of a user's mistake; nothing was sent."""
    told = {
        "error": error.code,
        "message": error.message,
        "wayOut": error.way_out,
        "sent": "no",
        "next": "use_ui",
    }
    return {"callId": new_call_id(), "content": {"ok": False, **told, **error.details}}


def refused(error: UserError) -> NotApplicable:
    """A user's mistake as the outcome of a replay."""
    return NotApplicable(error.message, error.way_out, code=error.code)
