"""What a GET gave: an answer, or why there was none. Neither shows what it holds."""

import re
from dataclasses import dataclass, field
from typing import Literal

import httpx

_CACHED = re.compile(r"\bhit\b", re.IGNORECASE)
_CACHE_HEADERS = ("x-cache", "x-cache-status", "cf-cache-status", "cache-status")


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer to a GET, its body whole.

    Attributes:
        target: the path and query that answered, after redirects.
        redirects: the targets that led there, the first asked for at the head.
    """

    status: int
    headers: httpx.Headers = field(repr=False)
    body: bytes = field(repr=False)
    target: str = field(repr=False)
    redirects: tuple[str, ...] = field(default=(), repr=False)

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters."""
        media_type: str = self.headers.get("content-type", "")
        return media_type.partition(";")[0].strip().lower()

    @property
    def cached_s(self) -> int:
        """How old a shared cache says that the answer is, in seconds (RFC 9111 section 5.1).

        At least 1 where it says only that it had the answer; 0 for one from the site itself.
        """
        age: str = self.headers.get("age", "").strip()
        seconds = int(age) if re.fullmatch(r"[0-9]{1,9}", age) else 0
        hit = any(_CACHED.search(self.headers.get(name, "")) for name in _CACHE_HEADERS)
        return max(seconds, int(hit))


FetchReason = Literal[
    "off_origin", "timeout", "connect", "reset", "too_large", "too_many_redirects", "protocol"
]


@dataclass(frozen=True, slots=True)
class FetchFailed:
    """A GET without a usable answer."""

    reason: FetchReason
    message: str
