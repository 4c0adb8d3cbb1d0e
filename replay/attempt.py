"""The attempt: the fact that a decisive request is about to be sent.

Rules:
1. Only the audit trail makes one, after the row that says so is on disk.
2. It gets one outcome. One that is dropped without it warns: a request may have been sent and
   nobody wrote down what came of it.
"""

import warnings
from typing import NoReturn, SupportsIndex, final, override

_KEY = object()


@final
class Attempt:
    """Caution: made by ``Trail.begin``.

    Attributes:
        call_id: which call it belongs to.
        fingerprint: of the request that may be sent for it, and of no other.
    """

    __slots__ = ("_open", "call_id", "fingerprint")

    def __init__(self, call_id: str, fingerprint: str, *, key: object) -> None:
        if key is not _KEY:
            raise TypeError("an attempt is made by the audit trail, when its row is on disk")
        self.call_id = call_id
        self.fingerprint = fingerprint
        self._open = [True]

    def close(self) -> None:
        """Take its one outcome.

        Raises:
            RuntimeError: it has one already.
        """
        try:
            self._open.pop()
        except IndexError:
            raise RuntimeError("the attempt has its outcome already") from None

    def __del__(self) -> None:
        if getattr(self, "_open", None):
            warnings.warn(
                f"the attempt {self.call_id} was dropped without an outcome",
                ResourceWarning,
                stacklevel=2,
            )

    @override
    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("an attempt is not copied or pickled")


def _minted(call_id: str, fingerprint: str) -> Attempt:
    """For the trail alone (import-linter cannot see a name; the seam test does)."""
    return Attempt(call_id, fingerprint, key=_KEY)
