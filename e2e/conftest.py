"""Fixtures that every end-to-end test may use: the site, a visitor, a browser.

Rules:
1. The browser is one for the session and lives on the session's event loop: a test that uses it
   says `pytestmark = pytest.mark.asyncio(loop_scope="session")`.
2. The site and the browser's context are new for each test: no cookie or record is handed on.
"""

import os
import shutil
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from e2e.site import Site
from e2e.visitor import Visitor


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
def visitor(site: Site) -> Iterator[Visitor]:
    """A client of the site that is logged in."""
    with Visitor(site.origin, site.login_cookie()) as logged_in:
        yield logged_in


@pytest.fixture
def stranger(site: Site) -> Iterator[Visitor]:
    """A client of the site that is not logged in."""
    with Visitor(site.origin) as unknown:
        yield unknown


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's executable."""
    found = os.environ.get("REQCARD_CHROMIUM") or shutil.which("chromium")
    assert found, "no Chromium: install one, or name it in REQCARD_CHROMIUM"
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, site: Site) -> AsyncIterator[Page]:
    """A page in a fresh context, logged in at the site; relative URLs go there."""
    context = await browser.new_context(
        storage_state=site.storage_state(),  # type: ignore[arg-type]  # its TypedDict is private
        base_url=site.origin,
    )
    yield await context.new_page()
    await context.close()
