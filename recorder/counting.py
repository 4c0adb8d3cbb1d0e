"""The readback as a recording asks it: with the browser's own login, straight at the origin.

Rules:
1. Only GETs, and never through the proxy: the recorder's own reads are no part of the page.
2. A count that can't be taken is a value (``CountFailed``); nothing here raises into a hook.
3. A page waits while the count before it is taken, so that count has little patience.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Protocol, Self

from recorder.plan import Plan
from verifier import records, watching
from verifier.http import Reader
from verifier.login import Login
from verifier.records import Count, CountFailed

BEFORE_PATIENCE_S = 5.0


class OpenSite(Protocol):
    """What gives a reader of the origin: ``verifier.http.Site``."""

    reader: Reader

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *error: object) -> None: ...


SiteOf = Callable[[Login], OpenSite]


@dataclass(frozen=True, slots=True)
class Ruler:
    """One candidate's own reader and the count before it."""

    reader: Reader
    before: Count | CountFailed


class Counting:
    """Counts for one plan. Close it, and its connections are closed.

    Args:
        plan: what is recorded.
        site_of: makes the site for a login.
    """

    def __init__(self, plan: Plan, site_of: SiteOf) -> None:
        self._plan = plan
        self._site_of = site_of
        self._stack = AsyncExitStack()

    async def before(self, login: Login) -> Ruler | None:
        """The count before a candidate leaves; none where the plan has no readback."""
        readback = self._plan.readback
        if readback is None:
            return None
        site = await self._stack.enter_async_context(self._site_of(login))
        try:
            async with asyncio.timeout(BEFORE_PATIENCE_S):
                counted = await records.count(
                    site.reader, readback, self._plan.values, timeout=BEFORE_PATIENCE_S
                )
        except TimeoutError:
            counted = CountFailed(
                "unreachable", f"The readback took longer than {BEFORE_PATIENCE_S:g} s."
            )
        return Ruler(site.reader, counted)

    async def after(self, ruler: Ruler) -> Count | CountFailed:
        """The count after it: polled until it changed or the readback's deadline."""
        readback = self._plan.readback
        assert readback is not None
        assert isinstance(ruler.before, Count)
        return await watching.watch(
            ruler.reader,
            readback,
            self._plan.values,
            ruler.before,
            deadline_s=readback.deadline,
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._stack.aclose()
