"""Who is logged in, and the tokens that belong to one login.

Rules:
1. A `Session` outlives its cookie: rotation gives the same session another `sid`.
2. Every token is random and made here, so that no test can know one beforehand.
"""

import secrets
import threading
import time
from dataclasses import dataclass, field

GRACE = 5.0
"""Seconds for which a rotated cookie is still accepted: requests already under way carry it."""


def token() -> str:
    return secrets.token_urlsafe(24)


@dataclass
class Session:
    """One login.

    Attributes:
        page_token: the token of the latest /messages page, the only one of them accepted.
        header_token: the token of the latest GET /api/session.
        source: what GET /api/config tells this login.
        form_tokens: one-time tokens of rendered forms, with the action each is good for.
        client_ids: ids that a page has generated for its messages; each is accepted once.
    """

    user: str
    page_token: str = field(default_factory=token)
    header_token: str = field(default_factory=token)
    source: str = field(default_factory=token)
    form_tokens: dict[str, str] = field(default_factory=dict)
    client_ids: set[str] = field(default_factory=set)

    def form_token(self, action: str) -> str:
        """A fresh token for one render of the form with this action."""
        made = token()
        self.form_tokens[made] = action
        return made


class Sessions:
    """Caution: made by `State` only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_sid: dict[str, Session] = {}
        self._ends_at: dict[str, float] = {}

    def begin(self, user: str) -> str:
        """Log a user in; the answer is the new `sid`."""
        sid = token()
        with self._lock:
            self._by_sid[sid] = Session(user)
        return sid

    def find(self, sid: str | None) -> Session | None:
        with self._lock:
            return self._find(sid)

    def rotate(self, sid: str | None) -> str | None:
        """A new `sid` for the session of this one; None when there is no such session."""
        with self._lock:
            session = self._find(sid)
            if session is None or sid is None:
                return None
            self._ends_at.setdefault(sid, time.monotonic() + GRACE)
            fresh = token()
            self._by_sid[fresh] = session
            return fresh

    def end(self, sid: str | None) -> None:
        """Log out: the session ends under every `sid` it had."""
        with self._lock:
            ended = self._find(sid)
            self._by_sid = {s: known for s, known in self._by_sid.items() if known is not ended}

    def end_all(self) -> None:
        with self._lock:
            self._by_sid.clear()
            self._ends_at.clear()

    def _find(self, sid: str | None) -> Session | None:
        if sid is None or time.monotonic() > self._ends_at.get(sid, float("inf")):
            return None
        return self._by_sid.get(sid)
