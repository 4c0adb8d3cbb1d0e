"""Valid-by-default traffic; a test changes only what it is about."""

import json
from datetime import UTC, datetime
from typing import Any

from cards.holes import SlotType, infer_slot_type
from cards.origin import Origin
from recorder.prelude import Prelude
from recorder.stripping import Stripped, strip
from recorder.traffic import Declared, DeclaredSlot, RawRequest, RawResponse

ORIGIN = Origin.parse("https://app.example.test")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


def arequest(
    target: str = "/api/messages",
    body: Any = None,
    *,
    method: str = "POST",
    headers: dict[str, str] | tuple[tuple[str, str], ...] = (),
    kind: str | None = None,
    page: str | None = None,
    **changes: Any,
) -> RawRequest:
    pairs = list(headers.items() if isinstance(headers, dict) else headers)
    if isinstance(body, str):
        pairs.insert(0, ("content-type", kind or FORM))
        raw: bytes | None = body.encode()
    elif isinstance(body, bytes) or body is None:
        raw = body or b""
        if kind:
            pairs.insert(0, ("content-type", kind))
    else:
        pairs.insert(0, ("content-type", kind or JSON))
        raw = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
    if page is not None:
        pairs.append(("referer", f"{ORIGIN}{page}"))
    members = {
        "method": method,
        "target": target,
        "headers": tuple(pairs),
        "body": raw,
        "at": NOON,
        **changes,
    }
    return RawRequest(**members)


def aget(target: str, **headers: str) -> RawRequest:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return RawRequest(method="GET", target=target, headers=pairs, body=b"", at=NOON)


def ananswer(body: Any = b"", kind: str = "text/html", **changes: Any) -> RawResponse:
    headers = [("content-type", kind if not isinstance(body, dict | list) else JSON)]
    for name, value in changes.pop("headers", ()):
        headers.append((name, value))
    if isinstance(body, dict | list):
        body = json.dumps(body).encode()
    raw = body.encode() if isinstance(body, str) else body
    return RawResponse(changes.pop("status", 200), tuple(headers), raw)


def aprelude(*exchanges: tuple[RawRequest, RawResponse]) -> Prelude:
    prelude = Prelude(ORIGIN)
    for request, response in exchanges:
        prelude.saw(request, response)
    return prelude


def declared(
    pins: dict[str, str] | None = None, kept: frozenset[str] = frozenset(), **values: str
) -> Declared:
    slots = {name: aslot(name, value) for name, value in values.items()}
    return Declared(slots=slots, pins=pins or {}, kept=kept)


def aslot(name: str, value: str, kind: SlotType | None = None) -> DeclaredSlot:
    return DeclaredSlot(name=name, value=value, type=kind or infer_slot_type(value))


def stripped(request: RawRequest, said: Declared | None = None, **changes: Any) -> Stripped:
    members = {
        "origin": ORIGIN,
        "action": "send_message",
        "declared": said or declared(),
        "prelude": changes.pop("prelude", None) or Prelude(ORIGIN),
        "readback": None,
        **changes,
    }
    return strip(request, **members)


def shape(result: Stripped) -> Any:
    """The body's shape as people read it."""
    body = result.contract.pretty()["body"]
    return body.get("content", body)


def text_of(result: Stripped) -> str:
    """Everything that would be written of it."""
    return json.dumps(result.contract.pretty()) + str(result.ui_only)


def leaf(result: Stripped, *path: str) -> Any:
    here = shape(result)
    for name in path:
        here = here["object"][name]
    return here


def values_of(result: Stripped) -> dict[str, Any]:
    return {pair["name"]: pair.get("value") for pair in shape(result)["pairs"]}


def sources(result: Stripped) -> dict[str, Any]:
    live = result.contract.pretty().get("live", {})
    return {name: value["source"] for name, value in live.items()}


def only_source(result: Stripped) -> Any:
    (source,) = sources(result).values()
    return source


def sent_in_header(value: str, *exchanges: Any, **changes: Any) -> Stripped:
    """What is left of a message whose token stands in a header."""
    headers = {"x-csrf-token": value, **changes.pop("headers", {})}
    request = arequest(body={"text": "zebra"}, headers=headers, **changes)
    return stripped(request, declared(message="zebra"), prelude=aprelude(*exchanges))
