"""What a person did wrong, said so that they can put it right.

UserError
├── BadOrigin          an origin or URL that is not one, or not the card's
├── BadReadback        the author's readback form
├── BadCard            a card file that cannot be trusted or read
├── UnknownCard        no card of that name
├── BadSlot            slot names, types and values
├── BadPin             a pin that looks like a secret or fits no field
├── BadLogin           a login file or browser that gives no login
├── AuditUnavailable   the audit's database can't be read or written
├── NotUsable          the card's state forbids what was asked
├── NothingCaptured    a recording that sealed no card
├── AmbiguousAction    a recording in which several requests could be the one
├── NoBrowser          no Chromium to be found
└── UsageError         everything else about the command line

Rules:
1. Errors are for what the *caller* did wrong; what the world did is a value (an outcome).
2. A message names what happened and what was seen; ``way_out`` names what to do. Neither ever holds
   a captured value, a cookie, a token or a slot's value.
"""

from typing import ClassVar, override

NOT_APPLICABLE_EXIT = 15
USAGE_EXIT = 2


class UserError(Exception):
    """The root: refuses to be raised itself.

    Attributes:
        message: what happened, in one sentence, without values.
        way_out: what the reader can do next, or an empty string.
        code: the stable upper-case name that programs match on.
        exit_code: the process exit status (DESIGN section 6).
        details: further members of the JSON envelope, without values.
    """

    code: ClassVar[str] = ""
    exit_code: ClassVar[int] = USAGE_EXIT

    def __init__(self, message: str, way_out: str = "") -> None:
        if type(self) is UserError:
            raise TypeError("raise one of the leaves of UserError, not the root")
        super().__init__(message)
        self.message = message
        self.way_out = way_out
        self.details: dict[str, object] = {}

    @override
    def __str__(self) -> str:
        return f"{self.message} {self.way_out}".rstrip()


class BadOrigin(UserError):
    """A text that is no usable origin or URL, or that belongs to another origin."""

    code = "BAD_ORIGIN"


class BadReadback(UserError):
    """A readback form that is not JSON, has unknown members, or points elsewhere."""

    code = "BAD_READBACK"


class BadCard(UserError):
    """A card file that is unreadable, of another format, or changed after its seal."""

    code = "BAD_CARD"
    exit_code = NOT_APPLICABLE_EXIT


class UnknownCard(UserError):
    """No card of that name in the directory."""

    code = "UNKNOWN_CARD"
    exit_code = NOT_APPLICABLE_EXIT


class BadSlot(UserError):
    """A slot that is unknown, missing, or holds a value of another type."""

    code = "BAD_SLOT"
    exit_code = NOT_APPLICABLE_EXIT


class BadPin(UserError):
    """A pin that looks like a secret, or that names no field of the card."""

    code = "BAD_PIN"


class BadLogin(UserError):
    """A login that is missing, unreadable, or for another origin."""

    code = "BAD_LOGIN"
    exit_code = NOT_APPLICABLE_EXIT


class AuditUnavailable(UserError):
    """The audit's database can't be opened, read or written; nothing is sent without it."""

    code = "AUDIT_UNAVAILABLE"
    exit_code = NOT_APPLICABLE_EXIT


class NotUsable(UserError):
    """The card's state does not allow what was asked of it."""

    code = "NOT_USABLE"
    exit_code = NOT_APPLICABLE_EXIT


class NothingCaptured(UserError):
    """A recording ended and no request had been sealed."""

    code = "NOTHING_CAPTURED"
    exit_code = NOT_APPLICABLE_EXIT


class AmbiguousAction(UserError):
    """Several requests could be the decisive one and no count told them apart."""

    code = "AMBIGUOUS_ACTION"
    exit_code = NOT_APPLICABLE_EXIT


class NoBrowser(UserError):
    """No Chromium was found, or it did not start."""

    code = "NO_BROWSER"


class UsageError(UserError):
    """A wrong argument, a missing file, a port in use."""

    code = "USAGE"
