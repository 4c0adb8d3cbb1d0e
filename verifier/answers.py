"""What came back from the one send, without its body and without values.

Rules:
1. A body is read once, here, and dropped. What stays is a status, closed words, and at most one
   sentence of the server's from which every sent value was removed in all its spellings.
"""

import html
import re
import unicodedata
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
# Whole class names: "no-error" and "error-template" are on healthy pages. The form must be there
# again: Django, Rails, Bootstrap and WAI-ARIA mark its fields so.
_ERROR_MARK = re.compile(
    rb"\bclass\s*=\s*(?:[\"'](?:[^\"']*\s)?|(?=\w))(?:error|errors|errorlist|errornote|is-invalid|"
    rb"invalid-feedback|alert-danger|field_with_errors)(?=[\s\"'>])"
    rb"|\bid\s*=\s*[\"']?error_explanation\b|\baria-invalid\s*=\s*[\"']?true\b",
    re.IGNORECASE,
)
_FORM = re.compile(rb"<form\b", re.IGNORECASE)
_STATE = re.compile(r"status|state|moderation", re.IGNORECASE)
_PENDING = frozenset(
    {"pending", "queued", "moderation", "awaiting", "scheduled", "hold", "unapproved", "review"}
)
_WORD = re.compile(r"[^\w+/%-]+")
_DEEPEST = 8
_LONGEST_TEXT = 5000
_RUN = 8
_MAX_TEXT = 200
REPLAYED_NOTE = "the server replayed an earlier answer"
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
    if status >= _REDIRECT or "html" not in content_type:
        return False
    return bool(_FORM.search(body) and _ERROR_MARK.search(body))


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
    if any("true" in headers.get(name, "").lower() for name in _REPLAYED) or (
        # A cache that answers a write has not passed it on.
        headers.get("x-cache", "").lower().startswith("hit")
    ):
        yield REPLAYED_NOTE
    if "x-nextjs-action-not-found" in headers:
        yield "the server does not know this action any more: record it again"
    if _is_pending(document):
        yield "the answer says that the record is pending: read back a list that shows such records"


def _is_pending(document: Any) -> bool:
    members = document.items() if isinstance(document, dict) else ()
    for name, value in members:
        if isinstance(value, dict) and any(_waits(*member) for member in value.items()):
            return True
        if _waits(name, value):
            return True
    return False


def _waits(name: str, value: Any) -> bool:
    if not _STATE.search(name) or not isinstance(value, str):
        return False
    return bool(_PENDING & set(re.split(r"[\s_-]+", value.lower())))


_REPLAYED = ("idempotent-replay", "idempotency-replayed", "idempotent-replayed")


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        return None


def _problem(document: Any) -> str | None:
    """The error that a JSON answer reports, or none; empty text for one without words."""
    if isinstance(document, list):
        # A batch of operations has an answer for each.
        problems = (_problem_of(item) for item in document[:10])
        return next((problem for problem in problems if problem is not None), None)
    return _problem_of(document)


def _problem_of(document: Any) -> str | None:
    if not isinstance(document, dict):
        return None
    for name in ("errors", "error"):
        if document.get(name):
            return _words(document[name])
    if document.get("status") in ("error", "fail", "failure"):
        return _words(document.get("message"))
    data = document.get("data")
    payloads = data.values() if isinstance(data, dict) else ()
    for payload in (document, *payloads):
        problem = _refusal(payload)
        if problem is not None:
            return problem
    return None


def _refusal(payload: Any) -> str | None:
    """What a mutation's own payload says against it, by the names that GraphQL servers use."""
    if not isinstance(payload, dict):
        return None
    for name, value in payload.items():
        listed = isinstance(value, list) and any(isinstance(item, dict) for item in value)
        if listed and (name == "errors" or name.lower().replace("_", "").endswith("usererrors")):
            return _words(value)
    if payload.get("success") is False or payload.get("ok") is False:
        return _words(payload.get("message"))
    return None


def _words(problem: Any, depth: int = 0) -> str:
    if isinstance(problem, str):
        return problem
    if depth > _DEEPEST:
        return ""
    if isinstance(problem, list):
        return next((words for item in problem[:5] if (words := _words(item, depth + 1))), "")
    if isinstance(problem, dict):
        for name in ("message", "detail", "title", "code", "error"):
            if isinstance(problem.get(name), str):
                return str(problem[name])
        return _words(list(problem.values()), depth + 1)
    return ""


def _without(text: str, sent_values: Iterable[str]) -> str:
    """The text cut short, or nothing where any spelling of a sent value or a secret is in it.

    A server may show the beginning of a long value only, so a run of a few characters in common
    is enough.
    """
    text = " ".join(text.split())
    if not text or len(text) > _LONGEST_TEXT:
        return ""
    words = {text, *text.split(" "), *_WORD.split(text)}
    said = {_folded(form) for word in words for form in _readings(word)}
    runs = {run for reading in said for run in _runs(reading)}
    for value in sent_values:
        for form in spellings(value):
            shown = _folded(form)
            if shown and any(shown in reading for reading in said):
                return ""
            if any(run in runs for run in _runs(shown)):
                return ""
    return "" if looks_like_secret(text) else text[:_MAX_TEXT]


def _readings(word: str) -> Iterable[str]:
    for form in decoded_forms(word):
        yield form
        yield html.unescape(form)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def _runs(text: str) -> Iterable[str]:
    return (text[start : start + _RUN] for start in range(len(text) - _RUN + 1))
