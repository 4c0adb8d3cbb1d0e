import asyncio

import httpx

from replay.settle import settle
from tests.support.counting import acount
from tests.support.sites import aform, answering, asite, messages
from verifier.outcome import Outcome, Success, Uncertain

BEFORE = acount(0, 1)


def settled(answer: httpx.Response) -> Outcome:
    handle, _ = answering(answer)
    return asyncio.run(settle(asite(handle).reader, aform(), {"message": "zebra"}, BEFORE))


def test_a_record_that_is_there_settles_as_success() -> None:
    assert isinstance(settled(messages("lion", "zebra")), Success)


def test_a_record_that_is_not_there_is_uncertain() -> None:
    assert isinstance(settled(messages("lion")), Uncertain)


def test_a_readback_that_fails_is_uncertain() -> None:
    assert isinstance(settled(httpx.Response(500)), Uncertain)
