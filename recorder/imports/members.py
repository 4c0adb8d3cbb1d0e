"""Members of a JSON object that nobody checked: of another type is as good as absent."""

from collections.abc import Iterator
from typing import Any

Members = dict[str, Any]


def object_of(parent: Any, name: str) -> Members:
    """A member that is an object, or an empty one."""
    value = parent.get(name) if isinstance(parent, dict) else None
    return value if isinstance(value, dict) else {}


def objects_of(parent: Members, name: str) -> Iterator[Members]:
    """The objects in a member that is a list."""
    value = parent.get(name)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def text_of(parent: Members, name: str) -> str:
    """A member that is a text, or an empty one."""
    value = parent.get(name)
    return value if isinstance(value, str) else ""


def whole_of(parent: Members, name: str) -> int:
    """A member that is a whole number, or zero."""
    value = parent.get(name)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
