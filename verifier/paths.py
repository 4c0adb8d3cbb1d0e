"""Ways into a JSON document: a list of keys, or a JSONPath compiled once.

Rules:
1. A path whose place is not in the document has found nothing, not an empty collection: only where
   the list (or object) that it selects from is there can the selection be empty.
2. A document that a path cannot be followed in is ``CannotFollowError``, never "nothing".
3. A JSONPath that only names members is walked as a list of keys: the library makes an object for
   each item that it passes, which costs more than parsing them.
"""

from functools import lru_cache
from typing import Any, Final

from cards.errors import BadReadback

_SELECTORS = frozenset({"Wildcard", "Slice", "Filter", "SortedThis"})
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


class CannotFollowError(Exception):
    """A path cannot be followed in this document: too deep, or its filter does not fit."""


def is_path(text: str) -> bool:
    """Whether a field's text is a JSONPath; any other is one plain key."""
    return text.startswith("$") or "." in text or "[" in text


def find(document: Any, path: str) -> list[Any]:
    """What a JSONPath leads to.

    Raises:
        CannotFollowError: it cannot be followed.
    """
    return _find(compiled(path), document)


def first(document: Any, path: tuple[str | int, ...] | str) -> Any:
    """The value that a path leads to, the first of several, or ``MISSING``.

    Raises:
        CannotFollowError: it cannot be followed.
    """
    if not isinstance(path, str):
        return at(document, path)
    found = find(document, path)
    return found[0] if found else MISSING


def collection(document: Any, path: str) -> Any:
    """The records that a JSONPath leads to: the items of one list, or what it selects.

    Returns:
        A list; ``MISSING`` where its place is not there; none where that place is no collection.

    Raises:
        CannotFollowError: it cannot be followed.
    """
    plain = plain_keys(path)
    if plain is not None:
        place = at(document, plain[0])
        if isinstance(place, list):
            return place
    steps = compiled(path)
    found = _find(steps, document)
    # Only a wildcard written with a dot picks the members of an object.
    kinds = (list,) if path.rstrip().endswith("]") else (list, dict)
    if not found:
        return [] if _is_empty_place(steps, document, kinds) else MISSING
    if _selects(steps):
        return found if _places_are(kinds, steps, document) else None
    lists = [value for value in found if isinstance(value, list)]
    if len(found) == 1 and lists:
        return lists[0]
    return None if lists or _is_definite(steps) else found


def _find(steps: Any, document: Any) -> list[Any]:
    try:
        return [match.value for match in steps.find(document)]
    except Exception:  # noqa: BLE001  (filters raise what their comparison raises)
        raise CannotFollowError from None


@lru_cache(maxsize=64)
def plain_keys(path: str) -> tuple[tuple[str, ...], bool] | None:
    """A JSONPath as keys, and whether it takes every item at their end: ``$.data.items[*]``.

    Returns:
        None where it is more than that.

    Raises:
        BadReadback: it does not parse.
    """
    steps = compiled(path)
    selects = _kind(steps) == "Child" and _kind(steps.right) == "Wildcard"
    if selects and not path.rstrip().endswith("]"):
        return None
    keys = _keys_of(steps.left if selects else steps)
    return None if keys is None else (keys, selects)


def _keys_of(steps: Any) -> tuple[str, ...] | None:
    if _kind(steps) == "Root":
        return ()
    if _kind(steps) == "Fields":
        return tuple(steps.fields) if _is_definite(steps) else None
    if _kind(steps) != "Child":
        return None
    before, last = _keys_of(steps.left), _keys_of(steps.right)
    return None if before is None or last is None else before + last


def _kind(steps: Any) -> str:
    return type(steps).__name__


def _selects(steps: Any) -> bool:
    """Whether the last step picks any number of items: ``[*]``, ``.*``, ``[0:5]``, ``[?(…)]``."""
    if _kind(steps) != "Child":
        return False
    last = steps.right
    return _kind(last) in _SELECTORS or (_kind(last) == "Fields" and "*" in last.fields)


def _is_definite(steps: Any) -> bool:
    """Whether the path names one place."""
    if _kind(steps) == "Child":
        return _is_definite(steps.left) and _is_definite(steps.right)
    if _kind(steps) == "Fields":
        return len(steps.fields) == 1 and "*" not in steps.fields
    return _kind(steps) in {"Root", "This", "Index"}


def _is_empty_place(steps: Any, document: Any, kinds: tuple[type, ...]) -> bool:
    if _kind(steps) != "Child":
        return False
    if not _find(steps.left, document):
        return _is_empty_place(steps.left, document, (list, dict))
    return _selects(steps) and _places_are(kinds, steps, document)


def _places_are(kinds: tuple[type, ...], steps: Any, document: Any) -> bool:
    return all(isinstance(place, kinds) for place in _find(steps.left, document))


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
