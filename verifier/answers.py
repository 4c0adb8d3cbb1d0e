"""What came back from the one send, without its body and without values.

Rules:
1. A body is read once, here, and dropped. What stays is a status, closed words, and at most one
   sentence of the server's from which every sent value was removed in all its spellings.
"""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from cards.errors import BadOrigin
from cards.origin import Origin
from cards.spellings import spellings
from cards.suspicion import decoded_forms, looks_like_secret
from verifier.login_pages import has_login_form, is_login_target

Kind = Literal["accepted", "login", "application_error", "client_error", "server_error"]
NoAnswerReason = Literal["timeout", "reset", "connect", "protocol", "off_origin", "cancelled"]
_ERROR_MARK = re.compile(
    rb"class\s*=\s*[\"'][^\"']*\b(?:error|errors|errorlist|errornote|is-invalid|invalid-feedback|"
    rb"alert-danger|field_with_errors)\b|aria-invalid\s*=\s*[\"']?true",
    re.IGNORECASE,
)
_PENDING = frozenset({"pending", "queued", "moderation", "awaiting", "scheduled"})
_MAX_TEXT = 200
# With these statuses a JSON error speaks of the values; with any other 4xx, of the request.
_UNPROCESSED = frozenset({400, 422})
_UNAUTHORIZED, _CLIENT_ERROR, _SERVER_ERROR, _REDIRECT = 401, 400, 500, 300


@dataclass(frozen=True, slots=True)
class Answered:
    """The server answered.

    Attributes:
        status: of the answer.
        kind: what the answer says of itself; never whether it worked.
        detail: the server's reason without any sent value, or empty.
        notes: closed words about the answer that a person should know.
    """

    status: int
    kind: Kind
    detail: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        status: int,
        headers: Mapping[str, str],
        body: bytes,
        *,
        origin: Origin,
        sent_values: Iterable[str] = (),
    ) -> "Answered":
        """Read an answer once.

        Args:
            status: of the answer.
            headers: by lower-case name.
            body: what was read of it.
            origin: the card's, against which a redirect is judged.
            sent_values: every value of this run; none of them stays in ``detail``.
        """
        content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        document = _json(body) if "json" in content_type or body[:1] in b"{[" else None
        notes = tuple(_notes(status, headers, document, origin))
        if _is_login(status, headers, content_type, body, origin):
            return cls(status, "login", notes=notes)
        problem = _problem(document)
        detail = _without(problem or "", sent_values)
        if status >= _SERVER_ERROR:
            return cls(status, "server_error", detail, notes)
        reported = problem is not None and (status < _CLIENT_ERROR or status in _UNPROCESSED)
        if reported or _shows_form_errors(status, content_type, body):
            return cls(status, "application_error", detail, notes)
        if status >= _CLIENT_ERROR:
            return cls(status, "client_error", detail, notes)
        return cls(status, "accepted", detail, notes)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No answer came.

    Attributes:
        reason: what happened instead.
        maybe_sent: whether any byte may have reached the server.
    """

    reason: NoAnswerReason
    maybe_sent: bool


def _shows_form_errors(status: int, content_type: str, body: bytes) -> bool:
    # A redirect has accepted the form; only a page shown in its place can complain of it.
    return status < _REDIRECT and "html" in content_type and bool(_ERROR_MARK.search(body))


def _is_login(
    status: int, headers: Mapping[str, str], content_type: str, body: bytes, origin: Origin
) -> bool:
    if status == _UNAUTHORIZED or has_login_form(content_type, body):
        return True
    return _REDIRECT <= status < _CLIENT_ERROR and _leads_to_login(headers, origin)


def _leads_to_login(headers: Mapping[str, str], origin: Origin) -> bool:
    try:
        return is_login_target(origin.follow(headers.get("location", "/")))
    except BadOrigin:
        return False


def _notes(status: int, headers: Mapping[str, str], document: Any, origin: Origin) -> Iterable[str]:
    if _REDIRECT <= status < _CLIENT_ERROR and "location" in headers:
        try:
            origin.follow(headers["location"])
        except BadOrigin:
            yield "the answer leads to another origin and was not followed"
    if any("true" in headers.get(name, "") for name in _REPLAYED):
        yield "the server replayed an earlier answer"
    if "x-nextjs-action-not-found" in headers:
        yield "the server does not know this action any more: record it again"
    if isinstance(document, dict):
        words = {str(value).lower() for value in document.values() if isinstance(value, str)}
        if words & _PENDING:
            yield "the answer says that the record is pending"


_REPLAYED = ("idempotent-replay", "idempotency-replayed", "idempotent-replayed")


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def _problem(document: Any) -> str | None:
    """The error that a JSON answer reports, or none; empty text for one without words."""
    if isinstance(document, list):
        problems = (_problem(item) for item in document[:10])
        return next((problem for problem in problems if problem is not None), None)
    if not isinstance(document, dict):
        return None
    for name in ("errors", "error", "userErrors"):
        if document.get(name):
            return _words(document[name])
    if document.get("success") is False or document.get("ok") is False:
        return _words(document.get("message"))
    if document.get("status") in ("error", "fail", "failure"):
        return _words(document.get("message"))
    data = document.get("data")
    payloads = data.values() if isinstance(data, dict) else ()
    for payload in payloads:
        if isinstance(payload, dict) and payload.get("userErrors"):
            return _words(payload["userErrors"])
    return None


def _words(problem: Any) -> str:
    if isinstance(problem, str):
        return problem
    if isinstance(problem, list):
        return next((words for item in problem[:5] if (words := _words(item))), "")
    if isinstance(problem, dict):
        for name in ("message", "detail", "title", "code", "error"):
            if isinstance(problem.get(name), str):
                return str(problem[name])
        return next((words for item in list(problem.values())[:5] if (words := _words(item))), "")
    return ""


def _without(text: str, sent_values: Iterable[str]) -> str:
    """The text cut short, or nothing where any spelling of a sent value or a secret is in it."""
    text = " ".join(text.split())[:_MAX_TEXT]
    plain = {html.unescape(form) for form in decoded_forms(text)}
    folded = {form.casefold() for form in plain | decoded_forms(text)}
    for value in sent_values:
        for form in spellings(value):
            shown = " ".join(form.split()).casefold()
            if shown and any(shown in spelling for spelling in folded):
                return ""
    return "" if looks_like_secret(text) else text
