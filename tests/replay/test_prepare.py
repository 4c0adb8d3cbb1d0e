import asyncio
from typing import Any

import httpx
import pytest

from cards.errors import BadSlot
from cards.holes import LiveRef, Slot, SlotRef
from cards.shapes import JsonBody, ObjectShape, Target
from cards.sources import CookieSource, HeaderSource, LiveValue, MetaSource
from replay.prepare import NotPrepared, prepare
from replay.prepared import Prepared
from tests.support.builders import acontract, areadback
from tests.support.sites import APP, alogin, asite, messages, page, target_of
from verifier.http import Site
from verifier.login import CookieRecord
from verifier.outcome import LoginRequired, NotApplicable

READBACK = areadback()
META = MetaSource(kind="meta", page=Target(path=("messages",)), name="csrf-token")
TOKEN = '<meta name="csrf-token" content="T">'
VALUES = {"message": "zebra"}


async def prepared(site: Site, **contract: Any) -> Prepared | NotPrepared:
    return await prepare(site, acontract(**contract), READBACK, VALUES, timeout=1)


class Pages:
    """A token page that gives these answers in turn, and a collection beside it."""

    def __init__(self, *token_pages: httpx.Response, **headers: str) -> None:
        self.left = list(token_pages)
        self.headers = headers
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {target_of(request)}")
        if target_of(request) != "/messages":
            return httpx.Response(200, json={"messages": []}, headers=self.headers)
        answer = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


async def test_a_page_in_trouble_is_asked_three_times_and_is_not_gone() -> None:
    pages = Pages(httpx.Response(503))
    outcome = await prepared(asite(pages))
    assert isinstance(outcome, NotApplicable)
    assert outcome.code == "SOURCE_UNREACHABLE"
    assert pages.asked.count("GET /messages") == 3


async def test_a_page_that_comes_back_is_enough() -> None:
    pages = Pages(httpx.Response(503), httpx.Response(429), page(TOKEN))
    assert isinstance(await prepared(asite(pages)), Prepared)


async def test_what_is_gone_is_asked_for_once() -> None:
    pages = Pages(page("<p>new design</p>"))
    outcome = await prepared(asite(pages))
    assert isinstance(outcome, NotApplicable)
    assert outcome.code == "SOURCE_GONE"
    assert pages.asked.count("GET /messages") == 1


async def test_only_gets_are_made() -> None:
    pages = Pages(page(TOKEN))
    await prepared(asite(pages))
    assert sorted(pages.asked) == ["GET /api/messages", "GET /messages"]


async def test_the_pages_and_the_count_are_fetched_side_by_side() -> None:
    both = asyncio.Barrier(2)

    class Meeting(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            async with both:
                return messages() if target_of(request) == "/api/messages" else page(TOKEN)

    assert isinstance(await prepared(Site(APP, alogin(), inner=Meeting())), Prepared)


# CSRF-16: the header repeats a cookie, which any answer may renew.
XSRF = LiveValue(source=CookieSource(kind="cookie", name="xsrf"))


async def test_a_cookie_that_the_count_renewed_is_sent_in_both_places() -> None:
    pages = Pages(page("<p>"), **{"set-cookie": "xsrf=NEW; Path=/"})
    login = alogin(CookieRecord("xsrf", "OLD", "app.example.test"))
    found = await prepared(asite(pages, login), live={"csrf_token": XSRF})
    assert isinstance(found, Prepared)
    assert login.cookie_header(APP, "/api/messages") == "xsrf=NEW"
    assert found.live == {"csrf_token": "NEW"}
    assert dict(found.take().headers)["x-csrf-token"] == "NEW"


async def test_a_cookie_that_the_count_took_away_asks_for_a_login() -> None:
    pages = Pages(page("<p>"), **{"set-cookie": "xsrf=; Path=/; Max-Age=0"})
    login = alogin(CookieRecord("xsrf", "OLD", "app.example.test"))
    outcome = await prepared(asite(pages, login), live={"csrf_token": XSRF})
    assert isinstance(outcome, LoginRequired)


async def test_a_live_authorization_counts_too() -> None:
    seen: list[str | None] = []

    def handle(request: httpx.Request) -> httpx.Response:
        if target_of(request) == "/messages":
            return page("<p>", **{"x-token": "T"})
        seen.append(request.headers.get("authorization"))
        return messages()

    source = HeaderSource(kind="header", page=META.page, name="x-token")
    found = await prepared(
        asite(handle),
        live={"token": LiveValue(source=source, prefix="Bearer ")},
        custom_headers={"authorization": LiveRef(live="token")},
    )
    assert isinstance(found, Prepared)
    assert seen == ["Bearer T"]


async def test_no_read_goes_on_after_a_value_was_refused() -> None:
    counting, ended = asyncio.Event(), asyncio.Event()

    class Slow(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            counting.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError

    shape: Any = {"text": SlotRef(slot="message"), "room": SlotRef(slot="room")}
    source = META.model_copy(update={"page": Target(path=("rooms", SlotRef(slot="room")))})
    contract = acontract(
        body=JsonBody(kind="json", content=ObjectShape(object=shape)),
        slots={"message": Slot(), "room": Slot()},
        live={"csrf_token": LiveValue(source=source)},
    )
    site = Site(APP, alogin(), inner=Slow())
    outcome = await prepare(site, contract, READBACK, {**VALUES, "room": ".."}, timeout=5)
    assert isinstance(outcome, NotApplicable)
    assert outcome.code == BadSlot.code
    assert len(asyncio.all_tasks()) == 1
    assert ended.is_set() == counting.is_set()


@pytest.mark.parametrize("status", [404, 410])
async def test_a_page_that_is_gone_is_named_by_its_template(status: int) -> None:
    outcome = await prepared(asite(Pages(httpx.Response(status))))
    assert isinstance(outcome, NotApplicable)
    assert "csrf_token" in outcome.message
    assert f"/messages, which answered {status}" in outcome.message
