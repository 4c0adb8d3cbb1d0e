"""The outermost layer: what happens to every request before and after its endpoint.

Rules:
1. A decisive request is counted, and the card files looked at, on its head: before its body is
   read and before anything can answer.
2. Latency and cookie rotation touch the answer's head only, so that no endpoint knows of them.
"""

import asyncio

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from e2e.site.seen import Seen
from e2e.site.state import State

SID = "sid"


def sid_cookie(sid: str) -> str:
    """The value of the `Set-Cookie` header that brings a login."""
    return f"{SID}={sid}; HttpOnly; Path=/; SameSite=Lax"


class Arrival:
    """An ASGI application around the site's own."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self._app = app
        self._state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        switches = self._state.switches
        if self._state.log.arrived(scope["method"], scope["path"]) and (
            switches.readback_after_write is not None
        ):
            switches.readback_behaviour = switches.readback_after_write
        body = await _whole_body(receive)
        seen = _seen(scope, body)
        self._state.log.add(seen)
        given = False

        async def replayed() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                if switches.latency:
                    await asyncio.sleep(switches.latency)
                self._rotate(seen, message)
            await send(message)

        await self._app(scope, replayed, answer)

    def _rotate(self, seen: Seen, message: Message) -> None:
        if not self._state.switches.rotate_cookie:
            return
        fresh = self._state.sessions.rotate(seen.cookies.get(SID))
        if fresh is not None:
            message["headers"] = [
                *message["headers"],
                (b"set-cookie", sid_cookie(fresh).encode("ascii")),
            ]


async def _whole_body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body
        part: bytes = message.get("body", b"")
        body += part
        if not message.get("more_body", False):
            return body


def _seen(scope: Scope, body: bytes) -> Seen:
    headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"]]
    return Seen(
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        headers=headers,
        body=body,
        cookies=cookie_parser("; ".join(value for name, value in headers if name == "cookie")),
    )
