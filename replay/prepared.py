"""The prepared request: built, counted before, and good for one send.

Rules:
1. Its cell is emptied by the first taker, atomically; whoever comes second gets an error.
2. It is not copied: a copy would be a second send.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import NoReturn, SupportsIndex, final, override

from replay.building import WireRequest
from verifier.matching import SlotValue
from verifier.records import Count

# Keyed, so that a fingerprint in the audit is no oracle for guessing what was sent.
_PROCESS_KEY = secrets.token_bytes(32)


class AlreadySentError(RuntimeError):
    """A prepared request was taken a second time: the program, not the world, is wrong."""


@final
class Prepared:
    """One request, ready to be sent once.

    Args:
        request: the bytes.
        before: the count taken before it.
        values: the caller's values, for the readback after it.
        secrets: live values, which no message may repeat.
        cached_s: the greatest age of a page that a live value came from, in seconds.
    """

    __slots__ = ("_cell", "before", "cached_s", "fingerprint", "live", "values")

    def __init__(
        self,
        request: WireRequest,
        before: Count,
        values: Mapping[str, SlotValue],
        live: Mapping[str, str],
        cached_s: int = 0,
    ) -> None:
        self._cell = [request]
        self.before = before
        self.values = values
        self.live = live
        self.cached_s = cached_s
        self.fingerprint = _fingerprint(request)

    def take(self) -> WireRequest:
        """The request, for the first who asks.

        Raises:
            AlreadySentError: somebody took it before.
        """
        try:
            return self._cell.pop()
        except IndexError:
            raise AlreadySentError(
                "this request was taken before; a second send would do the action twice"
            ) from None

    @override
    def __repr__(self) -> str:
        return "<Prepared>"

    @override
    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a prepared request is not copied or pickled")


def _fingerprint(request: WireRequest) -> str:
    digest = hmac.new(_PROCESS_KEY, digestmod=hashlib.sha256)
    parts = [request.method, request.target, *(f"{k}:{v}" for k, v in request.headers)]
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    marks = (request.body,) if isinstance(request.body, bytes) else request.body.marks()
    for mark in marks:
        digest.update(mark)
    return digest.hexdigest()
