"""Counts as a site would give them."""

import asyncio
from typing import Any

import httpx

from cards.readback import Readback
from tests.support.sites import aform, answering, asite
from verifier.evidence import Actor, Evidence
from verifier.records import Count, count


async def counted(
    readback: Readback, *answers: httpx.Response, text: str = "zebra", **how: Any
) -> Any:
    """What a readback counts at a site that gives these answers in turn."""
    handle, _ = answering(*answers)
    values = {"message": text, "room": "a b/c"}
    return await count(asite(handle).reader, readback, values, **how)


def texts(*ids: int) -> list[dict[str, Any]]:
    """Records with these ids, each of which matches."""
    return [{"id": n, "text": "zebra"} for n in ids]


def listed(*ids: int, **members: Any) -> httpx.Response:
    """The collection of these records, beside other members."""
    return httpx.Response(200, json={"messages": texts(*ids), **members})


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
