"""Names: of fields as paths, of slots as identifiers, and names that are none.

Rules:
1. A field path is what an author writes to pin a field: JSON members dotted, form fields by name,
   ``query:NAME``, ``header:NAME``, ``path:N``.
2. A slot's name comes from a field's name or a path's word, never from a value.
"""

import re
from collections import Counter
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from cards.model import FieldName
from cards.suspicion import UUID

_FIELD_NAME: TypeAdapter[str] = TypeAdapter(FieldName)
_MAX_SLOT_NAME = 64
_PART = re.compile(r"[\[\]().:/$\s,;]+")
_JWT = re.compile(r"ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+")
_LONG_NUMBER = 3
_LONG_HEX = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{12,}", re.IGNORECASE)
_MIXED = 12
_SWITCHES = 4


@lru_cache(maxsize=4096)
def is_name(name: str) -> bool:
    """Whether a card can hold this text as the name of a field."""
    try:
        _FIELD_NAME.validate_python(name)
    except ValidationError:
        return False
    return not carries_a_value(name)


def carries_a_value(name: str) -> bool:
    """Whether a field's name holds an identifier, an address or a token rather than words."""
    if UUID.search(name) or _JWT.search(name) or "@" in name.lstrip("@"):
        return True
    return any(_is_value(part) for part in _PART.split(name))


def _is_value(part: str) -> bool:
    if part.isdigit():
        return len(part) >= _LONG_NUMBER
    if any(_LONG_HEX.fullmatch(word) for word in re.split(r"[-_]", part)):
        return True
    switches = len(re.findall(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])", part))
    return len(part) >= _MIXED and switches >= _SWITCHES


def identifier(text: str) -> str:
    """A slot's name made of a field's name: ``user[tag]`` becomes ``user_tag``."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", text.rstrip("]})> "))
    if not re.search(r"[A-Za-z0-9]", word):
        word = "field"
    return (word if not word[0].isdigit() else f"_{word}")[:_MAX_SLOT_NAME]


def last_part(field: str) -> str:
    """What a field path's slot is named after: the last part that is no index."""
    path = field.partition(":")[2] if field.startswith(("query:", "header:")) else field
    path = re.sub(r"\[\d+\]$", "", path)
    parts = [part for part in path.split(".") if part and not part.isdigit()]
    return parts[-1] if parts else "item"


class Names:
    """Gives out slot names that are not taken yet."""

    def __init__(self, taken: frozenset[str]) -> None:
        self._taken = set(taken)

    def make(self, text: str) -> str:
        """The identifier of a text, with a number where it is taken."""
        stem = identifier(text)
        name, number = stem, 1
        while name in self._taken:
            number += 1
            tail = f"_{number}"
            name = stem[: _MAX_SLOT_NAME - len(tail)] + tail
        self._taken.add(name)
        return name


def numbered(names: list[str]) -> list[str]:
    """Field paths of names that may repeat: ``tag``, ``tag[1]``, ``tag[2]``."""
    counts: Counter[str] = Counter()
    paths = []
    for name in names:
        paths.append(f"{name}[{counts[name]}]" if counts[name] else name)
        counts[name] += 1
    return paths
