"""What a person does on the fixture site's pages, as drive functions for ``reqcard record``."""

from collections.abc import Mapping

from playwright.async_api import Page, expect


async def send_message(page: Page, values: Mapping[str, str]) -> None:
    """Choose a room, type a message and send it; done when the page says that it was sent."""
    await page.fill("#text", values["message"])
    await page.select_option("#room", values["room"])
    await page.click("#send")
    await expect(page.locator("#status")).to_have_text("sent")


async def send_in_random(page: Page, values: Mapping[str, str]) -> None:
    """Send a message in the room ``random``, which is declared to be no slot."""
    await send_message(page, {**values, "room": "random"})


async def write_note(page: Page, values: Mapping[str, str]) -> None:
    """Fill in the classic form of /notes/new and save it."""
    await page.fill("#note [name=title]", values["title"])
    await page.fill("#note [name=body]", values["body"])
    await page.locator("#note [name=tag]").first.fill(values.get("first_tag", ""))
    await page.locator("#note [name=tag]").last.fill(values.get("second_tag", ""))
    await page.click("#note [name=_save]")
    await page.wait_for_url("**/notes")


async def add_task(page: Page, values: Mapping[str, str]) -> None:
    """Add a task with its due date on /tasks."""
    await page.fill("#title", values["title"])
    await page.fill("#due", values["due"])
    await page.click("#add")
    await expect(page.locator("#status")).to_have_text("sent")


async def send_text(page: Page, values: Mapping[str, str]) -> None:
    """Type a text and press the page's one button, on /rooms, /headers, /edit or /replace-all."""
    if "lang" in values:
        await page.select_option("#lang", values["lang"])
    await page.fill("#text", values["message"])
    await page.click("#send:enabled")
    await expect(page.locator("#status")).to_have_text("sent")
