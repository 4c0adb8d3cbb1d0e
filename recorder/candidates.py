"""Which request may be the decisive one, with a named reason for each that is not.

Rules:
1. Only what changes state and carries a declared value can be the one; a body that nobody can
   read, or that hides its values, might, so it is one too, and its card says why it can't be
   replayed.
2. What looks like telemetry or a draft is a hint, never a refusal: some sites save as one types.
"""

import base64
import json
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

from cards.decodings import decode
from recorder.graphql import graphql_kind
from recorder.hints import hint_in_members, hint_of
from recorder.matching import DeclaredValues
from recorder.parsed import MultipartContent, Parsed, Unreadable, scalars, take_request_apart
from recorder.strict_json import NotJson, json_text, parse_json
from recorder.traffic import Declared, RawRequest
from recorder.unreplayable import hides_values

_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_SHORTEST_PART = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A request that may perform the action.

    Attributes:
        slots_carried: names of the declared slots whose value it carries; none where its body
            can't be read.
        hint: what it looks like besides the action (``telemetry``, ``a draft``), or none.
    """

    slots_carried: frozenset[str]
    hint: str | None = None

    @property
    def telemetry_hint(self) -> bool:
        """Whether it looks like something besides the action."""
        return self.hint is not None


@dataclass(frozen=True, slots=True)
class NotACandidate:
    """A request that cannot be the one; ``reason`` is one sentence without values."""

    reason: str


def judge(request: RawRequest, declared: Declared) -> Candidate | NotACandidate:
    """Whether a same-origin request may be the decisive one."""
    refused = _refusal(request)
    if refused is not None:
        return NotACandidate(refused)
    hint = hint_of(request)
    unread = request.body is None or request.undecodable is not None
    if unread and hint is None:
        return Candidate(frozenset())
    parsed = take_request_apart(request, declared)
    carried = _slots_carried(request, declared, parsed)
    if carried or (hint is None and hides_values(request, parsed)):
        return Candidate(carried, hint or hint_in_members(parsed))
    return NotACandidate("it carries no declared slot value")


def _refusal(request: RawRequest) -> str | None:
    if (request.header("upgrade") or "").lower() == "websocket":
        return "the action is on a WebSocket, if it is here"
    if request.method not in _CHANGING:
        return "its method changes nothing"
    if is_prefetch(request):
        return "it is a prefetch"
    if _only_reads(request):
        return "it is a GraphQL query"
    return None


def is_prefetch(request: RawRequest) -> bool:
    """Whether the browser fetches ahead of what somebody may do."""
    purposes = (request.header(name) for name in ("sec-purpose", "purpose", "x-moz"))
    return any("prefetch" in (purpose or "").lower() for purpose in purposes)


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
        body = request.body or b""
        carried |= _in_bytes(body, declared) | _in_bytes(_of_base64(body), declared)
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


def _of_base64(body: bytes) -> bytes:
    # gRPC-web's text form is base64 around the same frames.
    try:
        return base64.b64decode(body, validate=True)
    except ValueError:
        return b""


def _in_bytes(body: bytes, declared: Declared) -> set[str]:
    return {
        slot.name
        for slot in declared.slots.values()
        for value in slot.texts
        if any(form.encode("utf-8", "replace") in body for form in raw_forms(value))
    }


def raw_forms(value: str) -> set[str]:
    """The spellings of a value that may stand in bytes that nothing here takes apart."""
    forms = {
        value,
        quote(value, safe="", errors="replace"),
        quote_plus(value, errors="replace"),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(value)[1:-1])[1:-1],
    }
    return {form for form in forms if len(form) > 1}
