"""The answers that are none: the server hangs, or closes the connection.

Rules:
1. `Closed` really aborts the TCP connection. An ASGI application that just returns would make
   uvicorn send a 500, which is an answer.
2. `Hanging` waits until `Silence.release` or until the client has gone, then closes.
3. `release` may be called from any thread. From a request's entry in the log to its hang the
   loop is never left, so whoever waited for the entry and then releases cannot come too early.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


def _unbound(client: Any) -> None:
    raise RuntimeError("the server is not running: there is no connection to abort")


class Silence:
    """Keeps the hanging answers and knows how to abort a connection."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._abort: Callable[[Any], None] = _unbound
        self._hanging: set[asyncio.Event] = set()

    def bind(self, loop: asyncio.AbstractEventLoop, abort: Callable[[Any], None]) -> None:
        """Called by the server once it runs; `abort` takes the (host, port) of the client."""
        self._loop, self._abort = loop, abort

    def unbind(self) -> None:
        self._loop, self._abort = None, _unbound

    def release(self) -> None:
        """Let go of every answer that hangs now; later ones hang again."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        for event in self._hanging:
            event.set()

    async def close(self, scope: Scope, receive: Receive) -> None:
        self._abort(tuple(scope["client"]))
        # uvicorn notices an abort a moment later; returning earlier would make it answer.
        await _gone(receive)

    async def hang(self, scope: Scope, receive: Receive) -> None:
        event = asyncio.Event()
        self._hanging.add(event)
        released, gone = asyncio.ensure_future(event.wait()), asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({released, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hanging.discard(event)
            released.cancel()
            gone.cancel()
        if not gone.done():
            await self.close(scope, receive)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Closed(Response):
    """No answer: the connection is aborted."""

    def __init__(self, silence: Silence) -> None:
        super().__init__()
        self._silence = silence

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._silence.close(scope, receive)


class Hanging(Response):
    """No answer: the connection stays open and silent."""

    def __init__(self, silence: Silence) -> None:
        super().__init__()
        self._silence = silence

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._silence.hang(scope, receive)
