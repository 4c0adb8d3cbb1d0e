"""Asking the readback again until the count moved or the deadline came."""

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
        now = await count(reader, readback, values, timeout=left)
        if isinstance(now, Count):
            last = now
            if Evidence.between(before, now, "replay", expect=readback.expect).rose:
                return now
        elif not isinstance(last, Count):
            last = now
            if now.reason in {"login", "off_origin"}:
                return now
        if time.monotonic() + pause >= end:
            assert last is not None
            return last
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE_S)
