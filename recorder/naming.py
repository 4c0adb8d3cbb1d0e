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

_FIELD_NAME: TypeAdapter[str] = TypeAdapter(FieldName)
_MAX_SLOT_NAME = 64


@lru_cache(maxsize=4096)
def is_name(name: str) -> bool:
    """Whether a card can hold this text as the name of a field."""
    try:
        _FIELD_NAME.validate_python(name)
    except ValidationError:
        return False
    return True


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
