"""Asking the readback again until the count moved or the deadline came.

Rules:
1. A rise ends it, whoever gave the answer. A count that did not rise says something only when it
   comes from the site itself, not from a cache.
2. It asks a last time at the deadline, and a failure then does not hide an earlier good count.
"""

import asyncio
import time
from collections.abc import Mapping

from cards.readback import Readback
from verifier.evidence import Evidence
from verifier.http import Reader
from verifier.matching import SlotValue
from verifier.records import Count, CountFailed, count

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0
_SHORTEST_TIMEOUT_S = 1.0


async def watch(
    reader: Reader,
    readback: Readback,
    values: Mapping[str, SlotValue],
    before: Count,
    *,
    deadline_s: float,
) -> Count | CountFailed:
    """The count that moved as expected, else the last good one, else why there was none.

    Args:
        reader: of the card's origin, with the login.
        readback: the author's form.
        values: the slots' values.
        before: the count that must be left behind.
        deadline_s: seconds from now.
    """
    end = time.monotonic() + deadline_s
    pause = _FIRST_PAUSE_S
    last: Count | CountFailed | None = None
    while True:
        left = max(end - time.monotonic(), _SHORTEST_TIMEOUT_S)
        now = await _count_within(left, reader, readback, values)
        if isinstance(now, Count):
            if Evidence.between(before, now, "replay", expect=readback.expect).rose:
                return now
            if not now.cached_s:
                last = now
            elif not isinstance(last, Count):
                last = CountFailed("cached", f"A cache answered the readback (Age {now.cached_s}).")
        elif not isinstance(last, Count):
            last = now
            if now.reason in {"login", "off_origin"}:
                return now
        left = end - time.monotonic()
        if left <= 0:
            assert last is not None
            return last
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 2, _LONGEST_PAUSE_S)


async def _count_within(
    seconds: float, reader: Reader, readback: Readback, values: Mapping[str, SlotValue]
) -> Count | CountFailed:
    # All pages together: a collection of many slow pages must not outlast the deadline.
    try:
        async with asyncio.timeout(seconds):
            return await count(reader, readback, values, timeout=seconds, from_cache=True)
    except TimeoutError:
        return CountFailed("unreachable", f"The readback took longer than {seconds:.1f} s.")
