"""Queries and forms: names and order stay, values become holes."""

from cards.holes import Hole
from cards.shapes import JsonText, Pair, Pairs
from recorder.choosing import Chooser, Where
from recorder.escaping import RawPairs
from recorder.parsed import field_names
from recorder.strict_json import inner_document
from recorder.strip_json import strip_json


def strip_pairs(raw: RawPairs, lead: str, chooser: Chooser, where: Where = "text") -> Pairs:
    """The shape of pairs, whose names were found to be names before.

    Args:
        raw: the pairs.
        lead: what stands before a name in its field path.
        chooser: decides for each value.
        where: ``text``, or ``page`` for the query of a source's page.
    """
    fields = field_names(raw, lead)
    pairs = tuple(
        Pair(name=pair.name, value=_value(field, pair.value, chooser, where))
        for field, pair in zip(fields, raw.pairs, strict=True)
    )
    return Pairs(pairs=pairs, escaping=raw.escaping)


def _value(field: str, text: str | None, chooser: Chooser, where: Where) -> JsonText | Hole | None:
    if text is None:
        return None
    inner = inner_document(text, chooser.wanted)
    if inner is None or field in chooser.pins:
        return chooser.choose(field, text, where)
    return JsonText(json_text=strip_json(inner, field, chooser))
