"""A plain function as the site: no socket where the socket is not the point."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import httpx

from cards.origin import Origin
from cards.readback import Readback, parse_readback
from verifier.http import Site
from verifier.login import CookieRecord, Login

APP = Origin.parse("https://app.example.test")
Handler = Callable[[httpx.Request], httpx.Response]
FORM: dict[str, Any] = {
    "url": "/api/messages",
    "path": ["messages"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
}


def target_of(request: httpx.Request) -> str:
    """Path and query as they go out on the wire."""
    target: bytes = request.extensions["target"]
    return target.decode()


def asite(handler: Handler, login: Login | None = None) -> Site:
    return Site(APP, login or alogin(), inner=httpx.MockTransport(handler))


def alogin(*cookies: CookieRecord) -> Login:
    sid = CookieRecord(name="sid", value="SECRET", domain="app.example.test")
    return Login("login.json", cookies or (sid,))


def aform(**changes: Any) -> Readback:
    return parse_readback(json.dumps({**FORM, **changes}), APP)


def answering(*answers: httpx.Response) -> tuple[Handler, list[httpx.Request]]:
    """A site that gives these answers in turn, the last one for ever; and what it was asked."""
    asked: list[httpx.Request] = []
    left = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        answer = left.pop(0) if len(left) > 1 else left[0]
        return httpx.Response(
            answer.status_code, headers=answer.headers.multi_items(), content=answer.content
        )

    return handle, asked


def messages(*texts: str, **more: Any) -> httpx.Response:
    """A collection of messages with these texts."""
    return httpx.Response(
        200, json={"messages": [{"id": n, "text": t, **more} for n, t in enumerate(texts)]}
    )


def page(html: str, **headers: str) -> httpx.Response:
    return httpx.Response(200, html=html, headers=headers)


def names(requests: Iterable[httpx.Request]) -> list[str]:
    return [f"{request.method} {target_of(request)}" for request in requests]
