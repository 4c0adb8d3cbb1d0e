"""What the recorder sees pass, in memory only.

Rules:
1. These hold captured values, so they are no pydantic models, print nothing of themselves and
   refuse to be pickled. The one door from here to a card is ``stripping``.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn

Headers = tuple[tuple[str, str], ...]


class _Unprintable:
    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} holds captured values and is not copied out")


@dataclass(frozen=True, slots=True, repr=False)
class RawRequest(_Unprintable):
    """A request as it stood on the wire.

    Attributes:
        method: upper case.
        target: path and query, as sent.
        headers: in order, names in lower case, duplicates kept.
        body: decoded from its content encoding; none when the proxy did not capture it.
        undecodable: why the body could not be decoded, or none.
        at: when it was seen, with a time zone.
    """

    method: str
    target: str
    headers: Headers
    body: bytes | None
    at: datetime
    undecodable: str | None = None

    def header(self, name: str) -> str | None:
        """The first header of that lower-case name."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True, repr=False)
class RawResponse(_Unprintable):
    """An answer as it stood on the wire, its body decoded (empty where that failed)."""

    status: int
    headers: Headers
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """The first header of that lower-case name."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True, repr=False)
class DeclaredSlot(_Unprintable):
    """A slot that the author is about to fill.

    Attributes:
        value: the text that will be typed; of a file slot the path of the file.
        type: one of the slot types.
        choices: of an enum.
        items: of a list slot, each item's text; empty for any other.
    """

    name: str
    value: str
    type: str
    choices: tuple[str, ...] = ()
    items: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that may stand in a request: the value or a list's items, none of a file."""
        if self.type == "file":
            return ()
        return self.items or (self.value,)


@dataclass(frozen=True, slots=True, repr=False)
class Declared(_Unprintable):
    """All that the author said before acting.

    Attributes:
        slots: by name; their values find the holes, and stay in memory.
        pins: fields whose value the author wrote out (text as given), by field path.
        kept: fields whose sent value the author keeps.
    """

    slots: dict[str, DeclaredSlot]
    pins: dict[str, str] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
