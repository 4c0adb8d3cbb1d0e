"""Values that a page's inline scripts and data attributes hold.

Rules:
1. Pages are read as the verifier reads them for replay, so that a place means the same to both.
2. A name that carries a value makes no place, and neither does an item of a list.
"""

from collections.abc import Iterator

from cards.suspicion import looks_like_identifier
from recorder.naming import is_name
from recorder.sources.offers import Exchange, Offer, ScriptPlace
from verifier.scripts import single_places

_SHORTEST = 4


def find_scripts(exchange: Exchange) -> Iterator[Offer]:
    """Every text and number of a page's scripts that is not too short to be told apart."""
    body = exchange.response.body
    if "html" not in exchange.media_type or b"<" not in body[:4096]:
        return
    for (where, name, path), value in single_places(body).items():
        if value is not None and len(value) >= _SHORTEST:
            place = ScriptPlace(where, name, path)
            yield Offer(value, place if _is_place(place) else None)


def _is_place(place: ScriptPlace) -> bool:
    keys = (key for key in place.path if isinstance(key, str))
    indexes = any(isinstance(key, int) for key in place.path)
    named = is_name(place.holder) and all(
        is_name(key) and not looks_like_identifier(key) for key in keys
    )
    return named and not indexes
