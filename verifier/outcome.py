"""How a replay ended: a closed union of nine classes (DESIGN section 6).

Rules:
1. ``Success`` is made from evidence that rose while no other record vanished or was written over,
   and from nothing else. An outcome's name is its class's; nobody gives it another.
2. Every function over outcomes is total: a tenth class fails the type check in each of them.
3. Messages say what happened and what was seen, never a value. What the site itself says is kept
   apart in ``site_says``, for Python callers: it is printed and written nowhere.
"""

from dataclasses import dataclass, field
from typing import Literal, assert_never

from verifier.evidence import Evidence

Sent = Literal["yes", "no", "unknown"]
NextStep = Literal["done", "retry_allowed", "look_first", "sign_in", "use_ui", "ask_person"]
LOOK_FIRST = "Look whether the record is there before you write again."


@dataclass(frozen=True, slots=True)
class Success:
    """The readback rose; it alone decides."""

    evidence: Evidence
    notes: tuple[str, ...] = ()
    outcome: Literal["success"] = field(default="success", init=False)

    def __post_init__(self) -> None:
        # Whatever merely looks like evidence is none: types alone do not stop a caller.
        if type(self.evidence) is not Evidence:
            raise TypeError("a success is made from evidence, and from nothing else")
        if not self.evidence.rose or self.evidence.vanished:
            raise ValueError("a success needs evidence that rose while no other record vanished")
        if self.evidence.spread:
            raise ValueError("a success needs evidence that no other record was written over")

    @property
    def message(self) -> str:
        before, after = self.evidence.before, self.evidence.after
        counts = f"{before.matching} → {after.matching} matching records"
        counts = f"{counts} ({before.total} → {after.total} in all)."
        changed = self.evidence.expect == "change" and self.evidence.proves
        return f"One record changed: {counts}" if changed else counts

    @property
    def way_out(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Simulated:
    """A rehearsal: everything was prepared and nothing was sent."""

    message: str = "Everything was prepared, and nothing was sent."
    way_out: str = ""
    outcome: Literal["simulated"] = field(default="simulated", init=False)


@dataclass(frozen=True, slots=True)
class LoginRequired:
    """401, a redirect to a login, or a login form instead of the answer."""

    message: str
    way_out: str = "Renew the login with reqcard login, then try again."
    was_sent: Sent = "no"
    evidence: Evidence | None = None
    outcome: Literal["login_required"] = field(default="login_required", init=False)


@dataclass(frozen=True, slots=True)
class ApplicationError:
    """The answer reports an error, and the count did not rise."""

    message: str
    status: int
    way_out: str = "Put the values right, then try again."
    site_says: str = ""
    evidence: Evidence | None = None
    outcome: Literal["application_error"] = field(default="application_error", init=False)


@dataclass(frozen=True, slots=True)
class HttpError:
    """4xx, and the count did not rise."""

    message: str
    status: int
    way_out: str = "Find out what the site refuses, then try again."
    site_says: str = ""
    evidence: Evidence | None = None
    outcome: Literal["http_error"] = field(default="http_error", init=False)


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """The server accepted it, and the count did not rise by the deadline."""

    message: str
    way_out: str = LOOK_FIRST
    evidence: Evidence | None = None
    outcome: Literal["unconfirmed"] = field(default="unconfirmed", init=False)


@dataclass(frozen=True, slots=True)
class Uncertain:
    """It may have been sent, and nobody can tell."""

    message: str
    way_out: str = LOOK_FIRST
    was_sent: Sent = "unknown"
    evidence: Evidence | None = None
    outcome: Literal["uncertain"] = field(default="uncertain", init=False)


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """Something is missing or wrong, and no request was sent."""

    message: str
    way_out: str = ""
    code: str = "NOT_APPLICABLE"
    outcome: Literal["not_applicable"] = field(default="not_applicable", init=False)


@dataclass(frozen=True, slots=True)
class UserDenied:
    """A person refused, or the approval expired."""

    message: str
    way_out: str = ""
    code: str = "USER_DENIED"
    outcome: Literal["user_denied"] = field(default="user_denied", init=False)


Outcome = (
    Success
    | Simulated
    | LoginRequired
    | ApplicationError
    | HttpError
    | Unconfirmed
    | Uncertain
    | NotApplicable
    | UserDenied
)


def exit_code(outcome: Outcome) -> int:
    """The process exit status of DESIGN section 6."""
    match outcome:
        case Success() | Simulated():
            return 0
        case LoginRequired():
            return 10
        case ApplicationError():
            return 11
        case HttpError():
            return 12
        case Unconfirmed():
            return 13
        case Uncertain():
            return 14
        case NotApplicable():
            return 15
        case UserDenied():
            return 16
        case _:
            assert_never(outcome)


def sent(outcome: Outcome) -> Sent:
    """Whether the decisive request was sent."""
    match outcome:
        case Success() | ApplicationError() | HttpError() | Unconfirmed():
            return "yes"
        case LoginRequired() | Uncertain():
            return outcome.was_sent
        case Simulated() | NotApplicable() | UserDenied():
            return "no"
        case _:
            assert_never(outcome)


def next_step(outcome: Outcome) -> NextStep:
    """What the caller may do next."""
    match outcome:
        case Success() | Simulated():
            return "done"
        case LoginRequired():
            return "sign_in"
        case ApplicationError() | HttpError():
            return "retry_allowed"
        case Unconfirmed() | Uncertain():
            return "look_first"
        case NotApplicable():
            return "use_ui"
        case UserDenied():
            return "ask_person"
        case _:
            assert_never(outcome)


def look_first(outcome: Outcome) -> bool:
    """Whether the caller must look before it writes again."""
    return next_step(outcome) == "look_first"


def error_code(outcome: Outcome) -> str:
    """The stable upper-case name that programs match on."""
    match outcome:
        case NotApplicable() | UserDenied():
            return outcome.code
        case Success() | Simulated() | LoginRequired() | ApplicationError() | HttpError():
            return outcome.outcome.upper()
        case Unconfirmed() | Uncertain():
            return outcome.outcome.upper()
        case _:
            assert_never(outcome)


def evidence_of(outcome: Outcome) -> Evidence | None:
    """The counts that the outcome rests on, or none."""
    match outcome:
        case Simulated() | NotApplicable() | UserDenied():
            return None
        case Success() | LoginRequired() | ApplicationError() | HttpError():
            return outcome.evidence
        case Unconfirmed() | Uncertain():
            return outcome.evidence
        case _:
            assert_never(outcome)
