"""What the pages of real applications send around an action, and which request is the action."""

import asyncio
import json
from collections.abc import Awaitable
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest
from mitmproxy.http import HTTPFlow
from mitmproxy.test import tflow, tutils

from cards.card import ConfirmedCard, UiOnlyCard
from recorder.addon import Recorder
from recorder.conductor import Conductor
from recorder.traffic import RawRequest
from tests.recorder.acting import TEXT, App, aconductor, apost, files

WRITE = "/api/messages"
NOISE = ("/api/messages/preview", "/w/parse", "/telemetry")


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    return tmp_path / "cards.d"


@pytest.fixture
def app() -> App:
    return App()


async def send(conductor: Conductor, app: App, request: RawRequest, *, stores: bool) -> None:
    """One request of the page, from the door to its answer."""
    key = await conductor.at_the_door(request)
    if stores:
        app.texts.append(TEXT)
    if key is not None:
        conductor.answered(key)


async def path_kept(conductor: Conductor) -> str:
    await conductor.until_decided(5)
    card = (await conductor.finish()).card
    assert isinstance(card, ConfirmedCard)
    return "/" + "/".join(str(part) for part in card.contract.target.path)


@pytest.mark.parametrize("order", list(permutations((WRITE, *NOISE[:2]))), ids=" ".join)
async def test_the_write_that_stored_is_kept_wherever_it_stands(
    app: App, cards: Path, order: tuple[str, ...]
) -> None:
    conductor = aconductor(app, cards)
    for target in order:
        await send(conductor, app, apost(target=target), stores=target == WRITE)
    assert await path_kept(conductor) == WRITE
    assert files(cards) == ["send_message.json"]


@pytest.mark.parametrize("order", [(*NOISE, WRITE), (WRITE, *NOISE)], ids=["after", "before"])
async def test_the_write_that_stored_is_kept_among_what_is_sent_at_once(
    app: App, cards: Path, order: tuple[str, ...]
) -> None:
    conductor = aconductor(app, cards)
    await asyncio.gather(
        *(send(conductor, app, apost(target=at), stores=at == WRITE) for at in order)
    )
    assert await path_kept(conductor) == WRITE
    assert files(cards) == ["send_message.json"]


async def test_two_writes_to_one_path_with_the_same_fields_are_told_apart_by_the_count(
    app: App, cards: Path
) -> None:
    conductor = aconductor(app, cards)
    await send(conductor, app, apost(), stores=False)
    await send(conductor, app, apost(), stores=True)
    assert await path_kept(conductor) == WRITE


@pytest.mark.parametrize("target", ["/notes/autosave", "/drafts", "/collect", "/log"])
async def test_what_is_called_like_noise_and_stores_is_the_action(
    app: App, cards: Path, target: str
) -> None:
    conductor = aconductor(app, cards)
    await send(conductor, app, apost(target=target), stores=True)
    assert await path_kept(conductor) == target


async def test_an_autosave_that_fires_without_a_click_is_caught(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    for typed in (TEXT[:3], TEXT[:7]):
        assert await conductor.at_the_door(apost(typed, target="/notes/autosave")) is None
    await send(conductor, app, apost(target="/notes/autosave"), stores=True)
    assert await path_kept(conductor) == "/notes/autosave"


async def test_an_autosave_after_an_explicit_seal_is_caught(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards, automatic=False)
    conductor.arm()
    await send(conductor, app, apost(target="/notes/autosave"), stores=True)
    assert await path_kept(conductor) == "/notes/autosave"


def passes_at_once(hook: Awaitable[None] | None) -> bool:
    """Whether mitmproxy forwards the message without being kept waiting at all."""
    if hook is None:
        return True
    try:
        next(hook.__await__())
    except StopIteration:
        return True
    return False


def aflow(method: str, path: str, body: object = None, status: int = 200) -> HTTPFlow:
    request = tutils.treq(
        method=method.encode(),
        scheme=b"https",
        host="app.example.test",
        port=443,
        path=path.encode(),
        content=json.dumps(body).encode() if body is not None else b"",
    )
    return tflow.tflow(req=request, resp=tutils.tresp(status_code=status))


async def test_hundreds_of_reads_and_heartbeats_are_never_held(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    recorder = Recorder(conductor)
    for number in range(300):
        for flow in (
            aflow("GET", f"/static/{number}.js"),
            aflow("POST", "/api/heartbeat", {"at": number}),
            aflow("POST", "/api/validate", {"at": number}, status=400),
        ):
            assert passes_at_once(recorder.request(flow))
            recorder.response(flow)
    assert files(cards) == []
    await send(conductor, app, apost(), stores=True)
    assert await path_kept(conductor) == WRITE


async def test_a_heartbeat_is_not_held_while_the_action_is_counted(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    recorder = Recorder(conductor)
    assert await conductor.at_the_door(apost()) == 0
    assert passes_at_once(recorder.request(aflow("POST", "/api/heartbeat", {"at": 1})))
    assert passes_at_once(recorder.request(aflow("GET", "/api/messages")))
    await conductor.close()


@pytest.mark.parametrize(
    ("kind", "body", "named"),
    [
        ("application/jose", b"eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn", "encrypts or signs"),
        ("application/octet-stream", b"\x91\xf3\xc4\x00", "a stream of bytes"),
        ("application/grpc-web+proto", b"\x00\x00\x00\x00\x0c\n\n" + TEXT.encode(), "gRPC-web"),
        ("application/x-protobuf", b"\n\n" + TEXT.encode(), "protobuf"),
        ("text/plain;charset=UTF-8", json.dumps([TEXT]).encode(), "a server action"),
    ],
    ids=["encrypted", "bytes", "gRPC-web", "protobuf", "server action"],
)
async def test_what_no_replay_can_send_is_noticed_and_named(
    app: App, cards: Path, kind: str, body: bytes, named: str
) -> None:
    headers = (("content-type", kind), *((("next-action", "7f"),) if "plain" in kind else ()))
    request = RawRequest("POST", "/api/messages", headers, body, datetime.now(UTC))
    conductor = aconductor(app, cards)
    await send(conductor, app, request, stores=True)
    await conductor.until_decided(5)
    card = (await conductor.finish()).card
    assert isinstance(card, UiOnlyCard)
    assert named in card.reason


async def test_a_body_that_hides_its_values_is_believed_after_one_that_shows_them(
    app: App, cards: Path
) -> None:
    conductor = aconductor(app, cards, readback=None)
    hidden = RawRequest(
        *("POST", "/sync", (("content-type", "application/octet-stream"),)),
        *(b"\x91\xf3", datetime.now(UTC)),
    )
    await asyncio.gather(
        send(conductor, app, hidden, stores=False), send(conductor, app, apost(), stores=True)
    )
    await conductor.until_quiet(1)
    assert (await conductor.finish()).card.contract.target.path == ("api", "messages")
