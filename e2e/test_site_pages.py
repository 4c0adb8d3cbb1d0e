"""Each page of the fixture site, used in a real browser, stores what was typed."""

import asyncio

import orjson
import pytest
from playwright.async_api import Page, expect

from e2e.site import Behaviour, Site
from e2e.site.endpoints.login import PASSWORD, USER
from e2e.visitor import ROOM

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _send(page: Page, path: str, text: str) -> None:
    await page.goto(path)
    await page.fill("#text", text)
    await page.click("#send")
    await expect(page.locator("#status")).to_have_text("sent")


async def test_the_messages_page_posts_and_appends(page: Page, site: Site) -> None:
    await page.goto("/messages")
    await page.select_option("#room", "help")
    await page.fill("#text", "zebra 4711")
    await page.click("#send")
    await expect(page.locator("#list li")).to_have_text(["zebra 4711"])
    (message,) = site.state.messages
    assert (message["text"], message["room"]) == ("zebra 4711", "help")
    assert site.decisive == 1


async def test_the_messages_page_sends_what_is_asked_of_it(page: Page, site: Site) -> None:
    await _send(page, "/messages", "zebra 4711")
    (sent,) = [seen for seen in site.requests if seen.path == "/api/messages" and seen.body]
    body = orjson.loads(sent.body)
    assert set(body) == {"text", "room", "client_id", "nested", "payload"}
    assert orjson.loads(body["payload"]) == {"text": "zebra 4711"}
    assert ("accept", "application/json") in sent.headers
    assert any(name == "x-csrf-token" for name, _ in sent.headers)


async def test_the_messages_page_makes_its_noise(page: Page, site: Site) -> None:
    await page.goto("/messages")
    await page.fill("#text", "zebra 4711")
    await asyncio.to_thread(site.wait_for, "POST", "/api/messages/preview")
    await asyncio.to_thread(site.wait_for, "POST", "/api/heartbeat", times=2)
    await page.click("#send")
    await expect(page.locator("#status")).to_have_text("sent")
    await asyncio.to_thread(site.wait_for, "POST", "/telemetry", times=2)
    beacons = [orjson.loads(seen.body) for seen in site.requests if seen.path == "/telemetry"]
    assert [(note["event"], note["text"]) for note in beacons] == [
        ("load", ""),
        ("click", "zebra 4711"),
    ]
    previews = [seen for seen in site.requests if seen.path == "/api/messages/preview"]
    assert orjson.loads(previews[-1].body) == {"text": "zebra 4711"}
    assert ("POST", "/collect") in site.beacon_requests


async def test_a_reloaded_page_can_send_again(page: Page, site: Site) -> None:
    await _send(page, "/messages", "one")
    await _send(page, "/messages", "two")
    assert [message["text"] for message in site.state.messages] == ["one", "two"]


async def test_a_page_goes_on_working_while_its_cookie_rotates(page: Page, site: Site) -> None:
    site.rotate_cookie = True
    await _send(page, "/messages", "one")
    await asyncio.to_thread(site.wait_for, "POST", "/api/heartbeat", times=3)
    await _send(page, "/messages", "two")
    assert len(site.state.messages) == 2


@pytest.mark.parametrize(
    ("behaviour", "shown"),
    [
        (Behaviour.ERROR_IN_200, "failed: this was refused"),
        (Behaviour.COMMIT_THEN_500, "failed: something broke"),
    ],
)
async def test_the_messages_page_shows_a_failure(
    page: Page, site: Site, behaviour: Behaviour, shown: str
) -> None:
    site.behaviour = behaviour
    await page.goto("/messages")
    await page.fill("#text", "zebra")
    await page.click("#send")
    await expect(page.locator("#status")).to_have_text(shown)


async def test_the_room_page_posts_to_its_room(page: Page, site: Site) -> None:
    await page.goto(f"/rooms/{ROOM}")
    await page.select_option("#lang", "fr")
    await page.fill("#text", "bonjour")
    await page.click("#send")
    await expect(page.locator("#status")).to_have_text("sent")
    (message,) = site.state.messages
    assert (message["text"], message["room"], message["lang"]) == ("bonjour", ROOM, "fr")


async def test_the_headers_page_posts_with_a_token_from_a_header(page: Page, site: Site) -> None:
    await _send(page, "/headers", "zebra")
    assert [message["text"] for message in site.state.messages] == ["zebra"]


async def test_the_edit_page_overwrites_its_message(page: Page, site: Site) -> None:
    await _send(page, "/edit", "first")
    await page.fill("#text", "second")
    async with page.expect_response("**/api/messages/by-id/*") as answer:
        await page.click("#send")
    assert (await answer.value).status == 200
    assert [message["text"] for message in site.state.messages] == ["second"]


async def test_the_replace_page_replaces_all_messages(page: Page, site: Site) -> None:
    await _send(page, "/messages", "old")
    await _send(page, "/replace-all", "a\nb")
    assert [message["text"] for message in site.state.messages] == ["a", "b"]


async def test_the_note_form_saves_and_goes_to_the_list(page: Page, site: Site) -> None:
    await page.goto("/notes/new")
    await page.fill("#note [name=title]", "Milk")
    await page.fill("#note [name=body]", "two\nlitres")
    await page.locator("#note [name=tag]").nth(0).fill("shop")
    await page.locator("#note [name=tag]").nth(1).fill("cold")
    await page.click("#note [name=_save]")
    await page.wait_for_url("**/notes")
    await expect(page.locator("#list li")).to_have_text(["Milk"])
    (note,) = site.state.notes
    # A browser sends line breaks of a form as CRLF (HTML, section 4.10.22.4).
    assert (note["body"], note["tags"]) == ("two\r\nlitres", ["shop", "cold"])


async def test_the_note_forms_error_can_be_mended(page: Page, site: Site) -> None:
    await page.goto("/notes/new")
    await page.fill("#note [name=body]", "\nkept")
    await page.click("#note [name=_save]")
    await expect(page.locator(".errorlist")).to_be_visible()
    await page.fill("#note [name=title]", "Milk")
    await page.click("#note [name=_save]")
    await expect(page.locator("#list li")).to_have_text(["Milk"])
    assert [note["body"] for note in site.state.notes] == ["\r\nkept"]


async def test_the_preview_button_saves_nothing(page: Page, site: Site) -> None:
    await page.goto("/notes/new")
    await page.fill("#note [name=title]", "Milk")
    await page.click("#note [name=_preview]")
    await expect(page.locator("#note [name=title]")).to_have_value("Milk")
    assert site.state.notes == []


async def test_the_task_page_posts_a_form_body_with_the_cookies_token(
    page: Page, site: Site
) -> None:
    await page.goto("/tasks")
    await page.fill("#title", "Rest & sleep")
    await page.fill("#due", "2026-02-03")
    await page.click("#add")
    await expect(page.locator("#status")).to_have_text("sent")
    (task,) = site.state.tasks
    assert (task["title"], task["due"]) == ("Rest & sleep", "2026-02-03")
    (sent,) = [seen for seen in site.requests if seen.method == "POST"]
    assert sent.body == b"title=Rest+%26+sleep&due=2026-02-03"


async def test_a_person_can_log_in_and_out(page: Page, site: Site) -> None:
    site.expire_logins()
    await page.goto("/messages")
    await page.wait_for_url("**/login")
    await page.fill("#user", USER)
    await page.fill("#password", PASSWORD)
    await page.click("#login")
    await expect(page.locator("h1")).to_have_text(f"Hello, {USER}")
    await page.click("text=Log out")
    await page.wait_for_url("**/login")
