"""What the browser's own storage holds, read from a page that is open at the seal; in memory only.

Rules:
1. A page that does not answer at once is not waited for: the request stands at the door meanwhile.
2. Only the card's own origin is read.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from cards.errors import BadOrigin
from cards.origin import Origin
from cards.suspicion import looks_like_identifier
from recorder.naming import is_name
from recorder.sources.offers import Offer, StoragePlace
from verifier.login import Area, Login

_PATIENCE_S = 1.0
_MAX_ITEM = 256 * 1024
_READ = """() => ({
  local: Object.fromEntries(Object.entries(localStorage)),
  session: Object.fromEntries(Object.entries(sessionStorage)),
})"""
_AREAS: tuple[Area, ...] = ("local", "session")
Stored = Mapping[Area, Mapping[str, str]]
NOTHING: Stored = {"local": {}, "session": {}}


async def stored_in(page: Any, origin: Origin) -> Stored:
    """The items that a Playwright page of the origin can read; none where it does not answer."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            for frame in page.frames:
                if _is_of(frame.url, origin):
                    read: Stored = await frame.evaluate(_READ)
                    return read
    except Exception:  # noqa: BLE001 (a page may break in any way; the recording goes on without)
        return NOTHING
    return NOTHING


def stored_by(login: Login, origin: Origin) -> Stored:
    """The items that a login file holds."""
    return {area: login.stored(origin, area) for area in _AREAS}


def find_stored(stored: Stored) -> Iterator[Offer]:
    """Every text of the items, those inside JSON documents too."""
    for area in _AREAS:
        for key, item in stored[area].items():
            if is_name(key) and len(item) <= _MAX_ITEM:
                yield Offer(item, StoragePlace(area, key, ()))
                yield from _leaves(area, key, _document(item), ())


def _leaves(area: Area, key: str, value: Any, path: tuple[str | int, ...]) -> Iterator[Offer]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if is_name(name) and not looks_like_identifier(name):
                yield from _leaves(area, key, inner, (*path, name))
    elif isinstance(value, str) and path:
        yield Offer(value, StoragePlace(area, key, path))


def _document(item: str) -> Any:
    try:
        return json.loads(item) if item.lstrip()[:1] == "{" else None
    except (ValueError, RecursionError):
        return None


def _is_of(url: str, origin: Origin) -> bool:
    try:
        return Origin.of_url(url) == origin
    except BadOrigin:
        return False
