"""What a person does on the fixture site's pages, as drive functions for ``reqcard record``."""

from collections.abc import Mapping

from playwright.async_api import Page


async def send_message(page: Page, values: Mapping[str, str]) -> None:
    """Type a message and send it; the page shows it when the server has it."""
    await page.fill("#text", values["message"])
    await page.click("#send")
    await page.wait_for_selector(f"#list :text-is({values['message']!r})")
