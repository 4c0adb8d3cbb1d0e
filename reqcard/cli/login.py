"""``reqcard login``: a person signs in, and the login is kept in a file that only they can read."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reqcard.cli import output

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

    from cards.origin import Origin


def login(
    origin: Annotated[str, typer.Option(help="Origin to sign in at.")],
    login: Annotated[Path, typer.Option(help="File to write, a Playwright storage_state.")],
    start_url: Annotated[str | None, typer.Option(help="Page to open first.")] = None,
    until_url: Annotated[
        str | None, typer.Option(help="End when the page's URL fits this glob.")
    ] = None,
    drive: Annotated[
        str | None,
        typer.Option(help="MODULE:FUNCTION, an async def FUNCTION(page, values) that signs in."),
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Without a window.")] = False,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait at most.")] = 600.0,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in the JSON envelope.")] = False,
) -> None:
    """Open Chromium, wait until somebody has signed in, and write the login file."""
    work = _login(
        origin,
        login,
        start_url=start_url,
        until_url=until_url,
        drive=drive,
        headless=headless,
        wait=wait,
    )
    told = output.run(lambda: asyncio.run(work), json=as_json)
    if as_json:
        output.data(told)
    else:
        typer.echo(f"{told['origin']}: {told['cookies']} cookies in {told['login']}")


async def _login(
    origin_text: str,
    path: Path,
    *,
    start_url: str | None,
    until_url: str | None,
    drive: str | None,
    headless: bool,
    wait: float,
) -> dict[str, Any]:
    from cards.origin import Origin
    from recorder.browser import launch, private_playwright
    from reqcard.cli.acting import close_browser, load_drive, stoppable

    origin = Origin.parse(origin_text)
    function = load_drive(drive) if drive else None
    _check_writable(path)
    async with stoppable() as stop, private_playwright() as playwright:
        context = await launch(playwright, headless=headless)
        try:
            page = await context.new_page()
            await _open(page, _start(start_url, origin))
            if function is not None:
                await _sign_in(page, function)
            else:
                await _wait(page, until_url, stop, wait)
            state = await _state(context, origin)
        finally:
            await close_browser(context)
    _write(path, state)
    return {"origin": str(origin), "login": str(path), "cookies": len(state["cookies"])}


def _start(start_url: str | None, origin: "Origin") -> str:
    from cards.origin import Origin

    if start_url is None:
        return origin.url("/")
    if start_url.startswith("/"):
        return origin.url(start_url)
    Origin.of_url(start_url)
    return start_url


async def _open(page: "Page", url: str) -> None:
    from playwright.async_api import Error

    from cards.errors import UsageError

    try:
        await page.goto(url)
    except Error:
        raise UsageError(
            f"The page {url.partition('?')[0]} did not open.", "Check --origin and the network."
        ) from None


async def _sign_in(page: "Page", function: Any) -> None:
    from cards.errors import BadLogin
    from reqcard.cli.acting import driven

    failure = await driven(function, page, {})
    if failure is not None:
        raise BadLogin(failure, "No login file was written.")


async def _wait(page: "Page", until_url: str | None, stop: asyncio.Event, wait: float) -> None:
    from playwright.async_api import Error

    from cards.errors import BadLogin
    from reqcard.cli.acting import closed, enter_pressed, first_of

    if until_url is None:
        typer.echo("Sign in, then press Enter here or close the window.", err=True)
        await first_of(closed(page.context), enter_pressed(), stop.wait(), seconds=wait)
        return
    try:
        await page.wait_for_url(until_url, timeout=wait * 1000)
    except Error:
        raise BadLogin(
            f"The page's URL did not fit --until-url within {wait:g} s.",
            "Check the glob, such as '**/home', or leave it out and press Enter.",
        ) from None


async def _state(context: "BrowserContext", origin: "Origin") -> dict[str, Any]:
    from playwright.async_api import Error

    from cards.errors import BadLogin

    try:
        state = await context.storage_state()
    except Error:
        raise BadLogin(
            "The browser was gone before its login could be read.",
            "Close only the window, or press Enter in the terminal.",
        ) from None
    own = _of_origin(json.loads(json.dumps(state)), origin)
    await _add_session(own, context, origin)
    if not own["cookies"] and not own["origins"]:
        raise BadLogin(
            f"The browser holds no cookie and no storage of {origin}.",
            "Sign in there before you end, and check --origin.",
        )
    return own


async def _add_session(state: dict[str, Any], context: "BrowserContext", origin: "Origin") -> None:
    """Put ``sessionStorage``, which Playwright leaves out, beside ``localStorage``."""
    from recorder.stored import stored_in

    items: dict[str, str] = {}
    for page in context.pages:
        items |= (await stored_in(page, origin))["session"]
    if not items:
        return
    if not state["origins"]:
        state["origins"].append({"origin": str(origin), "localStorage": []})
    listed = [{"name": name, "value": value} for name, value in items.items()]
    state["origins"][0]["sessionStorage"] = listed


def _of_origin(state: dict[str, Any], origin: "Origin") -> dict[str, Any]:
    """The part of a ``storage_state`` that the origin would be sent or could read."""
    host = origin.host.strip("[]")

    def fits(domain: str) -> bool:
        bare = domain.lstrip(".").strip("[]").lower()
        return host == bare or (domain.startswith(".") and host.endswith(f".{bare}"))

    return {
        "cookies": [one for one in state["cookies"] if fits(one["domain"])],
        "origins": [one for one in state["origins"] if one["origin"] == str(origin)],
    }


def _check_writable(path: Path) -> None:
    from cards.errors import UsageError

    if not path.parent.is_dir():
        raise UsageError(
            f"The login can't be written: {path.parent} is no directory.", "Make it first."
        )


def _write(path: Path, state: dict[str, Any]) -> None:
    from cards.errors import UsageError
    from cards.store import write_aside

    try:
        write_aside(path, json.dumps(state).encode(), mode=0o600)
    except OSError as error:
        raise UsageError(
            f"The login can't be written to {path}: {error.strerror}.", "Give another --login."
        ) from None
