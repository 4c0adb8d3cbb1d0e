"""A contract and values → the bytes of one request: the inverse of the recorder's stripping.

Rules:
1. Values cannot leave their place: a path value cannot add a segment, a header value a line, a
   form value a pair.
2. Origin and Referer are built from the card's origin, and only where the page sent them.
3. Cookies are not here: the wire asks the login for them.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import quote

from cards.contract import Contract
from cards.errors import BadCard, BadOrigin, BadSlot
from cards.holes import Leaf, SlotRef
from cards.origin import checked_target
from cards.shapes import Target
from replay.bodies import build_body, fill_pairs
from replay.filling import Filling
from replay.uploads import Body, size_of

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
    body: Body = field(repr=False)


def build(filling: Filling) -> WireRequest:
    """The request of a card with these values.

    Raises:
        BadSlot: a value cannot stand where the card puts it.
    """
    contract = filling.contract
    body, boundary = build_body(filling)
    return WireRequest(
        contract.method,
        fill_target(contract.target, filling),
        tuple(_headers(contract, filling, body, boundary)),
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


def _headers(
    contract: Contract, filling: Filling, body: Body, boundary: str | None
) -> list[tuple[str, str]]:
    structural = contract.headers
    headers = [("accept", structural.accept or "*/*")]
    if boundary is not None:
        headers.append(("content-type", f"multipart/form-data; boundary={boundary}"))
    elif structural.content_type is not None:
        headers.append(("content-type", structural.content_type))
    if structural.requested_with is not None:
        headers.append(("x-requested-with", structural.requested_with))
    if structural.origin:
        headers.append(("origin", contract.origin))
    if structural.referer:
        headers.append(("referer", f"{contract.origin}/"))
    for name, leaf in contract.custom_headers.items():
        headers.append((name, _header_value(name, filling.text(leaf))))
    headers.append(("content-length", str(size_of(body))))
    return headers


def _header_value(name: str, value: str) -> str:
    # RFC 9110 section 5.5: a field value holds no line breaks and no NUL.
    if _UNPRINTABLE.search(value) or not value.isascii() or value != value.strip():
        raise BadSlot(
            f"The value of the header {name} holds a character that no header may hold.",
            "Give plain ASCII text without line breaks.",
        )
    return value
