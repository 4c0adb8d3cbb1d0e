"""A small application as a function, and the requests that its page would send."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from cards.origin import Origin
from recorder.conductor import Conductor
from recorder.plan import Plan, make_plan
from recorder.traffic import RawRequest
from tests.support.builders import ORIGIN
from verifier.http import Site
from verifier.login import Login

TEXT = "zebra 4711"
READBACK = {
    "url": "/api/messages",
    "path": ["messages"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
    "deadline": 0.2,
}


def files(cards: Path) -> list[str]:
    """The names of the card files in a directory, which need not be there."""
    return sorted(path.name for path in cards.glob("*.json"))


class App:
    """The origin as the readback sees it.

    Attributes:
        texts: what is stored.
        asked: headers of each readback.
        at_readback: called as each readback arrives.
        broken: answer no JSON.
    """

    def __init__(self) -> None:
        self.texts = ["an old one"]
        self.asked: list[httpx.Headers] = []
        self.at_readback: Callable[[], None] = lambda: None
        self.broken = False

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert request.method == "GET", "the recorder may only read"
        self.asked.append(request.headers)
        self.at_readback()
        if self.broken:
            return httpx.Response(200, text="<p>sorry</p>", headers={"content-type": "text/html"})
        return httpx.Response(200, json={"messages": [{"text": text} for text in self.texts]})

    def site(self, login: Login) -> Site:
        return Site(Origin.parse(ORIGIN), login, inner=httpx.MockTransport(self))


def aplan(cards: Path, **changes: Any) -> Plan:
    arguments: dict[str, Any] = {
        "origin": ORIGIN,
        "action": "send_message",
        "slots": {"message": TEXT},
        "readback": json.dumps(READBACK),
        "cards": cards,
    }
    return make_plan(**{**arguments, **changes})


def aconductor(
    app: App,
    cards: Path,
    *,
    automatic: bool = True,
    explain: bool = False,
    told: Callable[[str], None] = lambda _: None,
    **changes: Any,
) -> Conductor:
    plan = aplan(cards, **changes)
    return Conductor(plan, automatic=automatic, site_of=app.site, told=told, explain=explain)


def apost(
    text: str = TEXT,
    target: str = "/api/messages",
    *,
    field: str = "text",
    headers: tuple[tuple[str, str], ...] = (),
) -> RawRequest:
    return RawRequest(
        method="POST",
        target=target,
        headers=(
            ("content-type", "application/json"),
            ("cookie", "sid=S1; theme=dark"),
            *headers,
        ),
        body=json.dumps({field: text}).encode(),
        at=datetime.now(UTC),
    )
