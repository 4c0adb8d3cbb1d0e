"""Find and launch Chromium: the only place that starts a browser.

Rules:
1. Only the launched browser trusts the recording proxy, and only that one key: by the hash of the
   CA's public key on its command line. No certificate is installed anywhere.
2. A context is off the record: cookies and cache stay in memory. The profile that the browser
   needs nevertheless lies in a private directory that goes when the block ends, however it ends.
3. Loopback goes through the proxy too, QUIC is off, and the browser says nothing of its own.
"""

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cards.errors import NoBrowser

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_QUIET = (
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--no-first-run",
)
_STOP_S = 10.0
_SOCKET = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
_SOCKET_PATH = 104
_WAY_OUT = "Install Chromium (playwright install chromium), or name one in REQCARD_CHROMIUM."


def find_chromium() -> Path:
    """The Chromium to launch: REQCARD_CHROMIUM, Playwright's own, or one on the PATH.

    Raises:
        NoBrowser: there is none, or REQCARD_CHROMIUM names none.
    """
    named = os.environ.get("REQCARD_CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise NoBrowser("REQCARD_CHROMIUM names no program that can be run.", _WAY_OUT)
        return Path(found)
    own = _of_playwright()
    if own is not None:
        return own
    for name in _NAMES:
        on_path = shutil.which(name)
        if on_path is not None:
            return Path(on_path)
    raise NoBrowser("No Chromium was found.", _WAY_OUT)


def _of_playwright() -> Path | None:
    """The newest that ``playwright install`` downloaded, found without starting its driver."""
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    roots = [Path(folder)] if folder not in ("", "0") else [Path.home() / ".cache/ms-playwright"]
    roots.append(Path.home() / "Library/Caches/ms-playwright")
    patterns = ("chrome-linux*/chrome", "chrome-mac*/Chromium.app/Contents/MacOS/Chromium")
    found = (
        path
        for root in roots
        for pattern in patterns
        for path in root.glob(f"chromium-*/{pattern}")
        if os.access(path, os.X_OK)
    )
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


@asynccontextmanager
async def private_playwright() -> AsyncIterator["Playwright"]:
    """Playwright with a temporary directory of its own, which is deleted at the end."""
    from playwright.async_api import async_playwright

    directory = private_directory()
    try:
        homes = {name: f"{directory}/{name}" for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
        with _inherited(TMPDIR=directory, **homes):
            playwright = await async_playwright().start()
        try:
            yield playwright
        finally:
            # A driver that a Ctrl-C in the terminal has ended already answers no more.
            with contextlib.suppress(Exception):
                async with asyncio.timeout(_STOP_S):
                    await asyncio.shield(playwright.stop())
    finally:
        await _remove(directory)


def private_directory() -> str:
    """A new directory for the browser, short enough for the socket that Chromium keeps in it.

    A socket's path has less than 104 bytes (unix(4) of macOS; 108 on Linux), and macOS' directory
    for temporary files alone takes half of them.
    """
    directory = tempfile.mkdtemp(prefix="reqcard-browser-")
    if len(os.fsencode(directory + _SOCKET)) < _SOCKET_PATH:
        return directory
    Path(directory).rmdir()
    return tempfile.mkdtemp(prefix="reqcard-browser-", dir="/tmp")


@contextmanager
def _inherited(**variables: str) -> Iterator[None]:
    """Variables that the driver inherits as it starts, and Chromium from it.

    Its profiles go to the one; to the others go crash reports (copies of memory) and, if a profile
    lay in the configuration's home, that profile's disk cache.
    """
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


async def _remove(directory: str) -> None:
    # A browser that is still closing may write once more.
    for _ in range(20):
        shutil.rmtree(directory, ignore_errors=True)
        if not _is_there(directory):
            return
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0.1)


def _is_there(directory: str) -> bool:
    return Path(directory).exists()


async def launch(
    playwright: "Playwright",
    *,
    proxy: str | None = None,
    spki: str | None = None,
    headless: bool = False,
    storage_state: Path | Mapping[str, Any] | None = None,
) -> "BrowserContext":
    """Start Chromium with one fresh context. Closing ``context.browser`` ends it.

    Args:
        playwright: a started Playwright.
        proxy: URL of the recording proxy, or none to go straight.
        spki: base64 of the SHA-256 of the proxy CA's public key (RFC 7469 section 2.4).
        headless: without a window.
        storage_state: the login to start with: a Playwright file, or its content.

    Raises:
        NoBrowser: there is no Chromium, or it does not start.
    """
    from playwright.async_api import Error

    arguments = list(_QUIET)
    if proxy is not None:
        arguments += [f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>"]
    if spki is not None:
        arguments.append(f"--ignore-certificate-errors-spki-list={spki}")
    chromium = find_chromium()
    try:
        browser = await playwright.chromium.launch(
            executable_path=chromium,
            args=arguments,
            headless=headless,
            chromium_sandbox=os.geteuid() != 0,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except Error:
        shown = "" if headless or _has_display() else " There is no display: add --headless."
        raise NoBrowser(f"{chromium} did not start.{shown}", _WAY_OUT) from None
    state: Any = storage_state
    return await browser.new_context(
        storage_state=state, no_viewport=None if headless else True, service_workers="allow"
    )


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
