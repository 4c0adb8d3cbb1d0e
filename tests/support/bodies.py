"""Bodies of built requests as tests compare them."""

from replay.building import WireRequest


def body_of(request: WireRequest) -> bytes:
    """The body of a request that sends no file."""
    assert isinstance(request.body, bytes)
    return request.body
