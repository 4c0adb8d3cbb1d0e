"""What the site saw: the request log, the decisive count, the cards that were on disk.

Rules:
1. `arrived` runs on the request's head, before its body is read and before any switch acts.
2. Everything is read from other threads: one lock, and only copies leave.
"""

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path

WRITES = {
    ("POST", "/api/messages"),
    ("POST", "/notes"),
    ("POST", "/api/tasks"),
    ("PUT", "/api/messages/all"),
}
"""The decisive endpoints with a fixed path."""


def is_decisive(method: str, path: str) -> bool:
    """Whether this request asks one of the write endpoints for a write."""
    if (method, path) in WRITES:
        return True
    if method == "PUT":
        return path.startswith("/api/messages/by-id/")
    return method == "POST" and path.startswith("/api/rooms/") and path.endswith("/messages")


@dataclass(frozen=True)
class Seen:
    """One request as it came in; `headers` in wire order, names in lower case."""

    method: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    body: bytes
    cookies: dict[str, str]


CardSeen = tuple[str, str, bytes]
"""File name, SHA-256 in hex, and bytes of one card file."""


class RequestLog:
    """Caution: made by `State` only."""

    def __init__(self, watch_cards: Path | None) -> None:
        self.watch_cards = watch_cards
        self._changed = threading.Condition()
        self._requests: list[Seen] = []
        self._cards: list[list[CardSeen]] = []
        self._decisive = 0

    def arrived(self, method: str, path: str) -> bool:
        """Count a decisive request and look at the card files of this moment."""
        if not is_decisive(method, path):
            return False
        cards = _cards_in(self.watch_cards) if self.watch_cards else None
        with self._changed:
            self._decisive += 1
            if cards is not None:
                self._cards.append(cards)
        return True

    def add(self, seen: Seen) -> None:
        with self._changed:
            self._requests.append(seen)
            self._changed.notify_all()

    def clear(self) -> None:
        with self._changed:
            self._requests.clear()
            self._cards.clear()
            self._decisive = 0

    @property
    def requests(self) -> list[Seen]:
        with self._changed:
            return list(self._requests)

    @property
    def cards_seen(self) -> list[list[CardSeen]]:
        with self._changed:
            return list(self._cards)

    @property
    def decisive(self) -> int:
        with self._changed:
            return self._decisive

    def count(self, method: str, path: str) -> int:
        with self._changed:
            return sum(seen.method == method and seen.path == path for seen in self._requests)

    def wait_for(self, method: str, path: str, times: int, seconds: float) -> None:
        """Block until so many such requests came in.

        Raises:
            TimeoutError: they did not within `seconds`.
        """
        with self._changed:
            # The condition's lock is re-entrant, so `count` may take it again.
            if not self._changed.wait_for(lambda: self.count(method, path) >= times, seconds):
                raise TimeoutError(
                    f"{method} {path}: {self.count(method, path)} of {times} within {seconds} s"
                )


def _cards_in(folder: Path) -> list[CardSeen]:
    found = []
    for file in sorted(folder.glob("*.json")):
        content = file.read_bytes()
        found.append((file.name, hashlib.sha256(content).hexdigest(), content))
    return found
