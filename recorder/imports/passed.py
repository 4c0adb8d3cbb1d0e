"""What a file of traffic holds of one origin, whatever the file's format.

Rules:
1. These hold captured values: they are read, judged, stripped, and never kept.
2. A file is scanned once from front to back. What may matter later is remembered by its place and
   read again, so that the memory needed does not grow with the file.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from recorder.tally import Tally
from recorder.traffic import RawRequest, RawResponse

READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "CONNECT"})
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of one exchange in the file.

    Attributes:
        number: of the entry in the file, from 1.
        start: offset of its first byte.
        end: offset behind its last byte.
    """

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, repr=False)
class Passed:
    """One request of the file, and its answer.

    Attributes:
        request: as far as the file has it.
        response: none where no answer came.
        refused: why this can't be imported as the action: one sentence without values, or none.
        sent: what the page sent over the WebSocket that this request opened.
        notes: what was decided in reading it, one sentence each, without values.
    """

    request: RawRequest
    response: RawResponse | None
    refused: str | None = None
    sent: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()


class Source(Protocol):
    """A file of traffic, seen from one origin.

    Attributes:
        tally: what was scanned so far.
        kind: what to call the file in a message.
    """

    tally: Tally
    kind: str

    def scan(self) -> Iterator[tuple[Spot, Passed | None]]:
        """What is of the origin, in the file's order.

        Requests that may change something come with what they are; of reads only the place, and
        only where their answer may issue a value.

        Raises:
            UsageError: the file is of another format, or damaged.
        """
        ...

    def again(self, spot: Spot) -> Passed:
        """Read one exchange once more."""
        ...

    def remarks(self) -> tuple[str, ...]:
        """What else there is to say of the file after a scan, one sentence each."""
        ...
