"""Everything before the decisive request; it only reads, so it may be tried again.

Rules:
1. The one file that imports a retry library. What it retries is given a ``Reader``, which can
   only GET.
2. Whatever is missing ends as an outcome, and nothing was sent.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import stamina

from cards.contract import Contract
from cards.errors import BadSlot
from cards.readback import Readback
from replay.building import build
from replay.filling import Filling
from replay.generated import generate
from replay.live import LiveValues, Missing, SignedOut, fetch_live, with_cookies_of_now
from replay.prepared import Prepared
from replay.slots import check_values
from verifier.http import Reader, Site
from verifier.matching import SlotValue
from verifier.outcome import LoginRequired, NotApplicable
from verifier.records import Count, CountFailed, count

TRIES = 3
_LONGEST_WAIT_S = 2.0
# What a read's failure means is told once, by the outcome.
logging.getLogger("stamina").disabled = True

NotPrepared = NotApplicable | LoginRequired


class _TryAgainError(Exception):
    """A read failed in a way that may pass."""

    def __init__(self, failure: Missing | CountFailed) -> None:
        super().__init__("a read failed")
        self.failure = failure


@dataclass(frozen=True, slots=True)
class _Failed:
    outcome: NotPrepared


async def prepare(
    site: Site,
    contract: Contract,
    readback: Readback,
    values: Mapping[str, object],
    *,
    timeout: float = 10.0,
) -> Prepared | NotPrepared:
    """Check, fetch, count and build.

    Args:
        site: the card's origin with the login.
        contract: what to build.
        readback: how records are counted; the card's own.
        values: the caller's, by slot.
        timeout: seconds for each read.
    """
    try:
        typed = check_values(contract, values)
        filling = Filling(contract, typed)
        # A dry build would need the live values; their pages' targets need only the slots.
        live, before = await _read(site, filling, readback, typed, timeout)
        if isinstance(live, _Failed):
            return live.outcome
        if isinstance(before, _Failed):
            return before.outcome
        live = _live_or_outcome(with_cookies_of_now(live, site.login, filling, site.reader))
        if isinstance(live, _Failed):
            return live.outcome
        if readback.refuse_if_present and before.matching:
            return NotApplicable(
                f"{before.matching} matching records are there already.", code="ALREADY_PRESENT"
            )
        filled = Filling(contract, typed, live.values, generate(contract))
        request = build(filled)
    except BadSlot as error:
        return NotApplicable(error.message, error.way_out, code=error.code)
    return Prepared(request, before, typed, live.values, live.oldest_s)


async def _read(
    site: Site,
    filling: Filling,
    readback: Readback,
    values: Mapping[str, SlotValue],
    timeout: float,
) -> tuple[LiveValues | _Failed, Count | _Failed]:
    async def live(reader: Reader) -> LiveValues | _Failed:
        return _live_or_outcome(await fetch_live(reader, site.login, filling, timeout=timeout))

    async def before(reader: Reader) -> Count | _Failed:
        return _count_or_outcome(await count(reader, readback, values, timeout=timeout))

    if _authorizes(filling.contract):
        # The readback needs the live authorization, so it comes second.
        found = await _retried(live, site.reader)
        if isinstance(found, _Failed):
            return found, found
        return found, await _retried(
            before, site.reader.with_headers(authorization(filling.contract, found.values))
        )
    try:
        async with asyncio.TaskGroup() as both:
            finding = both.create_task(_retried(live, site.reader))
            counting = both.create_task(_retried(before, site.reader))
    except ExceptionGroup as broken:
        # Neither goes on when the other has broken off, and the caller gets the plain error.
        raise broken.exceptions[0] from None
    return finding.result(), counting.result()


def authorization(contract: Contract, live: Mapping[str, str]) -> dict[str, str]:
    """The live ``Authorization`` header of a card, for its readback; empty where it has none."""
    if not _authorizes(contract):
        return {}
    value = Filling(contract, {}, live).text(contract.custom_headers["authorization"])
    return {"authorization": value}


def _authorizes(contract: Contract) -> bool:
    leaf = contract.custom_headers.get("authorization")
    return leaf is not None and hasattr(leaf, "live")


async def _retried[T](read: Callable[[Reader], Awaitable[T]], reader: Reader) -> T | _Failed:
    try:
        async for attempt in stamina.retry_context(
            on=_TryAgainError, attempts=TRIES, wait_max=_LONGEST_WAIT_S, timeout=None
        ):
            with attempt:
                return await read(reader)
    except _TryAgainError as error:
        return _Failed(_give_up(error.failure))
    raise AssertionError("a retry ends with a result or an error")


def _live_or_outcome(found: LiveValues | Missing | SignedOut) -> LiveValues | _Failed:
    match found:
        case LiveValues():
            return found
        case SignedOut():
            return _Failed(LoginRequired(found.message))
        case Missing(reason="unreachable"):
            raise _TryAgainError(found)
        case Missing():
            return _Failed(_give_up(found))


def _count_or_outcome(found: Count | CountFailed) -> Count | _Failed:
    match found:
        case Count():
            return found
        case CountFailed(reason="login"):
            return _Failed(LoginRequired(found.message))
        case CountFailed(reason="unreachable" | "cached" | "http"):
            raise _TryAgainError(found)
        case CountFailed():
            return _Failed(_give_up(found))


def _give_up(failure: Missing | CountFailed) -> NotApplicable:
    if isinstance(failure, CountFailed):
        return NotApplicable(
            failure.message,
            "Without a count before it, nothing is sent: look at the card's readback.",
            code="READBACK_FAILED",
        )
    code, way_out = _CODES[failure.reason]
    return NotApplicable(failure.message, way_out, code=code)


_CODES = {
    "gone": ("SOURCE_GONE", "Record the action again."),
    "ambiguous": ("SOURCE_AMBIGUOUS", "Record the action again."),
    "refused": ("SOURCE_REFUSED", "See that the login may open that page, or record again."),
    "unreachable": ("SOURCE_UNREACHABLE", "Try again when the site answers."),
    "off_origin": ("SOURCE_UNREACHABLE", "Record the action again."),
}
