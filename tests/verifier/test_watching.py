import time

import httpx
import pytest

from tests.support.counting import acount
from tests.support.sites import aform, answering, asite, messages
from verifier.records import Count, CountFailed
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


async def test_a_stale_cached_answer_is_asked_again() -> None:
    stale = httpx.Response(
        200, json={"messages": [{"text": "lion"}]}, headers={"age": "120", "x-cache": "HIT"}
    )
    found, asked = await watched(stale, httpx.Response(304), messages("lion", "zebra"))
    assert isinstance(found, Count)
    assert (found.matching, asked) == (1, 3)
