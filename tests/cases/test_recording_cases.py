"""Requests that broke other recorders, each with its right outcome."""

import base64
import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mitmproxy.http import Headers, HTTPFlow
from mitmproxy.test import tflow, tutils
from mitmproxy.websocket import WebSocketData, WebSocketMessage
from wsproto.frame_protocol import Opcode

from cards.card import Card, SealedCard, UiOnlyCard
from cards.errors import NothingCaptured
from recorder.addon import Recorder
from recorder.conductor import Conductor
from tests.recorder.acting import READBACK, App, aconductor

FILES = Path(__file__).parent / "recording"


@dataclass(frozen=True)
class Ended:
    """A case that was recorded: its card, and everything that was written or said."""

    card: Card
    told: str
    asked: list[str]


def case_of(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((FILES / f"{name}.json").read_text())
    return case


def headers_of(message: Mapping[str, Any]) -> Headers:
    return Headers([(name.encode(), value.encode()) for name, value in message["headers"]])


def body_of(message: Mapping[str, Any]) -> bytes | None:
    if message.get("body_missing"):
        return None
    if "body_b64" in message:
        return base64.b64decode(message["body_b64"] + "==")
    return str(message.get("body", "")).encode()


def flow_of(case: Mapping[str, Any]) -> HTTPFlow:
    said = case["request"]
    url = urlsplit(said["url"])
    target = f"{url.path}?{url.query}" if url.query else url.path
    request = tutils.treq(
        method=said["method"].encode(),
        scheme=b"https",
        host=str(url.hostname),
        port=443,
        path=target.encode(),
        headers=headers_of(said),
        content=b"",
    )
    request.data.content = body_of(said)
    response = tutils.tresp(
        status_code=case["response"]["status"],
        headers=headers_of(case["response"]),
        content=case["response"]["body"].encode(),
    )
    return tflow.tflow(req=request, resp=response)


async def awaited(hook: Awaitable[None] | None) -> None:
    if hook is not None:
        await hook


async def pass_through(conductor: Conductor, flow: HTTPFlow, messages: list[Any]) -> None:
    recorder = Recorder(conductor)
    await awaited(recorder.request(flow))
    recorder.response(flow)
    for message in messages:
        assert flow.websocket is not None
        text = message["text"].encode()
        flow.websocket.messages.append(
            WebSocketMessage(Opcode.TEXT, from_client=message["from_client"], content=text)
        )
        await awaited(recorder.websocket_message(flow))


async def record(cards: Path, case: Mapping[str, Any], **slots: str) -> Ended:
    app = App()
    said: list[str] = []
    readback = {**READBACK, "match": {"field": "text", "slot": next(iter(slots))}}
    conductor = aconductor(
        app, cards, explain=True, told=said.append, slots=slots, readback=json.dumps(readback)
    )
    await pass_through(conductor, *as_seen(case))
    recorded = await conductor.finish()
    told = [*written(cards), *said, json.dumps(recorded.as_json()), repr(conductor.explained)]
    return Ended(recorded.card, "\n".join(told), [asked.get("cookie", "") for asked in app.asked])


def as_seen(case: Mapping[str, Any]) -> tuple[HTTPFlow, list[Any]]:
    flow = flow_of(case)
    messages = case["request"].get("websocket_messages", [])
    if messages:
        flow.websocket = WebSocketData()
    return flow, messages


def written(cards: Path) -> list[str]:
    files = [file for file in cards.rglob("*") if file.is_file()]
    return [f"{file.name} {file.read_text()}" for file in files]


def reason_of(ended: Ended) -> str:
    assert isinstance(ended.card, UiOnlyCard)
    return ended.card.reason


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    return tmp_path / "cards.d"


@pytest.mark.parametrize("encoding", ["snappy", "br, gzip", "sdch, gzip"])
async def test_rec_05_a_body_that_can_not_be_decoded_is_refused_by_its_encoding(
    cards: Path, encoding: str
) -> None:
    case = case_of("REC-05")
    case["request"]["headers"][1][1] = encoding
    ended = await record(cards, case, title="a title")
    assert reason_of(ended) == f"cannot decode body (encoding {encoding})"
    assert case["request"]["body_b64"] not in ended.told


async def test_rec_06_a_streamed_body_is_never_an_empty_one(cards: Path) -> None:
    ended = await record(cards, case_of("REC-06"), title="a title")
    assert reason_of(ended) == "body was streamed, not captured"
    assert ended.card.contract.body.kind == "opaque"


async def test_rec_07_split_cookies_are_one_cookie_and_no_value_of_them_is_kept(
    cards: Path,
) -> None:
    ended = await record(cards, case_of("REC-07"), title="t")
    assert isinstance(ended.card, SealedCard)
    assert set(ended.asked) == {"sid=S1CANARY; theme=dark; csrf=C1CANARY; sid=S2"}
    assert "CANARY" not in ended.told


async def test_rec_11_an_action_on_a_websocket_is_refused_and_its_token_kept_nowhere(
    cards: Path,
) -> None:
    ended = await record(cards, case_of("REC-11"), title="x")
    assert reason_of(ended) == "The action is on a WebSocket (GraphQL)."
    assert "CANARY" not in ended.told


async def test_rec_11_the_upgrade_alone_makes_no_card(cards: Path) -> None:
    case = case_of("REC-11")
    del case["request"]["websocket_messages"]
    with pytest.raises(NothingCaptured):
        await record(cards, case, title="x")
    assert written(cards) == []


async def test_rec_12_empty_fields_stay_and_an_absent_equals_sign_too(cards: Path) -> None:
    ended = await record(cards, case_of("REC-12"), title="t")
    content = ended.card.contract.pretty()["body"]["content"]
    assert [pair["name"] for pair in content["pairs"]] == ["title", "coupon", "agree"]
    assert ["value" in pair for pair in content["pairs"]] == [True, True, False]


JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
TOKEN = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
LEAKS = {
    "REC-01": ({"note": "CANARY-REC01a\nCANARY-REC01b"}, ("CANARY-REC01a", "CANARY-REC01b")),
    "SEC-02": ({"password": "CANARY-SEC02"}, ("CANARY-SEC02",)),
    "SEC-03": ({"password": "fo o*!"}, ("fo+o%2A%21", "fo%20o%252A", "fo o*!")),
    "SEC-04": ({"password": "CANARY-SEC04"}, ("CANARY-SEC04", "H4sI")),
    "SEC-05": ({"title": "t"}, ("CANARY-SEC05",)),
    "SEC-07": ({"user": "u"}, ("Tr0ub4dor", "493021", "9f86d081884c7d659a2feaa0c55ad015")),
    "SEC-08": ({"title": "t"}, (JWT, "eyJzdWIiOiJ1MSIsIm5hbWUiOiJTYW1wbGUifQ", "ZXlKaGJHY2")),
    "SEC-11": ({"invitation": TOKEN}, (TOKEN,)),
    "SEC-15": ({"tail": "kept"}, ('ab"c', 'ab\\"c', "abc", "12345")),
    "SEC-18": ({"token": "CANARY-SEC18"}, ("CANARY-SEC18",)),
}


@pytest.mark.parametrize("name", LEAKS)
async def test_no_captured_value_is_in_anything_written_or_said(cards: Path, name: str) -> None:
    slots, secrets = LEAKS[name]
    ended = await record(cards, case_of(name), **slots)
    assert [secret for secret in secrets if secret in ended.told] == []


@pytest.mark.parametrize("name", ["SEC-02", "SEC-03", "SEC-04", "SEC-05", "SEC-11", "SEC-18"])
async def test_a_card_is_made_whose_every_value_is_a_hole(cards: Path, name: str) -> None:
    slots, _ = LEAKS[name]
    ended = await record(cards, case_of(name), **slots)
    assert isinstance(ended.card, SealedCard)
    assert set(slots) <= set(ended.card.contract.slots)


async def test_sec_02_a_form_of_put_is_stripped_like_json_of_patch(cards: Path) -> None:
    case = case_of("SEC-02")
    case["request"]["method"] = "PUT"
    case["request"]["headers"] = [["content-type", "application/x-www-form-urlencoded"]]
    case["request"]["body"] = "password=CANARY-SEC02"
    ended = await record(cards, case, password="CANARY-SEC02")
    assert (ended.card.state, ended.card.contract.body.kind) == ("sealed", "form")
    assert "CANARY" not in ended.told


async def test_sec_08_a_token_without_a_source_is_named_and_never_a_constant(cards: Path) -> None:
    ended = await record(cards, case_of("SEC-08"), title="t")
    assert "query:t holds a value that differs at each load" in reason_of(ended)


async def test_sec_11_a_random_segment_of_the_path_is_a_slot(cards: Path) -> None:
    ended = await record(cards, case_of("SEC-11"), invitation=TOKEN)
    path = ended.card.contract.pretty()["target"]["path"]
    assert path == ["api", "invitations", {"slot": "invitation"}, "accept"]


async def test_sec_15_the_card_has_the_shape_of_the_document(cards: Path) -> None:
    ended = await record(cards, case_of("SEC-15"), tail="kept")
    content = ended.card.contract.pretty()["body"]["content"]["object"]
    assert set(content) == {"headers", "password", "X-Api-Key", "tail"}
    assert set(content["headers"]["object"]) == {"Cookie", "Host"}
