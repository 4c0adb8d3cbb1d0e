"""A site that sends its visitors elsewhere, and strangers that count who comes.

Rules:
1. A stranger counts connections as they are accepted, before a byte is read, and answers nothing:
   whoever opened a socket and thought better of it is counted too.
2. The site notes every target as it stood on the wire, before any decoding.
"""

import json
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from starlette.types import Receive, Scope, Send

from e2e.site.second import SecondOrigin
from e2e.site.server import Server, bind, origin_of
from e2e.site.silence import Silence

META = {name: f"{name}-CROSSING-4f1d0c" for name in ("csrf-token", "api-key", "bearer")}
PAGE = "".join(f'<meta name="{name}" content="{value}">' for name, value in META.items())


class Stranger:
    """A listening socket of another origin: `with Stranger() as other: … other.connections`."""

    def __init__(self) -> None:
        self._listener = bind(0)
        self.port = int(self._listener.getsockname()[1])
        self.authority = f"127.0.0.1:{self.port}"
        self._probes: list[tuple[str, int]] = []
        self._peers: list[tuple[str, int]] = []
        self._came = threading.Condition()
        self._thread = threading.Thread(target=self._accept, name="stranger", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, peer = self._listener.accept()
            except OSError:
                return
            connection.close()
            with self._came:
                self._peers.append(peer)
                self._came.notify_all()

    @property
    def connections(self) -> int:
        """How many came. A connection of our own, last in the line, shows that all are counted."""
        with socket.create_connection(("127.0.0.1", self.port)) as probe:
            mine = probe.getsockname()
            with self._came:
                assert self._came.wait_for(lambda: mine in self._peers, 5)
                self._probes.append(mine)
                return len(self._peers) - len(self._probes)


@dataclass(frozen=True, slots=True)
class Arrived:
    """One request: method, target as on the wire, headers by lower-case name."""

    method: str
    target: str
    headers: dict[str, str]


@dataclass
class Crossing:
    """What the site does; tests set it.

    Attributes:
        redirects: status and ``Location`` for a method and path, in place of the answer.
        after_write: redirects that hold from the first write on.
        commits: whether a write that is redirected is stored first.
        link: a ``Link`` header of the collection.
        next: a ``next`` member of the collection.
    """

    redirects: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    after_write: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    commits: bool = False
    link: str = ""
    next: str | None = None


class CrossingSite:
    """The site on 127.0.0.1, with a page, a collection below any path, and no login check."""

    def __init__(self) -> None:
        listener, second = bind(0), bind(0)
        self.origin = origin_of(listener)
        self.authority = self.origin.removeprefix("http://")
        self.crossing = Crossing()
        self.items: list[dict[str, Any]] = []
        self.arrived: list[Arrived] = []

        # uvicorn tells a modern application by its being a function; a bound method is none.
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await self._serve(scope, receive, send)

        self._server = Server(app, listener, (SecondOrigin(), second), Silence())
        self._server.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.stop()

    def reset(self) -> None:
        """As at the start, on the same port."""
        self.crossing = Crossing()
        self.items.clear()
        self.arrived.clear()

    @property
    def writes(self) -> list[Arrived]:
        return [request for request in self.arrived if request.method != "GET"]

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        target = scope["raw_path"].decode("latin-1")
        if scope["query_string"]:
            target += f"?{scope['query_string'].decode('latin-1')}"
        headers = {n.decode("latin-1"): v.decode("latin-1") for n, v in scope["headers"]}
        self.arrived.append(Arrived(scope["method"], target, headers))
        body = await _body(receive)
        status, extra, content = self._answer(scope["method"], scope["path"], body)
        kind = b"text/html" if content.startswith("<") else b"application/json"
        head = [(b"content-type", kind), (b"set-cookie", b"seen=CROSSING-4f1d0c; Path=/"), *extra]
        await send({"type": "http.response.start", "status": status, "headers": head})
        await send({"type": "http.response.body", "body": content.encode()})

    def _answer(
        self, method: str, path: str, body: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], str]:
        crossing = self.crossing
        redirect = crossing.redirects.get((method, path))
        if method != "GET":
            if redirect is None or crossing.commits:
                self.items.append({"text": json.loads(body)["text"]})
            crossing.redirects.update(crossing.after_write)
        if redirect is not None:
            return redirect[0], [(b"location", redirect[1].encode())], ""
        if path.endswith("page"):
            return 200, [], PAGE
        if not path.endswith("/items"):
            return 404, [], '{"error": "there is no such page"}'
        if method != "GET":
            return 201, [], '{"id": 1}'
        link = [(b"link", crossing.link.encode())] if crossing.link else []
        return 200, link, json.dumps({"items": self.items, "next": crossing.next})


async def _body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        body += part
        if not message.get("more_body", False):
            return body
