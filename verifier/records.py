"""One count of a readback: fetch the collection, walk to it, match its records.

Rules:
1. A count is made here only. An answer that is not the collection is ``CountFailed`` with its
   reason, never zero.
2. Paths are compiled once for each readback.
3. What a shared cache kept is no count before a send: it may hide records that are there. After
   the send only a rise in it says something (``watching``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass
from datetime import UTC, datetime
from typing import Any, Literal, NoReturn, SupportsIndex, final, override
from urllib.parse import quote

import orjson

from cards.errors import BadOrigin, BadReadback
from cards.readback import PLACEHOLDER, Path, Readback
from verifier.http import Fetched, FetchFailed, Reader
from verifier.login_pages import is_login_answer
from verifier.matching import SlotValue, matches, text_of
from verifier.paging import NoTargetError, next_target, with_page
from verifier.paths import MISSING, CannotFollowError, at, collection, compiled, find, is_path

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
]
_KEY = object()
# "==True" finds nothing, or does not parse; "!@.done" asks whether the key is absent.
_MISREAD = re.compile(r"[=<>]\s*(?:True|False|None)\b|\?\(\s*!")
_BOM = b"\xef\xbb\xbf"
_ACCEPT = "application/json, */*;q=0.5"


@final
@dataclass(frozen=True, slots=True)
class Count:
    """Records of a collection. Caution: made by ``count``.

    Attributes:
        matching: those whose field shows the slot's value.
        total: all that were seen.
        at: when the answer had come.
        cached_s: how old the oldest page was that a shared cache gave, in seconds.
    """

    matching: int
    total: int
    at: datetime
    cached_s: int
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not _KEY:
            raise TypeError("a count is made by counting")

    @override
    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a count is not copied or pickled")


@dataclass(frozen=True, slots=True)
class CountFailed:
    """The readback gave no count, and why; the message holds no value."""

    reason: FailureReason
    message: str


async def count(
    reader: Reader,
    readback: Readback,
    values: Mapping[str, SlotValue],
    *,
    timeout: float = 10.0,
    from_cache: bool = False,
) -> Count | CountFailed:
    """Count the records that match, over all pages of the collection.

    Args:
        reader: of the card's origin, with the login.
        readback: the author's form.
        values: the slots' values, those of the URL among them.
        timeout: seconds for each page.
        from_cache: whether an answer that a shared cache kept is counted too.
    """
    try:
        return await _count(reader, readback, values, timeout, from_cache=from_cache)
    except CannotFollowError:
        return CountFailed("path", "The readback's path can't be followed in this answer.")
    except BadOrigin:
        return CountFailed("off_origin", "The readback's next page is on another origin.")
    except NoTargetError:
        return CountFailed("path", "The readback's next page is no URL.")


async def _count(
    reader: Reader,
    readback: Readback,
    values: Mapping[str, SlotValue],
    timeout: float,
    *,
    from_cache: bool,
) -> Count | CountFailed:
    target = with_page(fill_url(readback.url, values), readback.page, 0)
    wanted = values[readback.match.slot]
    matching = total = cached_s = 0
    seen: set[str] = set()
    for page in range(readback.max_pages):
        seen.add(target)
        fetched = await reader.get(target, accept=_ACCEPT, timeout=timeout)
        document = _document(fetched)
        if isinstance(document, CountFailed):
            return document
        assert isinstance(fetched, Fetched)
        if fetched.cached_s and not from_cache:
            return CountFailed("cached", f"A cache answered the readback (Age {fetched.cached_s}).")
        records = _collection(document, readback.path)
        if isinstance(records, CountFailed):
            return records
        found = _count_page(records, readback, wanted)
        if isinstance(found, CountFailed):
            return found
        matching, total = matching + found, total + len(records)
        cached_s = max(cached_s, fetched.cached_s)
        following = next_target(readback, fetched, document, page, len(records), reader.origin)
        if following is None or following in seen:
            break
        target = following
    return Count(matching, total, datetime.now(UTC), cached_s, _KEY)


def fill_url(url: str, values: Mapping[str, SlotValue]) -> str:
    """The readback's target with its placeholders filled, each escaped for a path or query."""
    return PLACEHOLDER.sub(lambda name: quote(text_of(values[name[1]]), safe=""), url)


def check_paths(readback: Readback) -> None:
    """Refuse a readback that can't be counted, before anything is recorded.

    Raises:
        BadReadback: a JSONPath does not parse, or an effect is asked for that is not counted.
    """
    field = readback.match.field
    named = isinstance(field, str) and not is_path(field)
    for path in (readback.path, None if named else field, readback.next):
        if isinstance(path, str) and path != "link":
            if _MISREAD.search(path):
                raise BadReadback(
                    "The readback has a filter that jsonpath-ng reads in another way.",
                    "Write true and false in small letters, and ==false in place of !.",
                )
            compiled(path)
    if readback.expect == "change":
        raise BadReadback("The readback expects a change, which is not counted yet.")


def _document(fetched: Fetched | FetchFailed) -> Any | CountFailed:
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


def _collection(document: Any, path: Path) -> Sequence[Any] | CountFailed:
    found = collection(document, path) if isinstance(path, str) else at(document, path)
    if found is MISSING:
        return CountFailed("path", "The readback's path leads to nothing.")
    if not isinstance(found, list):
        return CountFailed("not_a_collection", "The readback's path does not lead to one list.")
    return found


def _count_page(records: Sequence[Any], readback: Readback, wanted: SlotValue) -> int | CountFailed:
    field, compare = readback.match.field, readback.match.compare
    shown = [list(_shown(record, field)) for record in records]
    if records and not any(shown):
        return CountFailed("no_match_field", "No record of the readback has the match field.")
    return sum(any(matches(value, wanted, compare) for value in values) for values in shown)


def _shown(record: Any, field: Path) -> Iterator[Any]:
    if isinstance(field, str):
        if isinstance(record, dict) and field in record:
            yield record[field]
        elif is_path(field):
            yield from find(record, field)
        return
    value = at(record, field)
    if value is not MISSING:
        yield value
