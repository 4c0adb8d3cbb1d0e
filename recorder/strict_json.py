"""JSON read so that nothing is lost: what two parsers could read differently is refused.

Rules:
1. Duplicate members, NaN and infinities, numbers that overflow and nesting beyond a card's depth
   are problems with a name, never guesses.
"""

import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn

from cards.shapes import MAX_DEPTH

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None
Wanted = frozenset[str]
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class NotJson:
    """Why a text is no JSON that a card describes: one sentence, without values.

    Attributes:
        reason: what was seen.
        nearly: whether it is JSON to some parsers.
    """

    reason: str
    nearly: bool


class _Problem(Exception):
    pass


def parse_json(text: str) -> Json | NotJson:
    """Read a JSON document (RFC 8259)."""
    try:
        document: Json = json.loads(
            text, object_pairs_hook=_members, parse_constant=_constant, parse_float=_float
        )
    except _Problem as problem:
        return NotJson(str(problem), nearly=True)
    except RecursionError:
        return NotJson(TOO_DEEP, nearly=True)
    except ValueError:
        return NotJson("the text is not JSON", nearly=False)
    if _deeper_than(document, MAX_DEPTH):
        return NotJson(TOO_DEEP, nearly=True)
    return document


TOO_DEEP = f"the JSON is nested deeper than {MAX_DEPTH} levels"


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Problem("the JSON has an object with two members of one name")
    return members


def _constant(_text: str) -> NoReturn:
    raise _Problem("the JSON holds NaN or an infinity")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Problem("the JSON holds a number that is too large")
    return number


def _deeper_than(document: Json, levels: int) -> bool:
    layer: list[Json] = [document]
    for _ in range(levels + 1):
        layer = [
            item
            for value in layer
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
        if not layer:
            return False
    return True


def levels(document: Json, wanted: Wanted) -> int:
    """How deep a document is nested, documents inside its strings included.

    Args:
        document: one that ``parse_json`` read.
        wanted: declared values, for which strings are opened.
    """
    if isinstance(document, dict):
        return 1 + max((levels(item, wanted) for item in document.values()), default=0)
    if isinstance(document, list):
        return 1 + max((levels(item, wanted) for item in document), default=0)
    inner = inner_document(document, wanted) if isinstance(document, str) else None
    return 0 if inner is None else 1 + levels(inner, wanted)


def json_text(value: Scalar) -> str:
    """A scalar as text: a string itself, anything else as JSON writes it."""
    return value if isinstance(value, str) else compact(value)


def compact(document: Json) -> str:
    """A document as ECMAScript's JSON.stringify writes it, but for rare numbers."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def inner_document(text: str, wanted: Wanted) -> Json | None:
    """The object or array that a string holds, or none.

    A text that is written compactly counts, so that filling it again gives the same text. One
    with white space counts only for what is wanted inside: it is filled again without it.

    Args:
        text: the string.
        wanted: declared values.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    document = parse_json(text)
    if not isinstance(document, dict | list):
        return None
    plain = compact(document)
    if plain == text or any(compact(value)[1:-1] in plain for value in wanted):
        return document
    return None
