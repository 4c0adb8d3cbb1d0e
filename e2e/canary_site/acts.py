"""What a person does on the canary site's pages, as drive functions for ``reqcard record``."""

from asyncio import Event
from collections.abc import Mapping

from playwright.async_api import Page, expect


async def _speak_in_markers(page: Page) -> None:
    """From now on the browser names itself and its language as the page told it to."""
    said = {
        "User-Agent": await page.get_attribute("body", "data-agent") or "",
        "Accept-Language": await page.get_attribute("body", "data-language") or "",
    }
    await page.set_extra_http_headers(said)
    await page.reload()


async def _fill_and_send(page: Page, values: Mapping[str, str]) -> None:
    await _speak_in_markers(page)
    await page.fill("#message", values["message"])
    await page.fill("#passphrase", values["passphrase"])
    await page.click("#send")


async def write_entry(page: Page, values: Mapping[str, str]) -> None:
    """Write a message on /compose; done when the page says that it was sent."""
    await _fill_and_send(page, values)
    await expect(page.locator("#status")).to_have_text("sent")


async def write_and_stay(page: Page, values: Mapping[str, str]) -> None:
    """Write a message on /compose and never come back."""
    await _fill_and_send(page, values)
    await Event().wait()


async def type_and_stay(page: Page, values: Mapping[str, str]) -> None:
    """Type a message on /compose and never send it."""
    await _speak_in_markers(page)
    await page.fill("#message", values["message"])
    await page.fill("#passphrase", values["passphrase"])
    await page.evaluate("fetch('/api/entries?typed=1')")
    await Event().wait()


async def fill_in_form(page: Page, values: Mapping[str, str]) -> None:
    """Fill in /form and save it; done when the site has redirected."""
    await _speak_in_markers(page)
    await page.fill("#note [name=title]", values["title"])
    await page.fill("#note [name=passphrase]", values["passphrase"])
    await page.click("#note [name=_save]")
    await page.wait_for_selector("#done")
