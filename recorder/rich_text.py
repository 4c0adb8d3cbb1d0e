"""Rich-text documents as editors keep them: nodes whose types are words.

Rules:
1. A node is an object that says its type with a word of the list and holds a list of nodes, a text,
   or a block's data. Nothing else in it is spoken: attributes are values.
"""

from cards.holes import Hole
from cards.words import RICH_TEXT_WORDS, WORD_NUMBERS, Word
from recorder.strict_json import Json

_SAYS_TYPE = ("type", "nodeType", "object", "kind", "tag", "mode", "direction", "listType")
_HOLDS = ("children", "content", "nodes", "blocks", "leaves", "text", "data")
_NUMBERS = ("version", "indent", "format", "detail", "depth", "start", "textFormat")


def read_rich_text(node: Json, lead: str) -> dict[str, Hole]:
    """The words of one node, by field path; empty where it is none."""
    if not isinstance(node, dict) or not _is_node(node):
        return {}
    dot = f"{lead}." if lead else ""
    return {f"{dot}{name}": word for name, value in node.items() if (word := _word(name, value))}


def _is_node(node: dict[str, Json]) -> bool:
    says = (node.get(name) for name in ("type", "nodeType", "object"))
    typed = any(isinstance(word, str) and word in RICH_TEXT_WORDS for word in says)
    return typed and any(_holds(node.get(name)) for name in _HOLDS)


def _holds(value: Json) -> bool:
    return isinstance(value, list | str) or (isinstance(value, dict) and bool(value))


def _word(name: str, value: Json) -> Word | None:
    if name in _SAYS_TYPE and isinstance(value, str) and value in RICH_TEXT_WORDS:
        return Word(word=value)
    counts = isinstance(value, int) and not isinstance(value, bool) and value in WORD_NUMBERS
    if name in _NUMBERS and counts:
        return Word(word=int(str(value)))
    return None
