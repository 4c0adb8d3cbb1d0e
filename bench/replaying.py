"""Replay: against a warm and a fresh Chromium, and against hand-written httpx."""

import itertools
import re
import tempfile
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, Page, async_playwright

from bench.comparison import Act, Comparison, medians
from bench.fixtures import promoted_card
from e2e.acts import send_message
from e2e.site import Site
from recorder.browser import find_chromium
from replay import Replayer
from verifier.outcome import Success

ROUNDS = 30
BROWSER_ROUNDS = 5
SERVER_SECONDS = 0.02
_numbers = itertools.count()


async def compare() -> list[Comparison]:
    with Site() as site, tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        login = await promoted_card(site, directory)
        audit = f"sqlite:///{directory / 'audit.db'}"
        async with (
            Replayer(cards=directory, login=login, audit=audit) as replayer,
            _hand_written(site) as by_hand,
            _warm_page(site) as page,
        ):
            replay = _replay(replayer)
            fast, plain = await medians(ROUNDS, replay, by_hand)
            site.latency = SERVER_SECONDS
            slow, plain_slow = await medians(ROUNDS, replay, by_hand)
            site.latency = 0.0
            warm_replay, warm = await medians(BROWSER_ROUNDS, replay, _acts(site, page))
            fresh_replay, fresh = await medians(3, replay, _fresh(site))
    return [
        Comparison("warm Chromium", "replay", warm / warm_replay, at_least=10),
        Comparison("fresh Chromium", "replay", fresh / fresh_replay, at_least=30),
        Comparison("replay, server takes 20 ms", "kept httpx", slow / plain_slow, at_most=1.25),
        Comparison("replay, server takes none", "kept httpx", fast / plain, at_most=2),
    ]


def _text() -> str:
    return f"bench message {next(_numbers)}"


def _replay(replayer: Replayer) -> Act:
    async def act() -> None:
        result = await replayer.replay("send_message", {"message": _text(), "room": "help"})
        if not isinstance(result.outcome, Success):
            raise TypeError(f"a replay ended as {result.outcome.outcome}")

    return act


@asynccontextmanager
async def _hand_written(site: Site) -> AsyncIterator[Act]:
    """The same requests as a careful person would write them, on one kept client."""
    jar = {cookie["name"]: cookie["value"] for cookie in site.storage_state()["cookies"]}
    async with httpx.AsyncClient(  # noqa: TID251 (the thing that is compared with)
        base_url=site.origin, cookies=jar, trust_env=False
    ) as client:

        async def count(text: str) -> int:
            messages = (await client.get("/api/messages")).json()["messages"]
            return sum(message["text"] == text for message in messages)

        async def act() -> None:
            text = _text()
            page = (await client.get("/messages")).text
            token = re.search(r'name="csrf-token" content="([^"]+)"', page)
            assert token is not None
            config = (await client.get("/api/config")).json()
            before = await count(text)
            body = {
                "text": text,
                "room": "help",
                "client_id": str(uuid.uuid4()),
                "nested": {"meta": {"source": config["client"]["meta"]["source"]}},
                "payload": f'{{"text":"{text}"}}',
            }
            answer = await client.post(
                "/api/messages", json=body, headers={"x-csrf-token": token[1]}
            )
            answer.raise_for_status()
            assert await count(text) == before + 1

        yield act


@asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"]
        )
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def _warm_page(site: Site) -> AsyncIterator[Page]:
    async with _browser() as browser:
        state: Any = site.storage_state()
        context = await browser.new_context(storage_state=state)
        yield await context.new_page()


def _acts(site: Site, page: Page) -> Act:
    async def act() -> None:
        await page.goto(f"{site.origin}/messages")
        await send_message(page, {"message": _text(), "room": "help"})

    return act


def _fresh(site: Site) -> Act:
    async def act() -> None:
        async with _warm_page(site) as page:
            await _acts(site, page)()

    return act
