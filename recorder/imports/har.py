"""One entry of a HAR as a request and its answer.

Rules:
1. Timing members are not read at all, apart from when the request began.
2. HTTP/2 pseudo headers say nothing that the URL does not; one that says otherwise is refused.
3. Nothing in an entry is of the type that the format promises until it was looked at.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from cards.errors import BadOrigin
from cards.origin import Origin
from recorder.imports.har_body import answered_body, sent_body
from recorder.imports.members import Members, object_of, objects_of, text_of, whole_of
from recorder.imports.passed import Passed
from recorder.traffic import Headers, RawRequest, RawResponse

NO_BODY = "the HAR has no body for this request"
OTHER_AUTHORITY = "its :authority names another host than its URL"
_MUTE = ("image/", "font/", "audio/", "video/", "text/css", "text/javascript", "application/wasm")
_MUTE_WORDS = ("javascript", "font", "application/pdf", "octet-stream")


def target_of(entry: Members, origin: Origin) -> str | None:
    """Path and query of an entry's request, or none where it is of another origin."""
    url = text_of(object_of(entry, "request"), "url")
    # A WebSocket's origin is that of the page's scheme (RFC 6455 section 3).
    try:
        return origin.target_of(re.sub(r"^ws(?=s?:)", "http", url))
    except BadOrigin:
        return None


def method_of(entry: Members) -> str:
    """The request's method in upper case; a read where the entry has none."""
    return text_of(object_of(entry, "request"), "method").upper() or "GET"


def sends_messages(entry: Members) -> bool:
    """Whether the entry is a WebSocket with its messages (Chrome)."""
    return bool(entry.get("_webSocketMessages"))


def may_issue(entry: Members) -> bool:
    """Whether an answer may hold a value that is sent later."""
    response = object_of(entry, "response")
    kind = text_of(object_of(response, "content"), "mimeType").lower()
    if not kind.startswith(_MUTE) and not any(word in kind for word in _MUTE_WORDS):
        return True
    names = (text_of(header, "name").lower() for header in objects_of(response, "headers"))
    return "set-cookie" in names


def read_entry(
    entry: Members, target: str, origin: Origin, *, creator: str, folder: Path
) -> Passed:
    """The request and the answer of an entry.

    Args:
        entry: as it stands in the HAR.
        target: its path and query.
        origin: its origin.
        creator: the program that wrote the HAR.
        folder: where the HAR lies, for bodies beside it.
    """
    sent = object_of(entry, "request")
    headers = _with_kind(_request_headers(sent), text_of(object_of(sent, "postData"), "mimeType"))
    found = dict(reversed(headers))
    body = sent_body(
        sent,
        found.get("content-type", ""),
        found.get("content-encoding", ""),
        found.get("content-length", ""),
        creator=creator,
        folder=folder,
    )
    refused = OTHER_AUTHORITY if _names_another(sent, origin) else None
    if body.content is None:
        refused = refused or NO_BODY
    request = RawRequest(
        method=method_of(entry),
        target=target,
        headers=headers,
        body=body.content,
        at=_time(text_of(entry, "startedDateTime")),
        undecodable=body.undecodable,
    )
    answer = _response(object_of(entry, "response"), folder)
    return Passed(request, answer, refused, tuple(_messages(entry)), body.notes)


def _request_headers(request: Members) -> Headers:
    headers = tuple(_headers(request))
    cookies = [_cookie(cookie) for cookie in objects_of(request, "cookies")]
    if cookies and not any(name == "cookie" for name, _ in headers):
        return (*headers, ("cookie", "; ".join(cookies)))
    return headers


def _response(response: Members, folder: Path) -> RawResponse | None:
    status = whole_of(response, "status")
    if status <= 0:
        return None
    content = object_of(response, "content")
    headers = tuple(_headers(response))
    if not any(name == "set-cookie" for name, _ in headers):
        cookies = (_cookie(cookie) for cookie in objects_of(response, "cookies"))
        headers += tuple(("set-cookie", cookie) for cookie in cookies)
    headers = _with_kind(headers, text_of(content, "mimeType"))
    if text_of(content, "encoding") != "base64" and not text_of(content, "_file"):
        headers = tuple(_in_utf8(*header) for header in headers)
    return RawResponse(status, headers, answered_body(content, folder))


def _headers(message: Members) -> Iterator[tuple[str, str]]:
    for header in objects_of(message, "headers"):
        name = text_of(header, "name").lower()
        if not name or name.startswith(":"):
            continue
        # Chrome writes several Set-Cookie headers as one, with line breaks between.
        for value in text_of(header, "value").split("\n"):
            yield name, value.strip()


def _cookie(cookie: Members) -> str:
    return f"{text_of(cookie, 'name')}={text_of(cookie, 'value')}"


def _with_kind(headers: Headers, kind: str) -> Headers:
    known = any(name == "content-type" for name, _ in headers)
    return headers if known or "/" not in kind else (*headers, ("content-type", kind))


def _in_utf8(name: str, value: str) -> tuple[str, str]:
    # The text of a HAR was decoded already, and is encoded again as UTF-8.
    return name, re.sub(r"(?i);\s*charset=[^;]*", "", value) if name == "content-type" else value


def _names_another(request: Members, origin: Origin) -> bool:
    for header in objects_of(request, "headers"):
        if text_of(header, "name").lower() == ":authority":
            try:
                named = Origin.of_url(f"{origin.scheme}://{text_of(header, 'value')}")
            except BadOrigin:
                return True
            if named != origin:
                return True
    return False


def _messages(entry: Members) -> Iterator[bytes]:
    for message in objects_of(entry, "_webSocketMessages"):
        if text_of(message, "type") == "send":
            yield text_of(message, "data").encode("utf-8", "surrogatepass")


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return datetime.now(UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
