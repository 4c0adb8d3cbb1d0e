"""A captured request, stripped and built again with other values: what the next run sends."""

from collections.abc import Mapping

from cards.contract import Contract
from recorder.traffic import Declared, RawRequest
from replay.building import WireRequest, build
from replay.filling import Filling
from replay.generated import generate
from replay.slots import check_values
from replay.uploads import Pieces
from tests.recorder.traffic import stripped


def contract_of(request: RawRequest, declared: Declared) -> Contract:
    """The contract of a request that a card can hold."""
    result = stripped(request, declared)
    assert result.ui_only is None, result.ui_only
    return result.contract


def resent(
    request: RawRequest,
    declared: Declared,
    values: Mapping[str, object],
    live: Mapping[str, str] | None = None,
) -> WireRequest:
    """The request again, with a caller's values."""
    contract = contract_of(request, declared)
    typed = check_values(contract, values)
    return build(Filling(contract, typed, live or {}, generate(contract)))


async def body_bytes(request: WireRequest) -> bytes:
    """The body's bytes, files read, a boundary written as ``B``."""
    body = request.body
    if not isinstance(body, Pieces):
        return body
    content = b"".join([chunk async for chunk in body.chunks()])
    boundary = dict(request.headers)["content-type"].partition("boundary=")[2]
    return content.replace(boundary.encode(), b"B")
