"""uvicorn and the second origin on one event loop in a daemon thread.

Rules:
1. Sockets are bound by the caller's thread: a port in use is the caller's `OSError`, and the
   origins are known before the loop runs.
2. Start and stop wait on events; uvicorn's own loop looks at its exit flag only ten times a second.
3. Stop never waits for a handler: connections are aborted, then what still runs is cancelled.
"""

import asyncio
import socket
import threading
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from e2e.site.second import SecondOrigin
from e2e.site.silence import Silence

HOST = "127.0.0.1"
STOP_WITHIN = 5.0
"""Seconds; a handler that blocks the loop for longer is a bug worth an exception."""


def bind(port: int) -> socket.socket:
    """A listening socket on loopback; port 0 takes a free one.

    Raises:
        OSError: the port is in use.
    """
    # Said in so many words: asyncio turns Nagle's algorithm off only where the protocol is TCP by
    # number (`base_events._set_nodelay`). With the 0 of `create_server`, answers took 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def origin_of(listener: socket.socket) -> str:
    return f"http://{HOST}:{listener.getsockname()[1]}"


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self.leave = asyncio.Event()
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()

    async def main_loop(self) -> None:
        # Ticks keep the Date header right, as uvicorn's own loop does.
        while not await self.on_tick(0):
            try:
                await asyncio.wait_for(self.leave.wait(), 1.0)
            except TimeoutError:
                continue
            return

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        tasks = list(self.server_state.tasks)
        if tasks:
            _, slow = await asyncio.wait(tasks, timeout=0.2)
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    def abort(self, client: Any) -> None:
        """Abort the connection from this (host, port)."""
        for connection in list(self.server_state.connections):
            if getattr(connection, "client", None) == client:
                connection.transport.abort()


class Server:
    """Serves an application until it is stopped.

    Args:
        app: the ASGI application.
        listener: a bound socket, closed by `stop`.
        second: the second origin, and its bound socket, closed too.
        silence: is told the loop and how to abort a connection.
    """

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        second: tuple[SecondOrigin, socket.socket],
        silence: Silence,
    ) -> None:
        self._app, self._listener, self._second, self._silence = app, listener, second, silence
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._uvicorn: _Uvicorn | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="fixture-site", daemon=True)

    def start(self) -> None:
        """Return once the site answers.

        Raises:
            RuntimeError: uvicorn did not start; the cause is attached.
        """
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise RuntimeError("the fixture site did not start") from self._failure

    def stop(self) -> None:
        """Return once the thread has ended; a second call does nothing.

        Raises:
            RuntimeError: a handler blocks the loop.
        """
        if self._thread.is_alive() and self._loop is not None and self._uvicorn is not None:
            self._loop.call_soon_threadsafe(self._uvicorn.leave.set)
            self._thread.join(STOP_WITHIN)
            if self._thread.is_alive():
                raise RuntimeError(f"the fixture site did not stop within {STOP_WITHIN} s")

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:  # noqa: BLE001  # handed to the thread that waits
            self._failure = failure
        finally:
            self._silence.unbind()
            self._listener.close()
            self._second[1].close()
            self._ready.set()

    async def _serve(self) -> None:
        config = uvicorn.Config(
            self._app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=75,
        )
        server = self._uvicorn = _Uvicorn(config, self._ready)
        self._loop = asyncio.get_running_loop()
        self._silence.bind(self._loop, server.abort)
        counter, listener = self._second
        async with await asyncio.start_server(counter.serve, sock=listener):
            await server.serve(sockets=[self._listener])
