"""What each same-origin request was taken for and why: one line each, for who asks.

Rules:
1. A line is a method, a path template, names of declared slots and fixed words. A path's segment is
   shown only where it is a plain word; a query is never shown.
2. The list is bounded: what comes after the first lines is counted. Candidates are always listed,
   since they are few and are what is asked about.
3. Nothing is remembered unless somebody asked, so that a page of hundreds of reads costs nothing.
"""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from cards.suspicion import looks_like_identifier
from recorder.candidates import Candidate, is_prefetch
from recorder.events import Settle
from recorder.matching import DeclaredValues
from recorder.traffic import Declared, RawRequest

MAX_LINES = 2000
TOO_LATE = "came after the action was decided"
_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"}
)
# Words of letters in an ordinary case, and a version: anything else may be somebody's value.
_PLAIN = re.compile(
    r"(?:[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*(?:[-_.][A-Z]?[a-z]+)*|v[0-9]{1,2}|[a-z]{2,8}[0-9])"
)
_PARTS = ("script", "style", "image", "font", "audio", "video", "track", "manifest", "worker")
_LONGEST = 40
_SHORTEST_PART = 3
_MOST_SEGMENTS = 12


@dataclass(frozen=True, slots=True)
class Explained:
    """One request: method, path template and what it was taken for, without values."""

    method: str
    path: str
    reason: str

    def as_json(self) -> dict[str, Any]:
        """A member of the envelope's ``explained``."""
        return {"method": self.method, "path": self.path, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class _Line:
    method: str
    path: str
    reason: str
    key: int | None = None
    looks_like: str | None = None


class Explaining:
    """Collects the lines of one recording.

    Args:
        declared: what the author said; a path segment that holds such a value is a hole.
        wanted: whether anything is remembered.
    """

    def __init__(self, declared: Declared, *, wanted: bool = False) -> None:
        self.wanted = wanted
        self._declared = declared
        self._values = DeclaredValues(declared, ())
        self._lines: list[_Line] = []
        self._left_out = 0

    def read(self, request: RawRequest, *, sealed: bool) -> None:
        """A request whose method changes nothing."""
        when = "read after the seal" if sealed else "read in the prelude"
        self.passed(request, what_it_reads(request) or f"{when}: it changes nothing")

    def passed(self, request: RawRequest, reason: str) -> None:
        """A request that is no candidate, and why."""
        if not self.wanted:
            return
        if len(self._lines) >= MAX_LINES:
            self._left_out += 1
            return
        self._lines.append(self._line(request, reason))

    def candidate(
        self, key: int, request: RawRequest, verdict: Candidate, ui_only: str | None = None
    ) -> None:
        """A candidate that stands at the door.

        Args:
            key: its number.
            request: as it stood there.
            verdict: what it carries and looks like.
            ui_only: known beforehand: why no card can describe it.
        """
        if not self.wanted:
            return
        names = ", ".join(sorted(verdict.slots_carried))
        seen = f"carries {names}" if names else "may carry what can't be seen in it"
        reason = ui_only.rstrip(".") if ui_only is not None else seen
        self._lines.append(self._line(request, reason, key, verdict.hint))

    def told(self, verdict: Settle | None, sealed: tuple[int, ...]) -> tuple[Explained, ...]:
        """The lines, candidates with their end.

        Args:
            verdict: how the recording was settled, or none so far.
            sealed: the candidates whose cards were written.
        """
        lines = [
            Explained(line.method, line.path, _with_end(line, verdict, sealed))
            for line in self._lines
        ]
        if self._left_out:
            lines.append(Explained("…", "…", f"{self._left_out} more requests, not listed"))
        return tuple(lines)

    def _line(
        self,
        request: RawRequest,
        reason: str,
        key: int | None = None,
        looks_like: str | None = None,
    ) -> _Line:
        method = request.method if request.method in _METHODS else "?"
        return _Line(method, self._path(request.target), reason, key, looks_like)

    def _path(self, target: str) -> str:
        path = re.split(r"[?#]", target, maxsplit=1)[0]
        segments = path.removeprefix("/").split("/")
        shown = [self._segment(segment) for segment in segments[:_MOST_SEGMENTS]]
        return "/" + "/".join([*shown, "…"] if len(segments) > _MOST_SEGMENTS else shown)

    def _segment(self, segment: str) -> str:
        text = unquote(segment)
        names = sorted(self._values.names_in("path", text)) if text else []
        if names:
            return "".join(f"{{{name}}}" for name in names)
        return segment if segment == "" or self._is_plain(segment) else "{…}"

    def _is_plain(self, segment: str) -> bool:
        if len(segment) > _LONGEST or not _PLAIN.fullmatch(segment):
            return False
        slots = self._declared.slots.values()
        values = (text.lower() for slot in slots for text in slot.texts)
        return not looks_like_identifier(segment) and not any(
            len(value) >= _SHORTEST_PART and value in segment.lower() for value in values
        )


def what_it_reads(request: RawRequest) -> str | None:
    """What a request that changes nothing is, where its headers say so, or none."""
    if (request.header("upgrade") or "").lower() == "websocket":
        return "opens a WebSocket: what the page sends there is looked at"
    if request.method == "OPTIONS":
        return "a preflight: it asks, and changes nothing"
    if is_prefetch(request):
        return "a prefetch: nobody acted"
    if request.header("service-worker") is not None or _is_browsers_own(request):
        return "the browser's own request"
    if request.header("sec-fetch-mode") == "navigate":
        return "a navigation: it changes nothing"
    if request.header("sec-fetch-dest") in _PARTS:
        return "a part of the page: it changes nothing"
    return None


def _is_browsers_own(request: RawRequest) -> bool:
    path = request.target.partition("?")[0]
    return path == "/favicon.ico" or path.startswith("/.well-known/")


def _with_end(line: _Line, verdict: Settle | None, sealed: tuple[int, ...]) -> str:
    if line.key is None:
        return line.reason
    kept = verdict is not None and verdict.kept == line.key
    looks = (f"looks like {line.looks_like}",) if line.looks_like else ()
    end = _end(line.key, verdict, sealed)
    if kept:
        return f"the action: {'; '.join((line.reason, *looks, *end))}"
    if looks:
        return f"hint: {'; '.join((*looks, line.reason, *end))}"
    return f"candidate: {'; '.join((line.reason, *end))}"


def _end(key: int, verdict: Settle | None, sealed: tuple[int, ...]) -> tuple[str, ...]:
    if verdict is None:
        return ()
    if key == verdict.kept:
        risen = "the readback rose after it"
        return (risen if verdict.confirmed else "no other is believed before it",)
    if key not in sealed:
        return (TOO_LATE,)
    if key in verdict.rivals:
        return ("the readback rose after another" if verdict.confirmed else "another is believed",)
    return ("nothing tells which one it is",) if verdict.kept is None else ("the same again",)
