"""A site with a message page, as one function, and the replayer that talks to it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from cards.card import CardFile, card_of
from cards.store import CardStore
from replay import Replayer, Result, Trial
from replay.audit import AuditRow, Trail
from tests.support.builders import afile, aproof
from tests.support.sites import alogin, page, target_of
from verifier.login import Login

Write = Callable[["MessageSite", httpx.Request], httpx.Response]
TOKEN_PAGE = '<meta name="csrf-token" content="LIVE-TOKEN">'


class MessageSite:
    """Keeps what it was asked; ``write`` says what a POST does."""

    def __init__(self, write: Write | None = None) -> None:
        self.texts: list[str] = ["lion"]
        self.requests: list[httpx.Request] = []
        self.token_page = page(TOKEN_PAGE)
        self.collection: Callable[[], httpx.Response] = self._messages
        self.write = write or (lambda site, request: site.commit(request))

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.method != "GET":
            return self.write(self, request)
        return self.token_page if target_of(request) == "/messages" else self.collection()

    def commit(self, request: httpx.Request) -> httpx.Response:
        self.texts.append(json.loads(request.content)["text"])
        return httpx.Response(201, json={"id": len(self.texts)})

    @property
    def writes(self) -> list[httpx.Request]:
        return [request for request in self.requests if request.method != "GET"]

    def _messages(self) -> httpx.Response:
        return httpx.Response(200, json={"messages": [{"text": text} for text in self.texts]})


def promoted(**contract: Any) -> CardFile:
    from tests.support.builders import acontract, areadback

    members = {"readback": areadback(deadline=0.3), **contract}
    return afile(contract=acontract(**members), evidence=(aproof(), aproof(acted="replay")))


def confirmed(**contract: Any) -> CardFile:
    return promoted(**contract).model_copy(update={"evidence": (aproof(),)})


class Bench:
    """A directory with one card, an audit, and a replayer for a site that is a function."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = CardStore(directory / "cards.d")
        self.audit = f"sqlite:///{directory / 'audit.db'}"
        self._patch = monkeypatch

    def has(self, file: CardFile) -> None:
        self.store.write(card_of(file))

    @contextmanager
    def replayer(
        self,
        site: Callable[[httpx.Request], httpx.Response],
        login: Path | Login | None = None,
        *,
        signed_in: bool = True,
        on_stage: Callable[[str], None] = lambda _: None,
    ) -> Iterator[Replayer]:
        # The engine makes its own transport; a function in its place is the public seam below it.
        self._patch.setattr(httpx, "AsyncHTTPTransport", lambda **_: httpx.MockTransport(site))
        login = (login or alogin()) if signed_in else None
        yield Replayer(cards=self.store.directory, login=login, audit=self.audit, on_stage=on_stage)

    async def replay(
        self,
        site: Callable[[httpx.Request], httpx.Response],
        message: str = "zebra",
        *,
        dry_run: bool = False,
        trial: Trial | None = None,
        login: Path | None = None,
        signed_in: bool = True,
        on_stage: Callable[[str], None] = lambda _: None,
    ) -> Result:
        with self.replayer(site, login, signed_in=signed_in, on_stage=on_stage) as replayer:
            async with replayer:
                return await replayer.replay(
                    "send_message", {"message": message}, dry_run=dry_run, trial=trial
                )

    def rows(self) -> list[AuditRow]:
        with Trail(self.audit) as trail:
            return trail.rows()
