"""Who acts in the browser while a recording or a login waits: a program, or a person.

Rules:
1. What a program's function raises is told in one line, without the slots' values and without URLs.
2. Ctrl-C and SIGTERM end the waiting, not the tidying up: the browser's directory goes in any case.
"""

import asyncio
import contextlib
import html
import importlib
import inspect
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from cards.errors import UsageError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

Drive = Callable[["Page", Mapping[str, str]], Awaitable[None]]
_MAX_MESSAGE = 200
_FORM = "Write it as MODULE:FUNCTION, an `async def FUNCTION(page, values)`."


def load_drive(name: str) -> Drive:
    """The function named ``MODULE:FUNCTION``, found from the current directory too.

    Raises:
        UsageError: it can't be imported, or is no async function.
    """
    module_name, colon, function_name = name.partition(":")
    if not colon or not module_name or not function_name:
        raise UsageError("The drive function's name is malformed.", _FORM)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        function = getattr(importlib.import_module(module_name), function_name)
    except Exception as error:  # noqa: BLE001 (the author's module may raise anything)
        raise UsageError(
            f"The drive function {name} can't be imported ({type(error).__name__}).", _FORM
        ) from None
    if not inspect.iscoroutinefunction(function):
        raise UsageError(f"The drive function {name} is not an async function.", _FORM)
    drive: Drive = function
    return drive


async def driven(drive: Drive, page: "Page", values: Mapping[str, str]) -> str | None:
    """Let a program act; what went wrong, in one line without values, or none."""
    try:
        await drive(page, values)
    except Exception as error:  # noqa: BLE001 (the author's function may raise anything)
        return f"The drive function failed: {told_without(values.values(), error)}"
    return None


def told_without(values: Iterable[str], error: Exception) -> str:
    """An exception's type and the first line of its message, without values and URLs."""
    text = (str(error).strip() or " ").splitlines()[0]
    forms = {form for value in values for form in _forms(value)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "…")
    text = re.sub(r"\b[a-z][a-z0-9+.-]*://\S+", "(URL)", text, flags=re.IGNORECASE)
    return f"{type(error).__name__}: {text[:_MAX_MESSAGE]}".rstrip(": ")


def _forms(value: str) -> Iterable[str]:
    forms = (
        value,
        value.strip(),
        repr(value)[1:-1],
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        html.escape(value),
        quote(value),
        quote_plus(value),
    )
    return filter(None, forms)


@asynccontextmanager
async def stoppable() -> AsyncIterator[asyncio.Event]:
    """An event that Ctrl-C and SIGTERM set, in place of what they would end."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    task = asyncio.current_task()
    assert task is not None

    def asked() -> None:
        if stop.is_set():
            task.cancel()
        stop.set()

    # What a library leaves unfinished when the browser is torn away would be printed with all that
    # its exception says.
    if not os.environ.get("REQCARD_DEBUG"):
        loop.set_exception_handler(lambda *_: None)
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, asked)
    try:
        yield stop
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


async def first_of(*waits: Awaitable[object], seconds: float) -> None:
    """Wait until one of them is done, for at most so long; then the others are cancelled."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def closed(context: "BrowserContext") -> None:
    """Wait until the person has closed the last window."""
    gone = asyncio.Event()

    def look(_: object) -> None:
        if not context.pages:
            gone.set()

    def watch(page: "Page") -> None:
        page.on("close", look)

    for page in context.pages:
        watch(page)
    context.on("page", watch)
    context.on("close", lambda _: gone.set())
    if context.browser is not None:
        context.browser.on("disconnected", lambda _: gone.set())
    await gone.wait()


async def enter_pressed() -> None:
    """Wait for Enter at the terminal; for ever where there is none."""
    loop, pressed = asyncio.get_running_loop(), asyncio.Event()
    if not sys.stdin.isatty():
        await pressed.wait()

    def read() -> None:
        sys.stdin.readline()
        pressed.set()

    loop.add_reader(sys.stdin.fileno(), read)
    try:
        await pressed.wait()
    finally:
        loop.remove_reader(sys.stdin.fileno())


async def close_browser(context: "BrowserContext") -> None:
    """End the browser of a context; a browser that is gone already is fine."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(5):
            if context.browser is not None:
                await context.browser.close()
