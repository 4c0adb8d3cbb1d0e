"""Unique random markers, and the search for them in every encoding that a leak could wear.

Rules:
1. A marker is made while a test runs, so no file of the project can hold one by chance.
2. Text markers share a random stem. The stem alone is searched for, so that a value that was cut
   off, or glued to another, is found as well; the whole marker only names the place it came from.
3. A leak is told by what its marker stood for and by the form it was found in, never by value.
"""

import base64
import re
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_NOTED = 8
"""Characters below which a value that passed is too everyday to be told from an accident."""


@dataclass(frozen=True, slots=True)
class Leak:
    """One marker where none may be.

    Attributes:
        where: the file below the searched directory, or the name of a stream.
        what: what the marker stood for.
        form: the encoding in which it was found.
    """

    where: str
    what: str
    form: str


class Marks:
    """Makes markers and remembers what each stands for; used by several threads."""

    def __init__(self, prefix: str = "CANARY") -> None:
        self.stem = prefix + secrets.token_hex(3)
        self._lock = threading.Lock()
        self._named: dict[str, str] = {}

    def text(self, what: str) -> str:
        """A word of letters and digits, as tokens are."""
        made = f"{self.stem}{secrets.token_hex(8)}"
        self.note(what, made)
        return made

    def word(self, what: str) -> str:
        """A word of letters alone, which nothing but its being captured tells to be a secret."""
        made = "canary" + "".join(secrets.choice("bcdfghjklmnpqrstvwxz") for _ in range(10))
        self.note(what, made)
        return made

    def words(self, what: str) -> str:
        """A sentence that a person or a script could have written, awkward to escape."""
        return f"made for <{self.word(what)}> & no \"other\" use: 'ä/+%41' {self.text(what)}"

    def number(self, what: str) -> int:
        """A number of 15 digits, exact in every JSON parser."""
        made = secrets.randbelow(9 * 10**14) + 10**14
        self.note(what, str(made))
        return made

    def note(self, what: str, value: str) -> None:
        """Let a value made by somebody else be a marker too, such as a UUID of the page's script.

        Raises:
            ValueError: it is too short to be told from an accident.
        """
        if len(value) < _NOTED:
            raise ValueError(f"the value of {what} is too short for a marker")
        with self._lock:
            self._named[value] = what

    def known(self) -> dict[str, str]:
        """What each marker stands for."""
        with self._lock:
            return dict(self._named)


def _base64_cores(text: str) -> Iterator[str]:
    # What of the encoding does not depend on the bytes before and after, for each alignment.
    raw = text.encode()
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        head = (0, 2, 3)[shift]
        tail = len(encoded) - (1 if (len(raw) + shift) % 3 else 0)
        yield encoded[head:tail]


def _each(template: Callable[[str], str]) -> Callable[[str], Iterator[str]]:
    return lambda text: iter(["".join(template(character) for character in text)])


FORMS: dict[str, Callable[[str], Iterator[str]]] = {
    "plain": lambda text: iter([text]),
    "URL": _each(lambda c: f"%{ord(c):02x}"),
    "double URL": _each(lambda c: f"%25{ord(c):02x}"),
    "HTML decimal": _each(lambda c: f"&#{ord(c)};"),
    "HTML hexadecimal": _each(lambda c: f"&#x{ord(c):x};"),
    "JSON": _each(lambda c: f"\\u{ord(c):04x}"),
    "JSON in JSON": _each(lambda c: f"\\\\u{ord(c):04x}"),
    "hexadecimal": _each(lambda c: f"{ord(c):02x}"),
    "UTF-16": _each(lambda c: f"{c}\0"),
    "base64": _base64_cores,
    "base64 twice": lambda text: (
        twice for once in _base64_cores(text) for twice in _base64_cores(once)
    ),
}
"""Name of an encoding → the texts, one for each alignment, that it makes of a marker.

URL-, HTML- and JSON-escaping as writers do it leave letters and digits alone, so "plain" finds
those; the forms here are those that escape every character.
"""

_CASED = ("base64", "base64 twice")


class _Search:
    def __init__(self, marks: Marks) -> None:
        self._known = marks.known()
        self._stem = marks.stem
        self._needles = list(self._of(marks.stem))
        for value in self._known:
            if not value.startswith(marks.stem):
                self._needles.extend(self._of(value))

    @staticmethod
    def _of(text: str) -> Iterator[tuple[str, str, bytes]]:
        for form, encode in FORMS.items():
            for needle in encode(text):
                yield text, form, (needle if form in _CASED else needle.lower()).encode()

    def leaks(self, where: str, content: bytes) -> Iterator[Leak]:
        lowered = content.lower()
        found = set()
        for text, form, needle in self._needles:
            if needle in (content if form in _CASED else lowered):
                found.add((text, form))
        for text, form in sorted(found):
            yield from self._named(where, text, form, content)

    def _named(self, where: str, text: str, form: str, content: bytes) -> Iterator[Leak]:
        if text != self._stem:
            yield Leak(where, self._known[text], form)
            return
        lowered = content.lower()
        whole = [
            what
            for value, what in self._known.items()
            if value.startswith(self._stem) and _holds(value, form, content, lowered)
        ]
        for what in whole or ["a part of some marker"]:
            yield Leak(where, what, form)


def _holds(value: str, form: str, content: bytes, lowered: bytes) -> bool:
    if form in _CASED:
        return any(needle.encode() in content for needle in FORMS[form](value))
    return any(needle.lower().encode() in lowered for needle in FORMS[form](value))


def leaks_in(marks: Marks, where: str, content: str | bytes) -> list[Leak]:
    """The markers in a text or in bytes."""
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
    # Line ends that a writer of base64 puts in (RFC 2045 section 6.8) must not hide a marker.
    folded = re.sub(rb"(?<=[A-Za-z0-9+/]{60})\r?\n", b"", raw)
    search = _Search(marks)
    return list(dict.fromkeys([*search.leaks(where, raw), *search.leaks(where, folded)]))


def leaks_below(marks: Marks, directory: Path, *, but: Iterable[Path] = ()) -> list[Leak]:
    """The markers in every byte and every name of every file below a directory.

    Args:
        marks: what is searched for.
        directory: searched to any depth, hidden files and the targets' names of links included.
        but: files that may hold markers; their names may not.
    """
    allowed = {path.absolute() for path in but}
    search = _Search(marks)
    found: list[Leak] = []
    for path in sorted(directory.rglob("*")):
        where = str(path.relative_to(directory))
        found.extend(search.leaks(f"the name of {path.parent.name}/…", where.encode()))
        if path.is_symlink():
            found.extend(search.leaks(where, str(path.readlink()).encode()))
        elif path.is_file() and path.absolute() not in allowed:
            found.extend(leaks_in(marks, where, path.read_bytes()))
    return found
