"""A directory of cards, one readable JSON file for each.

Rules:
1. A file is written aside, fsynced and renamed, and its directory is fsynced: after ``write`` the
   card is on disk, and before it the old one is. There is no moment in between.
2. A file that cannot be trusted is refused with its reason, and never hidden or mended.
3. Nothing in a file's name comes from a value.
"""

import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from cards.card import Card, CardFile, card_of
from cards.errors import BadCard, UnknownCard, UsageError

if TYPE_CHECKING:
    from filelock import FileLock

_STEM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}(?:\.[0-9a-f]{8})?")
_MAX_FILE = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class BrokenCard:
    """A file of the directory that is refused, and why."""

    name: str
    reason: str


class CardStore:
    """The cards of one directory, which people keep in git."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def names(self) -> tuple[str, ...]:
        """The names of all card files, trusted or not, in order."""
        if not self.directory.is_dir():
            return ()
        stems = (path.name.removesuffix(".json") for path in self.directory.glob("*.json"))
        return tuple(sorted(stem for stem in stems if _STEM.fullmatch(stem)))

    def all(self) -> tuple[Card | BrokenCard, ...]:
        """Every card of the directory, broken ones with their reason."""
        return tuple(self._load_or_say_why(name) for name in self.names())

    def _load_or_say_why(self, name: str) -> Card | BrokenCard:
        try:
            return self.load(name)
        except BadCard as error:
            return BrokenCard(name, error.message)

    def path_of(self, name: str) -> Path:
        """The file of a card.

        Raises:
            UnknownCard: the name can't be a card's.
        """
        if not _STEM.fullmatch(name):
            raise UnknownCard("The card's name is not a name.", "Use letters, digits, '_' and '-'.")
        return self.directory / f"{name}.json"

    def load(self, name: str) -> Card:
        """Read one card.

        Raises:
            UnknownCard: there is none of that name.
            BadCard: the file is unreadable, of another format, or changed after its seal.
        """
        path = self.path_of(name)
        try:
            text = _read_bounded(path)
        except FileNotFoundError:
            known = ", ".join(self.names()) or "none"
            raise UnknownCard(
                f"There is no card {name} in {self.directory}.", f"Known cards: {known}."
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise BadCard(f"The card {name} can't be read: {type(error).__name__}.") from None
        return card_of(_parse(name, text))

    def write(self, card: Card, name: str | None = None) -> Path:
        """Put a card on disk; when this returns it is there, whole.

        Args:
            card: what to write.
            name: the file's name without its ending; the action's name unless given.

        Raises:
            UsageError: the directory can't be written.
        """
        path = self.path_of(name or card.action)
        written = card.file.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        text = json.dumps(written, indent=2, ensure_ascii=False) + "\n"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            write_aside(path, text.encode())
        except OSError as error:
            raise UsageError(
                f"The card can't be written to {self.directory}: {error.strerror}.",
                "Give a writable directory with --cards or REQCARD_CARDS.",
            ) from None
        return path

    def remove(self, name: str) -> None:
        """Delete a card's file, if it is there."""
        self.path_of(name).unlink(missing_ok=True)

    def locked(self, name: str) -> "FileLock":
        """A lock, between processes, for reading and then writing one card."""
        from filelock import FileLock

        lock_dir = self.directory / ".locks"
        if not lock_dir.is_dir():
            lock_dir.mkdir(parents=True, exist_ok=True)
            # The directory is kept in git; its locks are nobody's business there.
            (lock_dir / ".gitignore").write_text("*\n")
        return FileLock(lock_dir / f"{self.path_of(name).stem}.lock")


def write_aside(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Replace a file atomically: temporary file beside it, fsync, rename, fsync of the directory.

    Raises:
        OSError: nothing was changed.
    """
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _read_bounded(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(_MAX_FILE + 1)
    if len(content) > _MAX_FILE:
        raise OSError("too large")
    return content.decode()


def _parse(name: str, text: str) -> CardFile:
    try:
        return CardFile.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in problem["loc"])
        detail = problem["msg"].removeprefix("Value error, ")
        raise BadCard(
            f"The card {name} is refused{f' at {where}' if where else ''}: {detail}.",
            "Restore the file from version control, or record the action again.",
        ) from None
