"""Queries and forms: names and order stay, values become holes."""

from cards.holes import SlotRef
from cards.shapes import Pair, Pairs
from recorder.choosing import Chooser, Where
from recorder.escaping import RawPairs
from recorder.lists import run_of
from recorder.parsed import field_names
from recorder.strip_fields import strip_field


def strip_pairs(raw: RawPairs, lead: str, chooser: Chooser, where: Where = "text") -> Pairs:
    """The shape of pairs, whose names were found to be names before.

    Args:
        raw: the pairs.
        lead: what stands before a name in its field path.
        chooser: decides for each value.
        where: ``text``, or ``page`` for the query of a source's page.
    """
    repeated, inside = _repeated(raw, chooser) if where == "text" else ({}, frozenset())
    pairs = []
    for index, (field, pair) in enumerate(zip(field_names(raw, lead), raw.pairs, strict=True)):
        if index in repeated:
            pairs.append(repeated[index])
        elif index not in inside:
            value = pair.value
            hole = None if value is None else strip_field(field, value, chooser, where)
            pairs.append(Pair(name=pair.name, value=hole))
    return Pairs(pairs=tuple(pairs), escaping=raw.escaping)


def _repeated(raw: RawPairs, chooser: Chooser) -> tuple[dict[int, Pair], frozenset[int]]:
    """The pair of each list slot at its first place, and all of the places."""
    first: dict[int, Pair] = {}
    inside: set[int] = set()
    names, texts = [pair.name for pair in raw.pairs], [pair.value for pair in raw.pairs]
    for slot in chooser.values.lists:
        start = run_of(names, texts, slot)
        if start >= 0 and names[start] is not None:
            chooser.define_declared(slot.name)
            first[start] = Pair(name=names[start], value=SlotRef(slot=slot.name), each=slot.name)
            inside |= {*range(start, start + len(slot.items))}
    return first, frozenset(inside)
