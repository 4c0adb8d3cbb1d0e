"""A JSON shape with its holes filled, as ``JSON.stringify`` writes it."""

import json
from collections.abc import Iterator

from cards.shapes import ArrayShape, JsonShape, JsonText, ListShape, ObjectShape
from replay.filling import Filling, Sent, scalar_text


def json_text(shape: JsonShape, filling: Filling) -> str:
    """A JSON document as ``JSON.stringify`` writes it."""
    match shape:
        case ObjectShape():
            members = (
                f"{_quoted(name)}:{json_text(member, filling)}"
                for name, member in shape.object.items()
            )
            return "{" + ",".join(members) + "}"
        case ArrayShape():
            return "[" + ",".join(json_text(item, filling) for item in shape.array) + "]"
        case ListShape():
            return "[" + ",".join(_items(shape, filling)) + "]"
        case JsonText():
            return _quoted(json_text(shape.json_text, filling))
        case _:
            return _scalar(filling.scalar(shape))


def _items(shape: ListShape, filling: Filling) -> Iterator[str]:
    return (json_text(shape.item, one) for one in filling.items(shape.each))


def _scalar(value: Sent) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return "null" if value is None else scalar_text(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
