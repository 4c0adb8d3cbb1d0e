"""The last look at a card before it is written: is a captured value in it?

Rules:
1. This is a net below the structure, for mistakes of ours: nothing here decides what a card holds.
2. Names, words of the path and what the author wrote may be equal to a value; they stay.
3. A value that could be equal by accident counts only where it is a whole text of the request's
   own shape; any other counts wherever it stands, in each of its spellings.
"""

import re
from collections.abc import Iterator
from typing import Any

from cards.contract import Contract
from cards.spellings import spellings
from recorder.judging import distinctive
from recorder.naming import identifier
from recorder.parsed import MultipartContent, Parsed, member_names, pair_names, scalars
from recorder.sources.cookies import sent_cookies
from recorder.strict_json import json_text
from recorder.traffic import Declared, RawRequest

_LONGEST_HARMLESS = 3
# Members whose values come from a closed vocabulary, or from the author.
_CLOSED = frozenset(
    {"method", "type", "kind", "transforms", "decode", "prefix", "escaping", "headers"}
    | {"action", "origin", "readback", "pin", "choices", "length"}
    | {"operation", "word", "place", "content_type"}
)
# Names that we made, of the site's names.
_REFERENCES = frozenset({"slot", "live", "generated", "each", "file"})
# Members whose keys are names; all other keys are ours.
_BY_NAME = frozenset({"object", "custom_headers", "slots", "live", "generated"})
_OWN = ("target", "body", "custom_headers")


def no_captured_value(
    contract: Contract,
    request: RawRequest,
    declared: Declared,
    parsed: Parsed,
    spoken: frozenset[str] = frozenset(),
) -> bool:
    """Whether no captured scalar longer than three characters stands in a contract.

    Args:
        contract: what would be written.
        request: what was captured.
        declared: what the author said.
        parsed: the request, taken apart.
        spoken: field paths of what a protocol's rules keep.
    """
    words = set(_site_words(request, parsed))
    shown = contract.pretty()
    texts = {re.sub(r"_[0-9]+$", "", text): text for text in _texts(shown)}
    everything = "\n".join(text for stem, text in texts.items() if {stem, text}.isdisjoint(words))
    own = {text for name in _OWN for text in _texts(shown.get(name, {}), name)} - words
    return not any(
        form in own or (distinctive(form) and form in everything)
        for value in _captured(request, declared, parsed, spoken)
        for form in spellings(value)
        if len(form) > _LONGEST_HARMLESS and form not in words
    )


def _captured(
    request: RawRequest, declared: Declared, parsed: Parsed, spoken: frozenset[str]
) -> Iterator[str]:
    for slot in declared.slots.values():
        yield from slot.texts
    for item in scalars(parsed):
        kept = item.value is None or isinstance(item.value, bool) or item.field in spoken
        if not kept:
            yield json_text(item.value)
    if isinstance(parsed.content, MultipartContent):
        yield from (part.file_name for part in parsed.content.parts)
    for _, value in sent_cookies(request):
        yield value
    for name, value in request.headers:
        if name not in ("content-type", "accept", "cookie", "origin", "host"):
            yield value


def _site_words(request: RawRequest, parsed: Parsed) -> Iterator[str]:
    names = [*member_names(parsed), *(name for name, _ in request.headers)]
    if parsed.query is not None:
        names += pair_names(parsed.query, parsed.wanted)
    yield from parsed.segments
    yield from (name for name, _ in sent_cookies(request))
    yield from names
    yield from map(identifier, [*names, *parsed.segments])


def _texts(tree: Any, member: str = "") -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            if member in _BY_NAME:
                yield key
            if member in _BY_NAME or not _is_ours(key, value):
                yield from _texts(value, "" if member in _BY_NAME else key)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _texts(value)


def _is_ours(key: str, value: Any) -> bool:
    return key in _CLOSED or (key in _REFERENCES and isinstance(value, str))
