"""Ways into a JSON document: a list of keys, or a JSONPath compiled once."""

from functools import lru_cache
from typing import Any, Final

from cards.errors import BadReadback

MISSING: Final = object()
"""What a path leads to when it leads to nothing; ``null`` is something."""


def at(document: Any, path: tuple[str | int, ...]) -> Any:
    """The value that the keys and indexes lead to, or ``MISSING``."""
    for key in path:
        if not _holds(document, key):
            return MISSING
        document = document[key]
    return document


def _holds(document: Any, key: Any) -> bool:
    if isinstance(document, list):
        return isinstance(key, int) and 0 <= key < len(document)
    return isinstance(document, dict) and key in document


@lru_cache(maxsize=64)
def compiled(path: str) -> Any:
    """The parsed form of a JSONPath.

    Raises:
        BadReadback: it does not parse.
    """
    from jsonpath_ng.ext import parse  # type: ignore[attr-defined]

    try:
        return parse(path)
    except Exception:  # noqa: BLE001  (the parser raises bare exceptions of several libraries)
        raise BadReadback(
            "The readback has a JSONPath that does not parse.",
            'Write it as jsonpath-ng reads it, such as "$.items[*]", or as a list of keys.',
        ) from None
