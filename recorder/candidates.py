"""Which request may be the decisive one, with a named reason for each that is not.

Rules:
1. Only what changes state and carries a declared value can be the one; a body that nobody can
   read might, so it is one too, and its card says why it can't be replayed.
2. A path that speaks of telemetry or drafts is a hint, never a refusal: some sites save as one
   types.
"""

import json
import re
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

from cards.decodings import decode
from recorder.graphql import graphql_kind
from recorder.matching import DeclaredValues
from recorder.parsed import MultipartContent, Parsed, Unreadable, scalars, take_request_apart
from recorder.strict_json import NotJson, json_text, parse_json
from recorder.traffic import Declared, RawRequest

_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_HINT_WORDS = re.compile(
    r"(?:^|[^a-z])(?:telemetry|analytics?|beacons?|collect|track(?:ing)?|metrics?|logs?|rum|"
    r"heartbeat|ping|presence|drafts?|autosave|previews?|validate)(?![a-z])"
)
_SHORTEST_PART = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A request that may perform the action.

    Attributes:
        slots_carried: names of the declared slots whose value it carries; none where its body
            can't be read.
        telemetry_hint: its path speaks of telemetry, drafts or previews.
    """

    slots_carried: frozenset[str]
    telemetry_hint: bool


@dataclass(frozen=True, slots=True)
class NotACandidate:
    """A request that cannot be the one; ``reason`` is one sentence without values."""

    reason: str


def judge(request: RawRequest, declared: Declared) -> Candidate | NotACandidate:
    """Whether a same-origin request may be the decisive one."""
    refused = _refusal(request)
    if refused is not None:
        return NotACandidate(refused)
    hint = bool(_HINT_WORDS.search(request.target.partition("?")[0].lower()))
    unread = request.body is None or request.undecodable is not None
    if unread and not hint:
        return Candidate(frozenset(), telemetry_hint=False)
    parsed = take_request_apart(request, declared)
    carried = _slots_carried(request, declared, parsed)
    if not carried:
        return NotACandidate("it carries no declared slot value")
    return Candidate(carried, hint)


def _refusal(request: RawRequest) -> str | None:
    if (request.header("upgrade") or "").lower() == "websocket":
        return "the action is on a WebSocket, if it is here"
    if request.method not in _CHANGING:
        return "its method changes nothing"
    purposes = (request.header("sec-purpose"), request.header("purpose"))
    if any("prefetch" in (purpose or "").lower() for purpose in purposes):
        return "it is a prefetch"
    if _only_reads(request):
        return "it is a GraphQL query"
    return None


def _only_reads(request: RawRequest) -> bool:
    if not request.body or b"query" not in request.body:
        return False
    try:
        document = parse_json(request.body.decode())
    except UnicodeDecodeError:
        return False
    return not isinstance(document, NotJson) and graphql_kind(document) == "read"


def _slots_carried(request: RawRequest, declared: Declared, parsed: Parsed) -> frozenset[str]:
    items = list(scalars(parsed))
    values = DeclaredValues(declared, items)
    carried: set[str] = set()
    for item in items:
        carried |= values.names_in(item.field, item.value)
        text = "" if item.value is None else json_text(item.value)
        carried |= _inside(text, declared)
        plain = decode(text, "base64") if text else None
        carried |= _inside(plain or "", declared)
    if isinstance(parsed.content, MultipartContent):
        files = (part for part in parsed.content.parts if part.text is None)
        carried |= {name for part in files if (name := values.file_for(part)) is not None}
    if isinstance(parsed.content, Unreadable):
        carried |= _in_bytes(request.body or b"", declared)
    return frozenset(carried)


def _inside(text: str, declared: Declared) -> set[str]:
    if len(text) < _SHORTEST_PART:
        return set()
    return {
        slot.name
        for slot in declared.slots.values()
        for value in slot.texts
        if len(value) >= _SHORTEST_PART and (value in text or json.dumps(value)[1:-1] in text)
    }


def _in_bytes(body: bytes, declared: Declared) -> set[str]:
    return {
        slot.name
        for slot in declared.slots.values()
        for value in slot.texts
        if any(form.encode("utf-8", "replace") in body for form in _raw_forms(value))
    }


def _raw_forms(value: str) -> set[str]:
    forms = {
        value,
        quote(value, safe="", errors="replace"),
        quote_plus(value, errors="replace"),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(value)[1:-1])[1:-1],
    }
    return {form for form in forms if len(form) > 1}
