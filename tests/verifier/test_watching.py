import asyncio
import time

import httpx
import pytest

from tests.support.counting import acount
from tests.support.sites import APP, aform, alogin, answering, asite, messages
from verifier.http import Site
from verifier.records import Count, CountFailed, count
from verifier.watching import watch

BROKEN = httpx.Response(500)


async def watched(*answers: httpx.Response, deadline_s: float = 5.0) -> tuple[object, int]:
    handle, asked = answering(*answers)
    before = BEFORE
    found = await watch(
        asite(handle).reader, aform(), {"message": "zebra"}, before, deadline_s=deadline_s
    )
    return found, len(asked)


BEFORE = acount(0, 1)


async def test_a_count_that_rose_ends_the_watch_at_once() -> None:
    found, asked = await watched(messages("lion", "zebra"))
    assert isinstance(found, Count)
    assert (found.matching, asked) == (1, 1)


async def test_a_count_that_rises_late_is_seen() -> None:
    found, asked = await watched(messages("lion"), messages("lion"), messages("lion", "zebra"))
    assert isinstance(found, Count)
    assert (found.matching, asked) == (1, 3)


async def test_a_count_that_never_rises_is_told_at_the_deadline() -> None:
    begin = time.monotonic()
    found, asked = await watched(messages("lion"), deadline_s=0.4)
    assert isinstance(found, Count)
    assert found.matching == 0
    assert 1 < asked < 6
    assert time.monotonic() - begin < 5


async def test_a_failure_that_passes_is_forgotten() -> None:
    found, _ = await watched(BROKEN, messages("lion", "zebra"))
    assert isinstance(found, Count)


async def test_a_late_failure_does_not_hide_the_last_good_count() -> None:
    found, _ = await watched(messages("lion"), BROKEN, deadline_s=0.4)
    assert isinstance(found, Count)


async def test_failures_alone_are_told() -> None:
    found, _ = await watched(BROKEN, deadline_s=0.3)
    assert isinstance(found, CountFailed)


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(401), httpx.Response(302, headers={"location": "https://evil.test/"})],
)
async def test_a_login_or_another_origin_is_not_asked_again(answer: httpx.Response) -> None:
    found, asked = await watched(answer)
    assert isinstance(found, CountFailed)
    assert asked == 1


STALE = httpx.Response(
    200, json={"messages": [{"text": "lion"}]}, headers={"age": "120", "x-cache": "HIT"}
)


async def test_a_stale_cached_answer_is_asked_again() -> None:
    found, asked = await watched(STALE, httpx.Response(304), messages("lion", "zebra"))
    assert isinstance(found, Count)
    assert (found.matching, asked) == (1, 3)


async def test_an_unchanged_count_from_a_cache_says_nothing() -> None:
    found, _ = await watched(STALE, deadline_s=0.2)
    assert isinstance(found, CountFailed)
    assert found.reason == "cached"


async def test_a_cached_answer_does_not_hide_the_sites_own() -> None:
    found, _ = await watched(messages("lion"), STALE, deadline_s=0.2)
    assert isinstance(found, Count)
    assert not found.cached_s


async def test_a_rise_in_a_cached_answer_is_a_rise() -> None:
    risen = httpx.Response(
        200, json={"messages": [{"text": "lion"}, {"text": "zebra"}]}, headers={"age": "1"}
    )
    found, asked = await watched(risen)
    assert isinstance(found, Count)
    assert (found.matching, asked) == (1, 1)


async def test_the_readback_is_asked_a_last_time_at_the_deadline() -> None:
    begin = time.monotonic()

    def rise_at_the_end(_: httpx.Request) -> httpx.Response:
        return messages("lion", "zebra") if time.monotonic() - begin >= 0.45 else messages("lion")

    found = await watch(
        asite(rise_at_the_end).reader, aform(), {"message": "zebra"}, BEFORE, deadline_s=0.5
    )
    assert isinstance(found, Count)
    assert found.matching == 1


async def test_slow_pages_do_not_outlast_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.watching._SHORTEST_TIMEOUT_S", 0.05)
    pages = 0

    async def slow(_: httpx.Request) -> httpx.Response:
        nonlocal pages
        pages += 1
        await asyncio.sleep(0.04)
        return httpx.Response(200, json={"messages": [], "next": f"?page={pages}"})

    site = Site(APP, alogin(), inner=httpx.MockTransport(slow))
    begin = time.monotonic()
    found = await watch(
        site.reader, aform(next=["next"]), {"message": "zebra"}, BEFORE, deadline_s=0.2
    )
    assert isinstance(found, CountFailed)
    assert time.monotonic() - begin < 0.7


async def test_where_a_fall_is_expected_the_fall_ends_the_watch() -> None:
    handle, asked = answering(messages("zebra"), messages())
    readback = aform(expect="decrease")
    before = await count(asite(handle).reader, readback, {"message": "zebra"})
    assert isinstance(before, Count)
    found = await watch(asite(handle).reader, readback, {"message": "zebra"}, before, deadline_s=5)
    assert isinstance(found, Count)
    assert (found.matching, len(asked)) == (0, 2)
