"""A contract and values → the bytes of one request: the inverse of the recorder's stripping.

Rules:
1. Values cannot leave their place: a path value cannot add a segment, a header value a line, a
   form value a pair.
2. Origin and Referer are built from the card's origin, and only where the page sent them.
3. Cookies are not here: the wire asks the login for them.
"""

import json
import re
from dataclasses import dataclass, field
from typing import assert_never
from urllib.parse import quote

from cards.contract import Contract
from cards.errors import BadCard, BadOrigin, BadSlot
from cards.escaping import encode
from cards.holes import Leaf, SlotRef
from cards.origin import checked_target
from cards.shapes import (
    ArrayShape,
    FormBody,
    JsonBody,
    JsonShape,
    JsonText,
    NoBody,
    ObjectShape,
    OpaqueBody,
    Pair,
    Pairs,
    Target,
)
from replay.filling import Filling, Scalar, scalar_text

_COMPONENT_SAFE = "!'()*-._~"  # ECMAScript encodeURIComponent
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request as it will stand on the wire, without its cookies.

    Attributes:
        target: path and query.
        headers: lower-case names, in order.
    """

    method: str
    target: str = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)


def build(filling: Filling) -> WireRequest:
    """The request of a card with these values.

    Raises:
        BadSlot: a value cannot stand where the card puts it.
    """
    contract = filling.contract
    body = _body(filling)
    return WireRequest(
        contract.method,
        fill_target(contract.target, filling),
        tuple(_headers(contract, filling, body)),
        body,
    )


def fill_target(target: Target, filling: Filling) -> str:
    """A path and query with their holes filled.

    Raises:
        BadSlot: a value would leave its path segment.
        BadCard: the card's own path could be read as another host.
    """
    segments = (part if isinstance(part, str) else _segment(part, filling) for part in target.path)
    path = "/" + "/".join(segments)
    query = fill_pairs(target.query, filling)
    return _checked(f"{path}?{query}" if target.query.pairs else path)


def _checked(target: str) -> str:
    # No slot does this, but a card's file may have been edited by hand.
    try:
        return checked_target(target)
    except BadOrigin as error:
        raise BadCard(
            f"A path of the card is refused. {error.message}", "Record it again."
        ) from None


def fill_pairs(pairs: Pairs, filling: Filling) -> str:
    """A query or form with its holes filled, escaped as it was recorded."""
    return "&".join(_pair(pair, pairs, filling) for pair in pairs.pairs)


def json_text(shape: JsonShape, filling: Filling) -> str:
    """A JSON document as ``JSON.stringify`` writes it."""
    match shape:
        case ObjectShape():
            members = (
                f"{_quoted(name)}:{json_text(member, filling)}"
                for name, member in shape.object.items()
            )
            return "{" + ",".join(members) + "}"
        case ArrayShape():
            return "[" + ",".join(json_text(item, filling) for item in shape.array) + "]"
        case JsonText():
            return _quoted(json_text(shape.json_text, filling))
        case _:
            return _scalar(filling.scalar(shape))


def _scalar(value: Scalar) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return "null" if value is None else scalar_text(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _pair(pair: Pair, pairs: Pairs, filling: Filling) -> str:
    name = "" if pair.name is None else encode(pair.name, pairs.escaping)
    if pair.value is None:
        return name
    if isinstance(pair.value, JsonText):
        text = json_text(pair.value.json_text, filling)
    else:
        text = filling.text(pair.value)
    value = encode(text, pairs.escaping)
    return value if pair.name is None else f"{name}={value}"


def _segment(leaf: Leaf, filling: Filling) -> str:
    value = filling.text(leaf)
    if value in {"", ".", ".."} or _UNPRINTABLE.search(value):
        what = leaf.slot if isinstance(leaf, SlotRef) else "a live value"
        raise BadSlot(
            f"The path can't hold the value of {what}: it is empty, a dot segment, or holds a "
            "control character.",
            "Give an identifier as the site's own URLs have it.",
        )
    return quote(value, safe=_COMPONENT_SAFE)


def _body(filling: Filling) -> bytes:
    body = filling.contract.body
    match body:
        case NoBody():
            return b""
        case JsonBody():
            return json_text(body.content, filling).encode()
        case FormBody():
            return fill_pairs(body.content, filling).encode()
        case OpaqueBody():
            raise BadCard("The card has a body that can't be built.", "Use the page.")
        case _:
            assert_never(body)


def _headers(contract: Contract, filling: Filling, body: bytes) -> list[tuple[str, str]]:
    structural = contract.headers
    headers = [("accept", structural.accept or "*/*")]
    if structural.content_type is not None:
        headers.append(("content-type", structural.content_type))
    if structural.requested_with is not None:
        headers.append(("x-requested-with", structural.requested_with))
    if structural.origin:
        headers.append(("origin", contract.origin))
    if structural.referer:
        headers.append(("referer", f"{contract.origin}/"))
    for name, leaf in contract.custom_headers.items():
        headers.append((name, _header_value(name, filling.text(leaf))))
    headers.append(("content-length", str(len(body))))
    return headers


def _header_value(name: str, value: str) -> str:
    # RFC 9110 section 5.5: a field value holds no line breaks and no NUL.
    if _UNPRINTABLE.search(value) or not value.isascii() or value != value.strip():
        raise BadSlot(
            f"The value of the header {name} holds a character that no header may hold.",
            "Give plain ASCII text without line breaks.",
        )
    return value
