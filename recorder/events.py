"""What happens to a recording (events) and what it wants done (commands), as frozen records.

Rules:
1. A candidate is a number here. What was captured stays with whoever carries the commands out, so
   nothing in this file can hold a value.
2. An event says what happened; it never says what to do about it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SealAsked:
    """The author armed the seal."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A request that could be the decisive one stands at the door and has not left.

    Attributes:
        key: the candidate's number.
        hinted: it looks like telemetry, so another candidate is believed before it.
    """

    key: int
    hinted: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """The candidate's card is on disk, fsynced."""

    key: int
    digest: str


@dataclass(frozen=True, slots=True)
class SealFailed:
    """Sealing went wrong; ``reason`` names the kind of error and holds no value."""

    key: int
    reason: str


@dataclass(frozen=True, slots=True)
class NotWritten:
    """Not even a card with the reason could be written."""

    key: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The candidate's answer came, or it is certain that none will."""

    key: int


@dataclass(frozen=True, slots=True)
class AnswerOverdue:
    """The candidate's answer takes so long that the counting starts without it."""

    key: int


@dataclass(frozen=True, slots=True)
class Rose:
    """The readback changed as expected since the candidate was sealed."""

    key: int


@dataclass(frozen=True, slots=True)
class NotRisen:
    """The readback was asked until its deadline, or can't be asked, and did not change."""

    key: int


@dataclass(frozen=True, slots=True)
class HoldOver:
    """The candidate was held for as long as a page may be kept waiting."""

    key: int


@dataclass(frozen=True, slots=True)
class EndAsked:
    """The recording ends with what it has."""


Event = (
    SealAsked
    | Offered
    | Sealed
    | SealFailed
    | NotWritten
    | Answered
    | AnswerOverdue
    | Rose
    | NotRisen
    | HoldOver
    | EndAsked
)


@dataclass(frozen=True, slots=True)
class Seal:
    """Strip the candidate, count, write its card; then say ``Sealed``, ``SealFailed`` or ``Rose``.

    Attributes:
        key: the candidate's number.
        since: an earlier candidate whose count is still open: if the count before this one shows
            its rise, that is the answer and nothing is written.
    """

    key: int
    since: int | None = None


@dataclass(frozen=True, slots=True)
class WriteUiOnly:
    """Write a card that says why it stays on the UI path; then ``Sealed`` or ``NotWritten``."""

    key: int
    reason: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep the candidate at the door, and say ``HoldOver`` when that takes too long.

    Attributes:
        key: the candidate's number.
        briefly: what is out looks like telemetry and this does not, so one count is enough.
    """

    key: int
    briefly: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """Let the request go, untouched."""

    key: int


@dataclass(frozen=True, slots=True)
class AwaitAnswer:
    """Say ``Answered``, or ``AnswerOverdue`` when that takes too long."""

    key: int


@dataclass(frozen=True, slots=True)
class Watch:
    """Ask the readback until it changes or its deadline; then ``Rose`` or ``NotRisen``."""

    key: int


@dataclass(frozen=True, slots=True)
class StopWatching:
    """Ask the readback no more."""


@dataclass(frozen=True, slots=True)
class Settle:
    """The recording is over: keep one candidate's card, drop its rivals' files.

    Attributes:
        kept: the candidate that is the action, or none where that can't be told.
        confirmed: the readback rose after it.
        rivals: the other candidates whose files go.
    """

    kept: int | None
    confirmed: bool = False
    rivals: tuple[int, ...] = ()


Command = Seal | WriteUiOnly | Hold | Release | AwaitAnswer | Watch | StopWatching | Settle
