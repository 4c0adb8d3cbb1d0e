"""From a mitmproxy message to what the recorder sees, without changing the message.

Rules:
1. Bodies are decoded only where somebody will read them: media, scripts and styles are no source of
   a live value and cost nothing.
2. A body that was streamed past is ``None``, never empty; one that can't be decoded says why.
"""

from datetime import UTC, datetime
from typing import Any

from mitmproxy.http import Message, Request, Response

from recorder.decoding import Undecodable, decode_body
from recorder.traffic import Headers, RawRequest, RawResponse

_READ = ("text/html", "json", "xhtml", "text/plain", "text/x-component", "graphql")
_MAX_READ = 8 * 1024 * 1024


def raw_request(request: Request) -> RawRequest:
    """The request as it stands on the wire, its body decoded."""
    body, undecodable = _body(request)
    return RawRequest(
        method=request.method.upper(),
        target=request.path,
        headers=_headers(request),
        body=body,
        at=datetime.fromtimestamp(request.timestamp_start, UTC),
        undecodable=undecodable,
    )


def raw_response(response: Response) -> RawResponse:
    """The answer, with its body where it is of a kind that can be a source."""
    kind = response.headers.get("content-type", "").lower()
    raw = response.raw_content
    readable = raw and len(raw) <= _MAX_READ and any(word in kind for word in _READ)
    body = _body(response)[0] if readable else None
    return RawResponse(response.status_code, _headers(response), body or b"")


def _headers(message: Message) -> Headers:
    fields: Any = message.headers
    return tuple((name.lower(), value) for name, value in fields.items(multi=True))


def _body(message: Message) -> tuple[bytes | None, str | None]:
    raw = message.raw_content
    if raw is None:
        return None, None
    encoding = message.headers.get("content-encoding", "")
    if not encoding or not raw:
        return raw, None
    decoded = decode_body(raw, encoding)
    if isinstance(decoded, Undecodable):
        return raw, decoded.reason
    return decoded, None
