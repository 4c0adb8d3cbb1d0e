"""Files that a request sends, streamed from disk and never read whole.

Rules:
1. A file is opened when the request is built and stays the same open file until it is sent: what
   was counted, fingerprinted and announced by its length is what goes out.
2. A file that shrank meanwhile breaks the send; nothing is filled in for it.
"""

import asyncio
import mimetypes
import os
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import BinaryIO

from cards.errors import BadSlot

_CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class Upload:
    """An open file and what is said of it.

    Attributes:
        size: bytes that are sent.
        stamp: time of its last change, in nanoseconds.
    """

    name: str = field(repr=False)
    size: int
    stamp: int
    _file: BinaryIO = field(repr=False)

    @classmethod
    def opened(cls, slot: str, path: PurePath) -> "Upload":
        """The file of a slot.

        Raises:
            BadSlot: it can't be read.
        """
        try:
            file = open(path, "rb")  # noqa: SIM115, PTH123  (it stays open until it is sent)
        except OSError as error:
            raise BadSlot(
                f"The file of {slot} can't be read ({type(error).__name__}).",
                "Give the path of a file that you may read.",
            ) from None
        status = os.fstat(file.fileno())
        return cls(path.name, status.st_size, status.st_mtime_ns, file)

    @property
    def media_type(self) -> str:
        """What the file's name says, as browsers guess it."""
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"

    async def chunks(self) -> AsyncIterator[bytes]:
        """The file's bytes, read in other threads.

        Raises:
            OSError: it is shorter than it was.
        """
        left = self.size
        try:
            await asyncio.to_thread(self._file.seek, 0)
            while left:
                chunk = await asyncio.to_thread(self._file.read, min(_CHUNK, left))
                if not chunk:
                    raise OSError("the file became shorter while it was sent")
                left -= len(chunk)
                yield chunk
        finally:
            self._file.close()


Piece = bytes | Upload


@dataclass(frozen=True, slots=True)
class Pieces:
    """A body of text and files, in order."""

    pieces: tuple[Piece, ...] = field(repr=False)

    @property
    def size(self) -> int:
        """Bytes of the whole body."""
        return sum(p.size if isinstance(p, Upload) else len(p) for p in self.pieces)

    def marks(self) -> Iterable[bytes]:
        """What tells this body from another, without reading its files."""
        for piece in self.pieces:
            yield piece if isinstance(piece, bytes) else f"{piece.size}:{piece.stamp}".encode()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body's bytes."""
        for piece in self.pieces:
            if isinstance(piece, bytes):
                yield piece
            else:
                async for chunk in piece.chunks():
                    yield chunk


Body = bytes | Pieces


def size_of(body: Body) -> int:
    """Bytes of a body."""
    return len(body) if isinstance(body, bytes) else body.size
