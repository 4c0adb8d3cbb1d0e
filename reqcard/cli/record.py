"""``reqcard record``: open Chromium through the recorder, let somebody act, say what was sealed."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from reqcard.cli import output
from reqcard.cli.recorded import explained_failure, tell

if TYPE_CHECKING:
    from playwright.async_api import Page

    from cards.origin import Origin
    from recorder.recorded import Recorded
    from recorder.session import Recording
    from reqcard.cli.acting import Drive

_CONNECT_S = 5.0
_PAGE_S = 30.0
_SHORT_S = 0.5


@dataclass(frozen=True, slots=True, repr=False)
class _Task:
    origin: str
    action: str
    slots: tuple[str, ...]
    readback: str | None
    start_url: str | None
    login: Path | None
    cards: Path
    pins: tuple[str, ...]
    headless: bool
    drive: str | None
    browser: str
    listen: str
    wait: float
    seal: str
    explain: bool
    as_json: bool


def record(
    origin: Annotated[str, typer.Option(help="Origin whose action is recorded.")],
    action: Annotated[str, typer.Option(help="Name of the action's card.")],
    slot: Annotated[
        list[str] | None,
        typer.Option(help="What is about to be typed: name=value or name:type=value. Repeatable."),
    ] = None,
    readback: Annotated[
        str | None, typer.Option(help="Readback form: JSON, or the name of a file that holds it.")
    ] = None,
    start_url: Annotated[str | None, typer.Option(help="Page to open first.")] = None,
    login: Annotated[
        Path | None, typer.Option(help="Login file to start the browser with.")
    ] = None,
    cards: Annotated[Path, typer.Option(envvar="REQCARD_CARDS", help="Directory of cards.")] = Path(
        "cards.d"
    ),
    pin: Annotated[
        list[str] | None,
        typer.Option(help="A constant: FIELD=VALUE, or FIELD to keep what is sent. Repeatable."),
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Without a window.")] = False,
    drive: Annotated[
        str | None,
        typer.Option(help="MODULE:FUNCTION, an async def FUNCTION(page, values) that acts."),
    ] = None,
    browser: Annotated[
        Literal["chromium", "none"], typer.Option(help="none: only listen, for any client.")
    ] = "chromium",
    listen: Annotated[str, typer.Option(help="HOST:PORT of the proxy.")] = "127.0.0.1:0",
    wait: Annotated[float, typer.Option(min=0, help="Seconds until it ends by itself.")] = 300.0,
    seal: Annotated[
        Literal["automatic", "key"],
        typer.Option(help="key: seal nothing before Enter was pressed."),
    ] = "automatic",
    explain: Annotated[
        bool, typer.Option("--explain", help="Say of each request what it was taken for, and why.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in the JSON envelope.")] = False,
) -> None:
    """Record one action as a card, sealed before its request is sent."""
    task = _Task(
        origin,
        action,
        tuple(slot or ()),
        readback,
        start_url,
        login,
        cards,
        tuple(pin or ()),
        headless,
        drive,
        browser,
        listen,
        wait,
        seal,
        explain,
        as_json,
    )
    recorded = output.run(lambda: asyncio.run(_record(task)), json=as_json)
    tell(recorded, as_json=as_json)


async def _record(task: _Task) -> "Recorded":
    from cards.origin import Origin
    from recorder.plan import split_slots
    from recorder.session import Recording
    from reqcard.cli.acting import load_drive, stoppable

    origin = Origin.parse(task.origin)
    start = _start_url(task, origin)
    drive = load_drive(task.drive) if task.drive else None
    state = _storage_state(task.login, origin) if task.login else None
    recording = Recording(
        origin=origin,
        action=task.action,
        slots=split_slots(task.slots),
        readback=task.readback,
        cards=task.cards,
        pins=task.pins,
        listen=task.listen,
        automatic=task.seal == "automatic",
        told=lambda line: _say(line) if output.is_watched() and not task.as_json else None,
        explain=task.explain,
    )
    await _check_reachable(origin)
    failed = explained_failure(recording, as_json=task.as_json)
    async with stoppable() as stop, recording, failed:
        if task.browser == "none":
            return await _listened(task, recording, stop)
        async with _page(task, recording, state) as page:
            if not await _opened(page, start, stop):
                return await recording.finish(0)
            if drive is not None:
                return await _driven(task, recording, drive, page, stop)
            return await _acted_by_a_person(task, recording, page, stop)


async def _listened(task: _Task, recording: "Recording", stop: asyncio.Event) -> "Recorded":
    from reqcard.cli.acting import first_of

    _say(f"proxy: {recording.proxy_url}")
    _say(f"CA to trust, for this recording only: {recording.ca}")
    await first_of(
        recording.decided(task.wait),
        stop.wait(),
        _sealed_by_key(task, recording),
        seconds=task.wait,
    )
    return await recording.finish(0)


async def _acted_by_a_person(
    task: _Task, recording: "Recording", page: "Page", stop: asyncio.Event
) -> "Recorded":
    from reqcard.cli.acting import closed, first_of

    _say(f"Act once in the browser. It ends by itself when confirmed, or after {task.wait:g} s.")
    await first_of(
        recording.decided(task.wait),
        closed(page.context),
        stop.wait(),
        _sealed_by_key(task, recording),
        seconds=task.wait,
    )
    return await recording.finish(0)


async def _driven(
    task: _Task, recording: "Recording", drive: "Drive", page: "Page", stop: asyncio.Event
) -> "Recorded":
    from cards.errors import NothingCaptured
    from reqcard.cli.acting import driven, first_of

    failure: str | None = None

    async def act() -> None:
        nonlocal failure
        if task.seal == "key":
            await recording.seal()
        failure = await driven(drive, page, recording.plan.values)

    await first_of(act(), stop.wait(), seconds=task.wait)
    try:
        hopeless = stop.is_set() or (failure is not None and not recording.has_sealed)
        recorded = await recording.finish(_SHORT_S if hopeless else None)
    except NothingCaptured as error:
        if failure is None:
            raise
        raise NothingCaptured(f"{failure} {error.message}", error.way_out) from None
    if failure is not None:
        _say(failure)
    return recorded


async def _sealed_by_key(task: _Task, recording: "Recording") -> None:
    from reqcard.cli.acting import enter_pressed

    if task.seal == "key":
        _say("Press Enter to arm the seal, then submit.")
        await enter_pressed()
        await recording.seal()
        _say("Armed.")
    await asyncio.Event().wait()


@asynccontextmanager
async def _page(
    task: _Task, recording: "Recording", state: Path | Mapping[str, Any] | None
) -> AsyncIterator["Page"]:
    from recorder.browser import launch, private_playwright
    from reqcard.cli.acting import close_browser

    async with private_playwright() as playwright:
        context = await launch(
            playwright,
            proxy=recording.proxy_url,
            spki=recording.spki,
            headless=task.headless,
            storage_state=state,
        )
        try:
            page = await context.new_page()
            recording.attach(page)
            yield page
        finally:
            await close_browser(context)


async def _opened(page: "Page", url: str, stop: asyncio.Event) -> bool:
    """Whether the first page is there; not when somebody stopped the recording meanwhile."""
    from playwright.async_api import Error

    from cards.errors import UsageError

    try:
        await page.goto(url, timeout=_PAGE_S * 1000)
    except Error:
        if stop.is_set():
            return False
        raise UsageError(
            f"The page {url.partition('?')[0]} did not open.", "Check --start-url and the network."
        ) from None
    return True


def _start_url(task: _Task, origin: "Origin") -> str:
    from cards.origin import Origin

    if task.start_url is None:
        return origin.url("/")
    if task.start_url.startswith("/"):
        return origin.url(task.start_url)
    Origin.of_url(task.start_url)
    return task.start_url


def _storage_state(path: Path, origin: "Origin") -> Path | Mapping[str, Any]:
    from replay.logins import load_login

    login = load_login(path, origin)
    if path.read_bytes().lstrip().startswith(b"{"):
        return _as_playwright_writes_it(json.loads(path.read_text(encoding="utf-8-sig")))
    cookies = [
        {
            "name": cookie.name,
            "value": cookie.value,
            "domain": cookie.domain if cookie.host_only else f".{cookie.domain.lstrip('.')}",
            "path": cookie.path,
            "expires": -1 if cookie.expires is None else cookie.expires,
            "httpOnly": cookie.http_only,
            "secure": cookie.secure,
            "sameSite": cookie.same_site or "Lax",
        }
        for cookie in login.export()
    ]
    return {"cookies": cookies, "origins": []}


def _as_playwright_writes_it(state: dict[str, Any]) -> dict[str, Any]:
    for entry in state.get("origins", []):
        entry.pop("sessionStorage", None)
        entry.setdefault("localStorage", [])
    return state


async def _check_reachable(origin: "Origin") -> None:
    from cards.errors import UsageError

    try:
        async with asyncio.timeout(_CONNECT_S):
            _, writer = await asyncio.open_connection(origin.host.strip("[]"), origin.port)
    except (OSError, TimeoutError):
        raise UsageError(
            f"Nothing answers at {origin}.", "Check --origin, and that the site is running."
        ) from None
    writer.close()


def _say(line: str) -> None:
    typer.echo(line, err=True)


__all__: Sequence[str] = ["record"]
