"""Counts as a site would give them."""

import asyncio

import httpx

from tests.support.sites import aform, answering, asite
from verifier.evidence import Actor, Evidence
from verifier.records import Count, count


def acount(matching: int, total: int) -> Count:
    texts = ["zebra"] * matching + ["lion"] * (total - matching)
    handle, _ = answering(httpx.Response(200, json={"messages": [{"text": t} for t in texts]}))
    found = asyncio.run(count(asite(handle).reader, aform(), {"message": "zebra"}))
    assert isinstance(found, Count)
    return found


def anevidence(
    before: tuple[int, int] = (0, 3),
    after: tuple[int, int] = (1, 4),
    acted: Actor = "replay",
    *,
    window: bool = False,
) -> Evidence:
    return Evidence.between(acount(*before), acount(*after), acted, window=window)
