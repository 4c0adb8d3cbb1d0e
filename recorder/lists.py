"""Lists of one template: an array or repeated field with one item for each value of a list slot.

Rules:
1. Every item must say its own value in the same place and the same shape, and agree with the others
   in everything else.
"""

from collections.abc import Callable, Iterable, Sequence

from cards.holes import SlotRef
from cards.shapes import ArrayShape, JsonShape, ListShape, ObjectShape
from recorder.strict_json import Json, Scalar, json_text
from recorder.traffic import DeclaredSlot
from recorder.transforms import chain_between

Choose = Callable[[str, Scalar], JsonShape]


def list_shape(
    array: Sequence[Json], field: str, slots: Iterable[DeclaredSlot], choose: Choose
) -> ListShape | None:
    """The template of an array, or none where it is no list slot's.

    Args:
        array: its items.
        field: its field path.
        slots: the declared list slots.
        choose: decides for a scalar that all items have in common, under its field path.
    """
    for slot in slots:
        if len(array) == len(slot.items) and _says(array, slot.items) and _fits(array, slot.items):
            item = _item(array, slot, f"{field}.0".lstrip("."), choose)
            return ListShape(each=slot.name, item=item)
    return None


def run_of(names: Sequence[str | None], texts: Sequence[str | None], slot: DeclaredSlot) -> int:
    """Where the fields of a list slot begin, one after the other under one name, or -1."""
    length = len(slot.items)
    for start in range(len(texts) - length + 1):
        here = slice(start, start + length)
        if tuple(texts[here]) == slot.items and len(set(names[here])) == 1:
            return start
    return -1


def _says(items: Sequence[Json], values: Sequence[str]) -> bool:
    """Whether some scalar of the items follows the values."""
    first = items[0]
    if isinstance(first, dict):
        return any(_says([_member(item, key) for item in items], values) for key in first)
    if isinstance(first, list):
        return any(
            _says([_at(item, index) for item in items], values) for index in range(len(first))
        )
    return _chain(items, values) is not None


def _fits(items: Sequence[Json], values: Sequence[str]) -> bool:
    first = items[0]
    if isinstance(first, dict):
        alike = all(isinstance(item, dict) and [*item] == [*first] for item in items)
        return alike and all(_fits([_member(i, key) for i in items], values) for key in first)
    if isinstance(first, list):
        alike = all(isinstance(item, list) and len(item) == len(first) for item in items)
        return alike and all(
            _fits([_at(item, index) for item in items], values) for index in range(len(first))
        )
    return _chain(items, values) is not None or all(
        type(item) is type(first) and item == first for item in items
    )


def _chain(items: Sequence[Json], values: Sequence[str]) -> tuple[str, ...] | None:
    if any(item is None or isinstance(item, dict | list | bool) for item in items):
        return None
    texts = [json_text(item) for item in items if not isinstance(item, dict | list)]
    if texts == list(values):
        return ()
    chains = {chain_between(value, text) for value, text in zip(values, texts, strict=True)}
    return chains.pop() if len(chains) == 1 else None


def _item(items: Sequence[Json], slot: DeclaredSlot, field: str, choose: Choose) -> JsonShape:
    first = items[0]
    if isinstance(first, dict):
        return ObjectShape(
            object={
                key: _item([_member(i, key) for i in items], slot, f"{field}.{key}", choose)
                for key in first
            }
        )
    if isinstance(first, list):
        return ArrayShape(
            array=tuple(
                _item([_at(item, index) for item in items], slot, f"{field}.{index}", choose)
                for index in range(len(first))
            )
        )
    chain = _chain(items, slot.items)
    if chain is None:
        return choose(field, first)
    return SlotRef.model_validate({"slot": slot.name, "transforms": chain})


def _member(item: Json, key: str) -> Json:
    return item.get(key) if isinstance(item, dict) else None


def _at(item: Json, index: int) -> Json:
    return item[index] if isinstance(item, list) and index < len(item) else None
