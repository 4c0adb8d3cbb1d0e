"""Recording from Python: real Chromium, the real proxy in this process, the real site."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from cards.card import ConfirmedCard, SealedCard
from cards.errors import AmbiguousAction, NothingCaptured
from e2e.acts import add_task, send_message, write_note
from e2e.site import Behaviour, ReadbackBehaviour, Site
from recorder import Recording
from recorder.browser import launch, private_playwright

VALUES = {"message": "zebra 4711", "room": "random"}
DEADLINE_S = 2.5
Opens = Callable[..., AbstractAsyncContextManager[tuple[Recording, Page]]]


def areadback(url: str = "/api/messages", *path: str, **changes: Any) -> str:
    form = {
        "url": url,
        "path": path or ["messages"],
        "match": {"field": "text", "slot": "message"},
        "completesTask": True,
        "deadline": DEADLINE_S,
    }
    return json.dumps({**form, **changes})


@pytest.fixture
def cards(tmp_path: Path, site: Site) -> Path:
    directory = tmp_path / "cards.d"
    site.watch_cards = directory
    return directory


@pytest.fixture
def record(site: Site, cards: Path) -> Opens:
    """Opens a recording and, through its proxy, a page of the site."""

    @asynccontextmanager
    async def opened(
        path: str = "/messages", **changes: Any
    ) -> AsyncIterator[tuple[Recording, Page]]:
        arguments: dict[str, Any] = {
            "origin": site.origin,
            "action": "send_message",
            "slots": VALUES,
            "readback": areadback(),
            "cards": cards,
        }
        async with (
            Recording(**{**arguments, **changes}) as recording,
            private_playwright() as playwright,
        ):
            context = await launch(
                playwright,
                proxy=recording.proxy_url,
                spki=recording.spki,
                headless=True,
                storage_state=site.storage_state(),
            )
            page = await context.new_page()
            await page.goto(f"{site.origin}{path}")
            yield recording, page

    return opened


async def test_the_card_is_on_disk_before_the_request_reaches_the_server(
    record: Opens, site: Site
) -> None:
    async with record() as (recording, page):
        await send_message(page, VALUES)
        card = await recording.card()
    assert isinstance(card, ConfirmedCard)
    (seen,) = site.cards_seen
    digests = [json.loads(content)["digest"] for _, _, content in seen]
    assert card.digest in digests
    assert not any(b"zebra" in content for _, _, content in seen)


async def test_of_preview_beacon_and_write_only_the_write_is_kept(
    record: Opens, cards: Path
) -> None:
    async with record() as (recording, page):
        await send_message(page, VALUES)
        card = await recording.card()
    assert card.contract.target.path == ("api", "messages")
    assert names(cards) == ["send_message.json"]


async def test_the_seal_can_be_armed_by_hand(record: Opens) -> None:
    async with record(automatic=False) as (recording, page):
        await page.fill("#text", "zebra 4711")
        await recording.seal()
        await page.select_option("#room", "random")
        await page.click("#send")
        assert isinstance(await recording.card(), ConfirmedCard)


async def test_a_classic_form_is_recorded_with_its_page_as_the_source(record: Opens) -> None:
    values = {
        "title": "zebra crossing",
        "body": "mind the stripes",
        "first_tag": "black",
        "second_tag": "white",
    }
    readback = areadback("/api/notes", "notes", match={"field": "title", "slot": "title"})
    async with record("/notes/new", slots=values, readback=readback) as (recording, page):
        await write_note(page, values)
        card = await recording.card()
    assert isinstance(card, ConfirmedCard)
    assert {live.source.kind for live in card.contract.live.values()} == {"form_field"}


async def test_a_double_submit_cookie_is_recorded_as_a_cookie(record: Opens) -> None:
    values = {"title": "zebra crossing", "due": "2026-03-01"}
    readback = areadback("/api/tasks", "data", "items", match={"field": "title", "slot": "title"})
    async with record("/tasks", slots=values, readback=readback) as (recording, page):
        await add_task(page, values)
        card = await recording.card()
    assert isinstance(card, ConfirmedCard)
    assert card.contract.slots["due"].type == "date"
    assert {live.source.kind for live in card.contract.live.values()} == {"cookie"}


async def test_off_origin_beacons_pass_untouched(record: Opens, site: Site) -> None:
    async with record() as (recording, page):
        await send_message(page, VALUES)
        await recording.card()
    assert ("POST", "/collect") in site.beacon_requests


@pytest.mark.parametrize(
    ("behaviour", "state"),
    [
        # the readback alone decides
        (Behaviour.COMMIT_THEN_500, ConfirmedCard),
        (Behaviour.COMMIT_THEN_CLOSE, ConfirmedCard),
        (Behaviour.COMMIT_THEN_HANG, ConfirmedCard),
        (Behaviour.COUNT_RISES_LATE, ConfirmedCard),
        # nothing is there
        (Behaviour.COUNT_NEVER_RISES, SealedCard),
        (Behaviour.FORBIDDEN_403, SealedCard),
        (Behaviour.CLOSE, SealedCard),
    ],
    ids=str,
)
async def test_the_answer_only_adds_evidence(
    record: Opens, site: Site, behaviour: Behaviour, state: type[Any]
) -> None:
    site.behaviour = behaviour
    async with record() as (recording, page):
        await page.fill("#text", "zebra 4711")
        await page.click("#send")
        await asyncio.to_thread(site.wait_for, "POST", "/api/messages", seconds=10)
        assert isinstance(await recording.card(), state)
    assert site.decisive == 1


@pytest.mark.parametrize(
    "behaviour", [ReadbackBehaviour.NOT_JSON, ReadbackBehaviour.REDIRECT_OFF_ORIGIN], ids=str
)
async def test_a_readback_that_fails_is_told_and_the_card_is_sealed(
    record: Opens, site: Site, behaviour: ReadbackBehaviour
) -> None:
    strangers = site.beacon_connections
    async with record("/search") as (recording, page):
        site.readback_behaviour = behaviour
        await post(page, site, "zebra 4711")
        recorded = await recording.finish()
    assert isinstance(recorded.card, SealedCard)
    assert recorded.evidence is None
    assert "failed at its first count" in (recorded.reason or "")
    assert site.beacon_connections == strangers


async def test_a_write_that_replaces_the_whole_collection_does_not_confirm(
    record: Opens, site: Site
) -> None:
    async with record("/search", slots={"message": "the first"}) as (recording, page):
        for text in ("one", "two"):
            await post(page, site, text)
        await page.goto(f"{site.origin}/replace-all")
        await page.fill("#text", "the first")
        await page.click("#send")
        recorded = await recording.finish()
    assert isinstance(recorded.card, SealedCard)
    assert "vanished" in (recorded.reason or "")


async def test_without_a_readback_two_writes_are_listed(record: Opens, cards: Path) -> None:
    values = {"message": "zebra 4711"}
    async with record(slots=values, readback=None) as (recording, page):
        await page.fill("#text", "zebra 4711")
        await page.click("#send")
        await page.goto("about:blank")
        await page.goto(f"{recording.plan.origin}/tasks")
        await page.fill("#title", "zebra 4711")
        await page.click("#add")
        with pytest.raises(AmbiguousAction, match="POST /api/tasks"):
            await recording.card()
    assert len(names(cards)) >= 2


async def test_nothing_typed_is_nothing_captured(record: Opens, cards: Path) -> None:
    async with record(slots={"message": "never typed"}) as (recording, page):
        await send_message(page, VALUES)
        with pytest.raises(NothingCaptured, match="state-changing"):
            await recording.card(1)
    assert names(cards) == []


def names(cards: Path) -> list[str]:
    return sorted(path.name for path in cards.glob("*.json"))


async def post(page: Page, site: Site, text: str) -> None:
    """Post a message with the token that the site gives to scripts."""
    await page.evaluate(
        """async (text) => {
            const token = (await fetch("/api/session")).headers.get("x-csrf-token");
            await fetch("/api/messages", {
                method: "POST",
                headers: {"content-type": "application/json", "x-csrf-token": token},
                body: JSON.stringify({text}),
            });
        }""",
        text,
    )
