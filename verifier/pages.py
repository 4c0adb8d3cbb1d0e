"""The pages of one collection as they come: what each brings that no page before it brought.

Rules:
1. A record that was inserted while paging moves others on to the next page: where records carry an
   ``id``, one that was on an earlier page is not counted again. Twice on one page is two records.
2. A page that repeats is an error: whoever pages in a circle has not seen the whole collection.
3. The number of all records is the one that the first page gives. A later page may bring more
   records than that, or another number: then somebody is writing meanwhile, and nothing is known.
"""

from dataclasses import dataclass, field
from typing import Any

from cards.readback import Readback
from verifier.documents import CountFailed

Identity = tuple[str | None, str | int]


@dataclass(frozen=True, slots=True)
class Page:
    """One page, without the document that it came in.

    Attributes:
        total: the number of all records that it gives, or none.
        following: the target of the next page, or none after the last.
        cached_s: how old a shared cache says that it is, in seconds.
    """

    records: list[Any] = field(repr=False)
    total: int | None
    following: str | None
    cached_s: int


class Pages:
    """What was seen of one collection so far.

    Attributes:
        listed: how many records the pages held.
        ended: the last page that was taken is the last of the collection.
    """

    def __init__(self, readback: Readback) -> None:
        self._readback = readback
        self._targets: set[str] = set()
        self._ids: set[Identity] = set()
        self._last: list[Any] = []
        self._whole: int | None = None
        self.listed = 0
        self.ended = False

    def take(self, target: str, page: Page) -> list[Any] | CountFailed:
        """The records of a page that were on none before it.

        Args:
            target: where it was asked for.
            page: what came.
        """
        new = self._new(page)
        if self._repeats(page, new):
            self.ended = self._has_all()
            return [] if self.ended else CountFailed("pages", "The readback's pages repeat.")
        if not self._targets:
            self._whole = page.total
        self._targets.add(target)
        self._last = page.records
        self.listed += len(new)
        self.ended = page.following is None
        if page.following in self._targets:
            return CountFailed("pages", "The readback's next page is one that was read before.")
        return new

    def total(self) -> int | CountFailed:
        """The number of all records; call it after the last page."""
        if self._whole is None:
            return self.listed
        if self._whole < self.listed:
            return CountFailed(
                "unsteady", "The readback's pages hold more records than its total says."
            )
        return self._whole

    def unfinished(self) -> CountFailed | None:
        """Why the collection was not seen whole, or none; call it after the last page."""
        if self.ended or self._readback.window or self._has_all():
            return None
        most = self._readback.max_pages
        return CountFailed("pages", f"The readback's collection goes on after {most} pages.")

    def _new(self, page: Page) -> list[Any]:
        if not self._targets and page.following is None:
            return page.records
        keyed = [(_identity(record), record) for record in page.records]
        new = [record for key, record in keyed if key is None or key not in self._ids]
        self._ids.update(key for key, _ in keyed if key is not None)
        return new

    def _repeats(self, page: Page, new: list[Any]) -> bool:
        # Sites answer a number after the last with the last page again, or know no such parameter.
        if self._readback.page is None or not self._targets or not page.records:
            return False
        return not new or page.records == self._last

    def _has_all(self) -> bool:
        return self._whole is not None and self.listed >= self._whole


def _identity(record: Any) -> Identity | None:
    """What tells a record from all others: its id, beside its type where it has one (JSON:API)."""
    if not isinstance(record, dict):
        return None
    key, kind = record.get("id"), record.get("type")
    if isinstance(key, bool) or not isinstance(key, str | int):
        return None
    return (kind if isinstance(kind, str) else None, key)
