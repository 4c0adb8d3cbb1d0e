"""The entries of a HAR one at a time, in bounded memory, whatever the file's size and white space.

Rules:
1. An object's text is no prefix of another object's: bytes that begin where an entry begins and
   parse whole are that entry. So where one ends may be guessed, and the parser is the proof.
2. The guess is ``}, {"startedDateTime"`` and its like. Raw quotes stand around strings only, so it
   can't match inside one. Where it fails, the standard library's scanner reads token by token.
3. An entry larger than 16 MiB is counted and skipped, never held: no card and no source of a live
   value is so large.
4. The file is read to its last bracket: one that was cut off is an error, not a shorter file.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from cards.errors import UsageError

MAX_ENTRY = 16 * 1024 * 1024
_CHUNK = 1024 * 1024
_MOST = 4 * 1024 * 1024
_FIRST_TRY = 64 * 1024
_OVERLAP = 256
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SPACE = re.compile(rb"[ \t\r\n]*")
_STRUCTURE = re.compile(rb'["{}\[\]]')
# Keys that the exporters put first: those of the format (HAR 1.2) and their own, marked by "_".
_BOUNDARY = re.compile(
    rb'\}[ \t\r\n]*,[ \t\r\n]*\{[ \t\r\n]*"(?:_\w+|cache|comment|connection|pageref|request|'
    rb'response|serverIPAddress|startedDateTime|time|timings)"'
)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, repr=False)
class Located:
    """One entry, its number from 1, and the bytes of the file that it stands at."""

    number: int
    start: int
    end: int
    value: dict[str, Any]


class _CutShort(Exception):
    """The text ends, or is no JSON, before the value does."""


class HarStream:
    """Reads a HAR once, from front to back.

    Args:
        file: at its beginning.
        max_entry: bytes of an entry that are held at most.

    Attributes:
        creator: the name of the program that wrote the file, once it has been read.
        too_large: how many entries were skipped for their size.
    """

    def __init__(self, file: BinaryIO, max_entry: int = MAX_ENTRY) -> None:
        self._window = _Window(file)
        self._max = max_entry
        self._unmarked = 0
        self.creator = ""
        self.too_large = 0
        self._number = 0

    def entries(self) -> Iterator[Located]:
        """Every object in ``log.entries``, in the file's order.

        Raises:
            UsageError: the file is no HAR, or was cut off.
        """
        try:
            yield from self._entries()
        except _CutShort:
            raise self._damaged() from None

    def _entries(self) -> Iterator[Located]:
        _skip_mark(self._window)
        if self._window.peek() != b"{":
            raise _no_har()
        found = False
        for name in self._members():
            if name == "log" and not found and self._window.peek() == b"{":
                for inner in self._members():
                    found |= inner == "entries"
                    yield from self._member_of_log(inner)
            else:
                self._value()
        if not found:
            raise _no_har()
        if self._window.peek():
            raise self._damaged()

    def _member_of_log(self, name: str) -> Iterator[Located]:
        if name == "entries":
            yield from self._items()
            return
        value = self._value()
        if name == "creator" and isinstance(value, dict):
            self.creator = str(value.get("name", ""))

    def _members(self) -> Iterator[str]:
        """The names of an object's members; whoever asks reads the value before the next."""
        self._expect(b"{")
        if self._window.take(b"}"):
            return
        while True:
            if self._window.peek() != b'"':
                raise self._damaged()
            name = self._value()
            self._expect(b":")
            yield name
            if self._window.take(b"}"):
                return
            self._expect(b",")

    def _items(self) -> Iterator[Located]:
        if not self._window.take(b"["):
            raise _no_har()
        if self._window.take(b"]"):
            return
        while True:
            if self._window.peek() == b"{":
                self._number += 1
                entry = self._entry()
                if entry is not None:
                    yield entry
            else:
                self._value()
            if self._window.take(b"]"):
                return
            self._expect(b",")

    def _entry(self) -> Located | None:
        window = self._window
        start = window.offset
        guess = self._guess()
        value = None if guess is None else parse(guess)
        if guess is not None and value is not None:
            window.at += len(guess)
        else:
            try:
                value = self._value()
            except _CutShort:
                self._skip(start)
                return None
        return Located(self._number, start, window.offset, value)

    def _guess(self) -> bytes | None:
        """The bytes up to where the next entry seems to begin, or none."""
        window = self._window
        while True:
            at = max(window.at, self._unmarked - window.base)
            mark = _BOUNDARY.search(window.data, at)
            if mark is not None:
                guess = window.data[window.at : mark.start() + 1]
                return guess if len(guess) <= self._max else None
            self._unmarked = window.base + max(window.at, len(window.data) - _OVERLAP)
            if len(window.data) - window.at > self._max or not window.more():
                return None

    def _value(self) -> Any:
        window, size = self._window, min(_FIRST_TRY, self._max)
        if not window.peek():
            raise _CutShort
        while True:
            while len(window.data) - window.at < size and window.more():
                pass
            text = window.data[window.at : window.at + size].decode("utf-8", "surrogateescape")
            whole = window.ended and len(window.data) - window.at <= size
            try:
                value, end = _DECODER.raw_decode(text)
            except (ValueError, RecursionError):
                end = len(text)
                if whole:
                    raise _CutShort from None
            # A number at the window's edge may go on behind it.
            if end < len(text) or whole:
                window.at += len(text[:end].encode("utf-8", "surrogateescape"))
                return value
            if size == self._max:
                raise _CutShort
            size = min(2 * size, self._max)

    def _skip(self, start: int) -> None:
        """Go past an object that is too large to be held.

        Raises:
            UsageError: it is not too large but damaged, or the file ends in it.
        """
        depth, quoted = 0, False
        window = self._window
        while True:
            plain = _without_escapes(window.data[window.at :])
            depth, quoted, end = _follow(plain, depth, quoted=quoted)
            window.at += len(plain) if end is None else end
            if end is not None:
                break
            if not window.more():
                raise self._damaged()
        if window.offset - start <= self._max:
            raise self._damaged()
        self.too_large += 1

    def _expect(self, mark: bytes) -> None:
        if not self._window.take(mark):
            raise self._damaged()

    def _damaged(self) -> UsageError:
        where = f"in or behind its entry {self._number}" if self._number else "before its entries"
        return UsageError(
            f"The HAR is cut off or damaged {where}.", "Export it again, and wait for its end."
        )


def parse(raw: bytes) -> dict[str, Any] | None:
    """An entry's bytes as an object, or none where they are not one whole object.

    ``NaN`` and lone surrogates, which some exporters write, are read too.
    """
    value: Any
    try:
        value = orjson.loads(raw)
    except ValueError:
        try:
            value = json.loads(raw.decode("utf-8", "surrogateescape"))
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


class _Window:
    """The part of a file that is looked at: ``data`` from ``at`` on."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.data = b""
        self.at = 0
        self.base = 0
        self.ended = False

    @property
    def offset(self) -> int:
        return self.base + self.at

    def more(self) -> bool:
        left = self.data[self.at :]
        chunk = self._file.read(min(max(_CHUNK, len(left)), _MOST))
        self.base, self.at = self.offset, 0
        self.data = left + chunk
        self.ended = not chunk
        return bool(chunk)

    def peek(self) -> bytes:
        """The next byte that is no white space, or nothing at the file's end."""
        while True:
            space = _SPACE.match(self.data, self.at)
            assert space is not None
            self.at = space.end()
            if self.at < len(self.data):
                return self.data[self.at : self.at + 1]
            if not self.more():
                return b""

    def take(self, mark: bytes) -> bool:
        """Go past a mark where it is the next one."""
        if self.peek() != mark:
            return False
        self.at += 1
        return True


def _skip_mark(window: _Window) -> None:
    window.more()
    if window.data.startswith(_UTF16):
        raise UsageError("The HAR is written in UTF-16.", "Save it again as UTF-8.")
    if window.data.startswith(_BOM):
        window.at = len(_BOM)


def _no_har() -> UsageError:
    return UsageError(
        "The file is no HAR: it has no list log.entries.",
        "Give a HAR of a browser, or a flow file of mitmproxy with its ending .flow.",
    )


def _without_escapes(data: bytes) -> bytes:
    """The same number of bytes, in which each quote is one of a string's ends."""
    plain = data.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    # The other half of an escape comes with the next chunk.
    return plain[:-1] if plain.endswith(b"\\") else plain


def _follow(plain: bytes, depth: int, *, quoted: bool) -> tuple[int, bool, int | None]:
    """Depth and quotes behind the bytes, and where the depth came back to none."""
    at = 0
    while True:
        if quoted:
            closing = plain.find(b'"', at)
            if closing < 0:
                return depth, True, None
            at, quoted = closing + 1, False
        mark = _STRUCTURE.search(plain, at)
        if mark is None:
            return depth, False, None
        at = mark.end()
        quoted = mark[0] == b'"'
        depth += 1 if mark[0] in b"{[" else -1 if mark[0] in b"}]" else 0
        if depth == 0 and not quoted:
            return depth, False, at
