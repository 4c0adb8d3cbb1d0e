"""One count of a readback: fetch the collection page by page, match its records.

Rules:
1. A count is made here only. An answer that is not the collection is ``CountFailed`` with its
   reason, never zero; so is a collection whose pages did not end.
2. Paths are compiled once for each readback.
3. What a shared cache kept is no count before a send: it may hide records that are there. After
   the send only a rise in it says something (``watching``).
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, replace
from datetime import UTC, datetime
from typing import NoReturn, SupportsIndex, final, override
from urllib.parse import quote

from cards.errors import BadOrigin, BadReadback
from cards.readback import PLACEHOLDER, Readback
from verifier.documents import CountFailed, FailureReason, document_of, records_of, total_of
from verifier.fetched import Fetched
from verifier.fields import Matcher
from verifier.http import Reader
from verifier.matching import SlotValue, text_of
from verifier.pages import Page, Pages
from verifier.paging import NoTargetError, next_target, with_page, with_param, without_param
from verifier.paths import CannotFollowError, compiled, is_path

__all__ = ["Count", "CountFailed", "FailureReason", "check_paths", "count", "fill_url"]
CACHE_BUSTER = "_reqcard"
_KEY = object()
# "==True" finds nothing, or does not parse; "!@.done" asks whether the key is absent.
_MISREAD = re.compile(r"[=<>]\s*(?:True|False|None)\b|\?\(\s*!")
_ACCEPT = "application/json, */*;q=0.5"
_NOT_FOUND = 404


@final
@dataclass(frozen=True, slots=True)
class Count:
    """Records of a collection. Caution: made by ``count``.

    Attributes:
        matching: those whose field shows the slot's value.
        total: all that there are: those that were seen, or as many as the readback's total says.
        listed: those that were seen.
        at: when the answer had come.
        cached_s: how old the oldest page was that a shared cache gave, in seconds.
    """

    matching: int
    total: int
    listed: int
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
class _Asking:
    """How the pages of one count are asked for."""

    reader: Reader
    readback: Readback
    timeout: float
    from_cache: bool
    fresh: bool


async def count(
    reader: Reader,
    readback: Readback,
    values: Mapping[str, SlotValue],
    *,
    timeout: float = 10.0,
    from_cache: bool = False,
    fresh: bool = False,
) -> Count | CountFailed:
    """Count the records that match, over all pages of the collection.

    Args:
        reader: of the card's origin, with the login.
        readback: the author's form.
        values: the slots' values, those of the URL among them.
        timeout: seconds for each page.
        from_cache: whether an answer that a shared cache kept is counted too.
        fresh: ask for targets that no cache can know.
    """
    try:
        return await _count(_Asking(reader, readback, timeout, from_cache, fresh), values)
    except CannotFollowError:
        return CountFailed("path", "The readback's path can't be followed in this answer.")
    except BadOrigin:
        return CountFailed("off_origin", "The readback's next page is on another origin.")
    except NoTargetError:
        return CountFailed("path", "The readback's next page is no URL or token.")


async def _count(asking: _Asking, values: Mapping[str, SlotValue]) -> Count | CountFailed:
    readback = asking.readback
    matcher = Matcher(readback.match, values[readback.match.slot])
    pages = Pages(readback)
    target: str | None = with_page(fill_url(readback.url, values), readback.page, 0)
    matching = cached_s = index = 0
    while target is not None and index < readback.max_pages and not pages.ended:
        page = await _page(asking, target, index)
        if isinstance(page, CountFailed):
            return page
        records = pages.take(target, page)
        if isinstance(records, CountFailed):
            return records
        found = matcher.count(records) if records else 0
        if found is None:
            return CountFailed("no_match_field", "No record of the readback has the match field.")
        matching, cached_s = matching + found, max(cached_s, page.cached_s)
        target, index = page.following, index + 1
    total = pages.unfinished() or pages.total()
    if isinstance(total, CountFailed):
        return total
    return Count(matching, total, pages.listed, datetime.now(UTC), cached_s, _KEY)


async def _page(asking: _Asking, target: str, index: int) -> Page | CountFailed:
    readback = asking.readback
    asked = with_param(target, CACHE_BUSTER, secrets.token_hex(8)) if asking.fresh else target
    fetched = await asking.reader.get(asked, accept=_ACCEPT, timeout=asking.timeout)
    if readback.page and index and isinstance(fetched, Fetched) and fetched.status == _NOT_FOUND:
        # Django REST framework and others have no page after the last.
        return Page([], None, None, 0)
    document = document_of(fetched)
    if isinstance(document, CountFailed):
        return document
    assert isinstance(fetched, Fetched)
    if fetched.cached_s and not asking.from_cache:
        return CountFailed("cached", f"A cache answered the readback (Age {fetched.cached_s}).")
    records = records_of(document, readback.path)
    if isinstance(records, CountFailed):
        return records
    total = total_of(readback, fetched, document) if index == 0 else None
    if isinstance(total, CountFailed):
        return total
    plain = replace(fetched, target=without_param(fetched.target, CACHE_BUSTER))
    following = next_target(readback, plain, document, index, len(records), asking.reader.origin)
    if following is not None:
        following = without_param(following, CACHE_BUSTER)
    return Page(records, total, following, fetched.cached_s)


def fill_url(url: str, values: Mapping[str, SlotValue]) -> str:
    """The readback's target with its placeholders filled, each escaped for a path or query."""
    return PLACEHOLDER.sub(lambda name: quote(text_of(values[name[1]]), safe=""), url)


def check_paths(readback: Readback) -> None:
    """Refuse a readback that can't be counted, before anything is recorded.

    Raises:
        BadReadback: a JSONPath does not parse, or says something else than it seems to.
    """
    field = readback.match.field
    named = isinstance(field, str) and not is_path(field)
    following = None if readback.next == "link" else readback.next
    total = None if readback.total_header else readback.total
    cursor = readback.cursor.path if readback.cursor else None
    for path in (readback.path, None if named else field, following, total, cursor):
        if isinstance(path, str):
            if _MISREAD.search(path):
                raise BadReadback(
                    "The readback has a filter that jsonpath-ng reads in another way.",
                    "Write true and false in small letters, and ==false in place of !.",
                )
            compiled(path)
