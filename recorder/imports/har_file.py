"""A HAR file as a source of traffic."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cards.errors import UsageError
from cards.origin import Origin
from recorder.imports.har import (
    may_issue,
    method_of,
    read_entry,
    sends_messages,
    target_of,
)
from recorder.imports.members import Members
from recorder.imports.passed import READS, Passed, Progress, Spot
from recorder.imports.streaming import HarStream, parse
from recorder.tally import Tally


class HarFile:
    """The entries of one origin in a HAR.

    Args:
        file: open for reading, and seekable.
        folder: where it lies, for bodies beside it.
        origin: the only one that is looked at.
        progress: told the number of bytes that were scanned.
    """

    kind = "HAR"

    def __init__(self, file: BinaryIO, folder: Path, origin: Origin, progress: Progress) -> None:
        self._file = file
        self._folder = folder
        self._origin = origin
        self._progress = progress
        self._stream = HarStream(file)
        self.tally = Tally()

    def scan(self) -> Iterator[tuple[Spot, Passed | None]]:
        """See ``Source``."""
        for entry in self._stream.entries():
            self._progress(entry.end)
            target = target_of(entry.value, self._origin)
            if target is None:
                self.tally.elsewhere += 1
                continue
            spot = Spot(entry.number, entry.start, entry.end)
            if method_of(entry.value) not in READS or sends_messages(entry.value):
                yield spot, self._passed(entry.value, target)
                continue
            self.tally.reads += 1
            if may_issue(entry.value):
                yield spot, None

    def again(self, spot: Spot) -> Passed:
        """See ``Source``."""
        self._file.seek(spot.start)
        entry = parse(self._file.read(spot.end - spot.start)) or {}
        target = target_of(entry, self._origin)
        if target is None:
            raise UsageError("The HAR changed while it was read.", "Import it again.")
        return self._passed(entry, target)

    def remarks(self) -> tuple[str, ...]:
        """See ``Source``."""
        number = self._stream.too_large
        return (_too_large(number),) if number else ()

    def _passed(self, entry: Members, target: str) -> Passed:
        creator = self._stream.creator
        return read_entry(entry, target, self._origin, creator=creator, folder=self._folder)


def _too_large(number: int) -> str:
    several = f"{number} entries larger than 16 MiB were"
    return f"{'1 entry larger than 16 MiB was' if number == 1 else several} not read."
