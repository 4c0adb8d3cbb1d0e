"""Paths and queries of targets: words stay, identifiers become holes.

Rules:
1. A segment that looks like an identifier becomes a slot named after the segment before it, unless
   a declared slot or a live value fits.
2. A source's page follows the same rules, but needs no live value of its own, and a page whose
   URL holds a token can't be fetched again.
"""

from cards.holes import Hole, SlotRef
from cards.shapes import PathShape, Target
from cards.suspicion import looks_like_identifier
from recorder.choosing import Chooser
from recorder.decoding import percent_decoded
from recorder.escaping import RawPairs
from recorder.judging import is_token
from recorder.naming import is_name
from recorder.parsed import pair_names, take_target_apart
from recorder.shapes_of import generated_shape
from recorder.strip_pairs import strip_pairs

_ROOT = "path"


def strip_path(segments: tuple[str, ...], chooser: Chooser) -> PathShape:
    """The decisive request's path."""
    shape: list[str | Hole] = []
    before = _ROOT
    for index, segment in enumerate(segments):
        hole = _hole(f"path:{index}", segment, before, chooser)
        shape.append(segment if hole is None else hole)
        before = (segment or before) if hole is None else before
    return tuple(shape)


def _hole(field: str, segment: str, before: str, chooser: Chooser) -> Hole | None:
    text = percent_decoded(segment, plus=False)
    if text is None:
        return chooser.path_slot(field, segment, before)
    known = chooser.pins.hole_for(field, text) or chooser.declared_slot(field, text, "text")
    if known is not None or not looks_like_identifier(text):
        return known
    return chooser.live_value(field, text) or chooser.path_slot(field, text, before)


def page_target(target: str, chooser: Chooser, may_ask: bool) -> Target | None:
    """A source's page as the card writes it, or none where it can't be fetched again.

    Args:
        target: as it was fetched.
        chooser: of the decisive request, whose slots the page shares.
        may_ask: whether the page may need slots that the request itself does not have.
    """
    segments, query = take_target_apart(target)
    texts = [percent_decoded(segment, plus=False) for segment in segments]
    if query is None or None in texts or not all(map(is_name, pair_names(query, chooser.wanted))):
        return None
    identifiers = [text for text in texts if text is not None and looks_like_identifier(text)]
    values = _caller_values(query, chooser)
    unknown = [text for text in (*identifiers, *values) if not chooser.can_name(text)]
    if (unknown and not may_ask) or any(map(is_token, set(values) & set(unknown))):
        return None
    path = _page_path(segments, chooser)
    return Target(path=path, query=strip_pairs(query, "query:", chooser, "page"))


def _caller_values(query: RawPairs, chooser: Chooser) -> list[str]:
    return [
        pair.value
        for pair in query.pairs
        if pair.value is not None
        and generated_shape(pair.value, pair.name or "", chooser.at, as_text=False) is None
    ]


def _page_path(segments: tuple[str, ...], chooser: Chooser) -> PathShape:
    shape: list[str | Hole] = []
    before = _ROOT
    for index, segment in enumerate(segments):
        text = percent_decoded(segment, plus=False) or ""
        hole: Hole | None = chooser.declared_slot("page", text, "page")
        if not isinstance(hole, SlotRef):
            hole = None
        if hole is None and looks_like_identifier(text):
            hole = chooser.path_slot(f"page:{index}", text, before)
        shape.append(segment if hole is None else hole)
        before = (segment or before) if hole is None else before
    return tuple(shape)
