"""Leaves of JSON answers.

Rules:
1. A key that carries a value (``{"users": {"4711": …}}``) makes no path.
2. An item of a list is somebody's choice: it is offered as choosable, because its index means
   another record tomorrow. Only a secret by its name that stands in a list of one is none.
"""

from collections.abc import Iterator
from functools import lru_cache

from cards.suspicion import looks_like_identifier, names_a_secret
from recorder.naming import is_name
from recorder.sources.offers import Exchange, JsonPlace, Offer
from recorder.strict_json import Json, NotJson, json_text, parse_json

# Guards against scripts that read it as code, put before the JSON by some servers.
_SHORTEST = 4
_GUARDS = (")]}',\n", ")]}'\n", "for(;;);", "while(1);")


def find_json_leaves(exchange: Exchange) -> Iterator[Offer]:
    """Every text and number of a JSON answer that is not too short to be told apart."""
    body = exchange.response.body
    start = body[:64].lstrip()[:1]
    if start not in (b"{", b"[", b")", b"f", b"w", b'"') or exchange.media_type == "text/html":
        return
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return
    guard = next((guard for guard in _GUARDS if text.startswith(guard)), "")
    document = parse_json(text[len(guard) :])
    if not isinstance(document, NotJson):
        yield from _leaves(document, (), named=True, several=False)


def _leaves(
    value: Json, path: tuple[str | int, ...], *, named: bool, several: bool
) -> Iterator[Offer]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key), named=named and _is_key(key), several=several)
    elif isinstance(value, list):
        many = several or len(value) > 1
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index), named=named, several=many)
    elif isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        text = json_text(value)
        # Shorter values match by accident only; most leaves of most answers are such.
        if len(text) >= _SHORTEST:
            yield Offer(text, _place(path, several=several) if named else None)


def _place(path: tuple[str | int, ...], *, several: bool) -> JsonPlace:
    if several or not any(isinstance(key, int) for key in path):
        return JsonPlace(path, several)
    return JsonPlace(path, not names_a_secret(JsonPlace(path).name))


@lru_cache(maxsize=4096)
def _is_key(key: str) -> bool:
    return is_name(key) and not looks_like_identifier(key)
