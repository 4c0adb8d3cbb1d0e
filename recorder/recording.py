"""The recording as a machine without I/O: events in, commands out.

Rules:
1. Everything that moves the state lives here, and the table below is all of it: a move that is not
   in the table is an error of whoever feeds the machine.
2. No candidate is released that is not sealed, as long as the seal is armed: the only ``Release``
   of an unsealed one comes when the recording is over, or when not even a reason can be written.
3. Once a candidate is out, the next is held until the readback rose or the hold is over, so that
   the counts can tell the two apart.
4. Once it is decided or ended, everything passes: the recorder never keeps a page waiting for
   nothing.
"""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from recorder.events import (
    Answered,
    AnswerOverdue,
    AwaitAnswer,
    Command,
    EndAsked,
    Event,
    Hold,
    HoldOver,
    NotRisen,
    NotWritten,
    Offered,
    Release,
    Rose,
    Seal,
    SealAsked,
    Sealed,
    SealFailed,
    Settle,
    StopWatching,
    Watch,
    WriteUiOnly,
)


class State(StrEnum):
    """Where a recording stands."""

    WATCHING = "watching"
    """The author has not armed the seal."""
    ARMED = "armed"
    """The next candidate is sealed."""
    SEALING = "sealing"
    """A candidate stands at the door and its card is being written."""
    OUT = "out"
    """A sealed candidate was released; its answer is awaited."""
    COUNTING = "counting"
    """The answer came; the readback is asked."""
    DECIDED = "decided"
    """The readback rose."""
    ENDED = "ended"
    """The recording ended with what it had."""


TRANSITIONS: dict[State, dict[type[Event], State]] = {
    State.WATCHING: {
        SealAsked: State.ARMED,
        Offered: State.WATCHING,
        EndAsked: State.ENDED,
    },
    State.ARMED: {
        SealAsked: State.ARMED,
        Offered: State.SEALING,
        EndAsked: State.ENDED,
    },
    State.SEALING: {
        SealAsked: State.SEALING,
        Offered: State.SEALING,
        HoldOver: State.SEALING,
        Answered: State.SEALING,
        AnswerOverdue: State.SEALING,
        NotRisen: State.SEALING,
        SealFailed: State.SEALING,
        Sealed: State.OUT,
        Rose: State.DECIDED,
        NotWritten: State.ENDED,
    },
    State.OUT: {
        SealAsked: State.OUT,
        Offered: State.OUT,
        HoldOver: State.SEALING,
        Answered: State.COUNTING,
        AnswerOverdue: State.COUNTING,
        EndAsked: State.ENDED,
    },
    State.COUNTING: {
        SealAsked: State.COUNTING,
        Offered: State.COUNTING,
        HoldOver: State.SEALING,
        Answered: State.COUNTING,
        AnswerOverdue: State.COUNTING,
        Rose: State.DECIDED,
        NotRisen: State.ARMED,
        EndAsked: State.ENDED,
    },
    State.DECIDED: dict.fromkeys((SealAsked, Offered, EndAsked), State.DECIDED),
    State.ENDED: dict.fromkeys((SealAsked, Offered, EndAsked), State.ENDED),
}

OVER = (State.DECIDED, State.ENDED)


class IllegalEventError(RuntimeError):
    """The machine was fed an event that its state has no move for: a bug of the feeder."""


@dataclass(slots=True)
class _Candidate:
    key: int
    hinted: bool
    digest: str = ""
    ruled_out: bool = False


class Machine:
    """One recording.

    Args:
        automatic: the seal is armed from the start.

    Attributes:
        state: where it stands.
        overlapped: one plain candidate left while the count after another was still open.
        missed: candidates that passed before the seal was armed.
    """

    def __init__(self, *, automatic: bool) -> None:
        self.state = State.ARMED if automatic else State.WATCHING
        self.overlapped = False
        self.missed = 0
        self._held: deque[_Candidate] = deque()
        self._hold_over: set[int] = set()
        self._current: _Candidate | None = None
        self._open: int | None = None
        self._sealed: list[_Candidate] = []

    @property
    def sealed(self) -> tuple[int, ...]:
        """The candidates whose cards are on disk, in order."""
        return tuple(candidate.key for candidate in self._sealed)

    @property
    def waits_for_nothing(self) -> bool:
        """Over, or something is sealed and neither an answer nor a count nor a hold is open."""
        return self.state in OVER or (self.state == State.ARMED and bool(self._sealed))

    def send(self, event: Event) -> list[Command]:
        """Move by one event.

        Returns:
            what is to be done, in this order.

        Raises:
            IllegalEventError: the table has no such move.
        """
        if self._is_stale(event):
            return []
        after = TRANSITIONS[self.state].get(type(event))
        if after is None:
            raise IllegalEventError(f"{type(event).__name__} while {self.state}")
        before, self.state = self.state, after
        return [*self._react(before, event), *self._next_in_line()]

    def _is_stale(self, event: Event) -> bool:
        # Timers and answers of candidates that are no longer waited for come late by nature.
        match event:
            case HoldOver(key):
                return all(held.key != key for held in self._held)
            case Answered(key) | AnswerOverdue(key) | NotRisen(key):
                return self.state in OVER or self._open != key
            case Rose(key):
                return self.state in OVER or key not in self.sealed
            case Sealed(key) | SealFailed(key) | NotWritten(key):
                return self._current is None or self._current.key != key
            case _:
                return False

    def _react(self, before: State, event: Event) -> list[Command]:  # noqa: C901 (one match, total)
        match event:
            case SealAsked():
                return []
            case Offered(key, hinted):
                return self._offered(_Candidate(key, hinted))
            case HoldOver(key):
                self._hold_over.add(key)
                return [] if before == State.SEALING else self._seal_overlapping()
            case SealFailed(key, reason):
                return [WriteUiOnly(key, reason)]
            case Sealed(_, digest):
                return self._let_out(digest)
            case Answered(key) | AnswerOverdue(key):
                return [Watch(key)] if before == State.OUT else []
            case NotRisen():
                self._rule_out()
                return []
            case Rose():
                return [StopWatching(), *self._let_all_go(), self._verdict(confirmed=True)]
            case NotWritten():
                return [StopWatching(), *self._let_all_go(), Settle(None)]
            case EndAsked():
                if before in OVER:
                    return []
                return [StopWatching(), *self._let_all_go(), self._verdict(confirmed=False)]
            case _:
                assert_never(event)

    def _offered(self, candidate: _Candidate) -> list[Command]:
        if self.state == State.WATCHING:
            self.missed += 1
        if self.state in (State.WATCHING, *OVER):
            return [Release(candidate.key)]
        if self._current is None and self._open is None:
            self._current = candidate
            return [Seal(candidate.key)]
        briefly = not candidate.hinted and self._only_hinted_are_ahead()
        self._held.append(candidate)
        return [Hold(candidate.key, briefly)]

    def _only_hinted_are_ahead(self) -> bool:
        at_the_door = () if self._current is None else (self._current,)
        return all(one.hinted for one in (*self._sealed, *at_the_door, *self._held))

    def _seal_overlapping(self) -> list[Command]:
        self._current = self._held.popleft()
        earlier = next(one for one in self._sealed if one.key == self._open)
        # Telemetry is not believed before a plain candidate anyway, so nothing is left open.
        self.overlapped |= not (earlier.hinted or self._current.hinted)
        return [StopWatching(), Seal(self._current.key, since=self._open)]

    def _let_out(self, digest: str) -> list[Command]:
        assert self._current is not None
        candidate, self._current = self._current, None
        candidate.digest = digest
        self._sealed.append(candidate)
        self._open = candidate.key
        return [Release(candidate.key), AwaitAnswer(candidate.key)]

    def _rule_out(self) -> None:
        # Every rise until now would have been seen, so none of the earlier ones made one.
        self._open = None
        for candidate in self._sealed:
            candidate.ruled_out = True

    def _let_all_go(self) -> list[Command]:
        waiting = [*((self._current,) if self._current else ()), *self._held]
        self._current, self._open = None, None
        self._held.clear()
        return [Release(candidate.key) for candidate in waiting]

    def _next_in_line(self) -> list[Command]:
        if not self._held:
            return []
        if self.state == State.ARMED:
            candidate = self._held.popleft()
            return self.send(Offered(candidate.key, candidate.hinted))
        if self.state in (State.OUT, State.COUNTING) and self._held[0].key in self._hold_over:
            return self.send(HoldOver(self._held[0].key))
        return []

    def _verdict(self, *, confirmed: bool) -> Settle:
        kept = self._risen() if confirmed else self._only_one()
        if kept is None:
            return Settle(None)
        rivals = (other.key for other in self._sealed if other.digest != kept.digest)
        return Settle(kept.key, confirmed=confirmed, rivals=tuple(rivals))

    def _risen(self) -> _Candidate:
        possible = [candidate for candidate in self._sealed if not candidate.ruled_out]
        plain = [candidate for candidate in possible if not candidate.hinted]
        return (plain or possible or self._sealed)[-1]

    def _only_one(self) -> _Candidate | None:
        for group in (self._sealed, [one for one in self._sealed if not one.hinted]):
            if len({candidate.digest for candidate in group}) == 1:
                return group[-1]
        return None
