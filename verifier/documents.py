"""What an answer to the readback holds: a document, its records, the number of all records.

Rules:
1. An answer that is not the collection is ``CountFailed`` with its reason, never an empty one.
2. 304 is never evidence: what the cache has may be older than the action.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from cards.readback import Path, Readback
from verifier.fetched import Fetched, FetchFailed
from verifier.login_pages import is_login_answer
from verifier.paths import MISSING, at, collection, first

FailureReason = Literal[
    "login",
    "http",
    "not_json",
    "not_a_collection",
    "no_match_field",
    "off_origin",
    "unreachable",
    "cached",
    "too_large",
    "path",
    "total",
    "pages",
    "unsteady",
]
_BOM = b"\xef\xbb\xbf"
# "items 0-9/120" of Content-Range (RFC 9110 section 14.4), or the bare number.
_NUMBER = re.compile(r"(?:[^/]*/)?\s*([0-9]{1,15})\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class CountFailed:
    """The readback gave no count, and why; the message holds no value."""

    reason: FailureReason
    message: str


def document_of(fetched: Fetched | FetchFailed) -> Any | CountFailed:
    """The JSON document of an answer."""
    if isinstance(fetched, FetchFailed):
        reason: FailureReason = "unreachable"
        if fetched.reason in {"off_origin", "too_large"}:
            reason = "off_origin" if fetched.reason == "off_origin" else "too_large"
        return CountFailed(reason, f"The readback gave no answer. {fetched.message}")
    if is_login_answer(fetched):
        return CountFailed("login", "The readback asked for a login.")
    if fetched.status == 304:  # noqa: PLR2004  (RFC 9110 section 15.4.5)
        return CountFailed("cached", "The readback answered from a cache (304).")
    if fetched.status != 200:  # noqa: PLR2004
        return CountFailed("http", f"The readback answered with status {fetched.status}.")
    try:
        return orjson.loads(fetched.body.removeprefix(_BOM))
    except orjson.JSONDecodeError:
        kind = fetched.content_type or "no content type"
        return CountFailed("not_json", f"The readback's answer is not JSON ({kind}).")


def records_of(document: Any, path: Path) -> list[Any] | CountFailed:
    """The records that the readback's path leads to.

    Raises:
        CannotFollowError: it cannot be followed.
    """
    found = collection(document, path) if isinstance(path, str) else at(document, path)
    if found is MISSING:
        return CountFailed("path", "The readback's path leads to nothing.")
    if not isinstance(found, list):
        return CountFailed("not_a_collection", "The readback's path does not lead to one list.")
    return found


def total_of(readback: Readback, fetched: Fetched, document: Any) -> int | CountFailed | None:
    """The number of all records that the answer gives, or none where the readback names none.

    Raises:
        CannotFollowError: its path cannot be followed.
    """
    if readback.total is None:
        return None
    header = readback.total_header
    given = fetched.headers.get(header, "") if header else first(document, readback.total)
    number = _number(given)
    if number is None:
        return CountFailed("total", "The readback's total leads to no number.")
    return number


def _number(given: Any) -> int | None:
    if isinstance(given, str):
        digits = _NUMBER.fullmatch(given)
        return int(digits[1]) if digits else None
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    return None
