"""The hooks, as mitmproxy calls them: flows go in, and come out as they were."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mitmproxy import exceptions
from mitmproxy.http import HTTPFlow, Message
from mitmproxy.test import taddons, tflow, tutils

from cards.card import ConfirmedCard, UiOnlyCard
from cards.store import CardStore
from recorder.addon import Recorder
from tests.recorder.acting import READBACK, TEXT, App, aconductor, files


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    return tmp_path / "cards.d"


@pytest.fixture
def app() -> App:
    return App()


def aflow(
    text: str = TEXT,
    *,
    method: str = "POST",
    host: str = "app.example.test",
    path: str = "/api/messages",
    **changes: Any,
) -> HTTPFlow:
    request = tutils.treq(
        method=method.encode(),
        scheme=b"https",
        host=host,
        port=443,
        path=path.encode(),
        content=json.dumps({"text": text}).encode(),
        headers=tutils.treq().headers.copy(),
    )
    request.headers["content-type"] = "application/json"
    for name, value in changes.items():
        setattr(request, name, value)
    return tflow.tflow(req=request, resp=True)


def bytes_of(message: Message | None) -> tuple[Any, ...]:
    assert message is not None
    return (message.data.headers.fields, message.data.content, message.data.http_version)


# mitmproxy's test kit is typed only in part.
acontext: Any = taddons.context


async def run(recorder: Recorder, flow: HTTPFlow) -> None:
    with acontext() as context:
        await context.cycle(recorder, flow)


async def test_a_flow_comes_out_as_it_went_in(app: App, cards: Path) -> None:
    flow = aflow()
    before = bytes_of(flow.request), bytes_of(flow.response)
    await run(Recorder(aconductor(app, cards)), flow)
    assert (bytes_of(flow.request), bytes_of(flow.response)) == before


async def test_the_file_is_there_when_the_request_hook_has_been_awaited(
    app: App, cards: Path
) -> None:
    recorder = Recorder(aconductor(app, cards))
    waiting = recorder.request(aflow())
    assert waiting is not None
    await waiting
    assert len(files(cards)) == 1


async def test_an_answer_ends_in_evidence(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    recorder, flow = Recorder(conductor), aflow()
    waiting = recorder.request(flow)
    assert waiting is not None
    await waiting
    app.texts.append(TEXT)
    recorder.response(flow)
    await conductor.until_decided(2)
    assert isinstance((await conductor.finish()).card, ConfirmedCard)


@pytest.mark.parametrize(
    "changes",
    [
        {"host": "else.example.test"},
        {"port": 8443},
        {"scheme": "http"},
        {"method": "GET"},
        {"method": "OPTIONS"},
    ],
    ids=str,
)
async def test_elsewhere_and_reads_are_not_even_awaited(
    app: App, cards: Path, changes: dict[str, Any]
) -> None:
    recorder = Recorder(aconductor(app, cards))
    assert recorder.request(aflow(**changes)) is None
    assert files(cards) == []


async def test_a_streamed_body_is_ui_only_and_never_an_empty_one(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    flow = aflow()
    flow.request.stream = True
    flow.request.raw_content = None
    await run(Recorder(conductor), flow)
    card = (await conductor.finish()).card
    assert isinstance(card, UiOnlyCard)
    assert "streamed, not captured" in card.reason


async def test_an_action_on_a_websocket_is_noticed(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    flow = tflow.twebsocketflow()
    flow.request.scheme, flow.request.host, flow.request.port = "https", "app.example.test", 443
    flow.request.path = "/live?token=CANARY"
    assert flow.websocket is not None
    flow.websocket.messages[-1].from_client = True
    flow.websocket.messages[-1].content = f'{{"say": "{TEXT}"}}'.encode()
    recorder = Recorder(conductor)
    waiting = recorder.websocket_message(flow)
    assert waiting is not None
    await waiting
    card = (await conductor.finish()).card
    assert isinstance(card, UiOnlyCard)
    assert card.reason == "The action is on a WebSocket."
    assert "CANARY" not in card.file.model_dump_json()


async def test_a_websocket_message_without_a_slots_value_is_not(app: App, cards: Path) -> None:
    flow = tflow.twebsocketflow()
    flow.request.scheme, flow.request.host, flow.request.port = "https", "app.example.test", 443
    assert Recorder(aconductor(app, cards)).websocket_message(flow) is None


async def test_a_live_views_event_is_named_and_one_that_validates_comes_after_the_write(
    app: App, cards: Path
) -> None:
    conductor = aconductor(app, cards)
    recorder, flow = Recorder(conductor), tflow.twebsocketflow()
    flow.request.scheme, flow.request.host, flow.request.port = "https", "app.example.test", 443
    assert flow.websocket is not None
    event = b'["4","7","lv:p","event",{"event":"%s","value":"message=zebra+4711"}]'
    for name in (b"validate", b"save"):
        flow.websocket.messages[-1].from_client = True
        flow.websocket.messages[-1].content = event % name
        waiting = recorder.websocket_message(flow)
        assert waiting is not None
        await waiting
    card = (await conductor.finish()).card
    assert isinstance(card, UiOnlyCard)
    assert card.reason == "The action is on a WebSocket (Phoenix LiveView)."


async def test_each_request_is_explained_where_that_was_asked_for(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards, explain=True)
    recorder = Recorder(conductor)
    for flow in (
        aflow(method="GET"),
        aflow(host="else.example.test"),
        aflow("another text", path="/heartbeat?at=CANARY"),
    ):
        await run(recorder, flow)
    flow = aflow()
    waiting = recorder.request(flow)
    assert waiting is not None
    await waiting
    app.texts.append(TEXT)
    recorder.response(flow)
    await conductor.until_decided(2)
    await conductor.finish()
    await run(recorder, aflow(path="/late/4711"))
    assert [(line.method, line.path, line.reason) for line in conductor.explained] == [
        ("GET", "/api/messages", "read in the prelude: it changes nothing"),
        ("POST", "/heartbeat", "it carries no declared slot value"),
        ("POST", "/api/messages", "the action: carries message; the readback rose after it"),
        ("POST", "/late/{…}", "came after the action was decided"),
    ]


async def test_an_event_stream_is_let_through_while_it_comes(app: App, cards: Path) -> None:
    flow = aflow(method="GET")
    assert flow.response is not None
    flow.response.headers["content-type"] = "text/event-stream; charset=utf-8"
    Recorder(aconductor(app, cards)).responseheaders(flow)
    assert flow.response.stream is True


async def test_an_answer_that_can_not_be_read_breaks_nothing(
    app: App, cards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conductor = aconductor(app, cards)

    def explode(*_: object) -> None:
        raise ValueError("CANARY")

    monkeypatch.setattr(conductor, "saw", explode)
    recorder, flow = Recorder(conductor), aflow()
    waiting = recorder.request(flow)
    assert waiting is not None
    await waiting
    recorder.response(flow)
    await conductor.finish()


async def test_a_connection_that_breaks_counts_as_an_answer(app: App, cards: Path) -> None:
    conductor = aconductor(app, cards)
    recorder, flow = Recorder(conductor), aflow()
    waiting = recorder.request(flow)
    assert waiting is not None
    await waiting
    app.texts.append(TEXT)
    recorder.error(flow)
    async with asyncio.timeout(2):
        await conductor.until_decided(5)
    assert isinstance((await conductor.finish()).card, ConfirmedCard)


class TestOptions:
    """As ``mitmdump --set`` gives them."""

    @pytest.fixture
    def options(self, cards: Path) -> dict[str, Any]:
        return {
            "reqcard_origin": "https://app.example.test",
            "reqcard_action": "send_message",
            "reqcard_slot": [f"message={TEXT}"],
            "reqcard_readback": json.dumps(READBACK),
            "reqcard_cards": str(cards),
        }

    @pytest.fixture
    def recorder(self) -> Recorder:
        return Recorder()

    async def test_they_make_a_recording(
        self, recorder: Recorder, options: dict[str, Any], app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("recorder.conductor.Site", lambda _, login: app.site(login))
        with acontext(recorder) as context:
            context.configure(recorder, **options)
            await context.cycle(recorder, aflow())
            await recorder.done()
        assert CardStore(Path(options["reqcard_cards"])).names() == ("send_message",)

    @pytest.mark.parametrize(
        ("option", "value", "told"),
        [
            ("reqcard_origin", "nowhere", "http or https"),
            ("reqcard_slot", [TEXT], "without a value"),
            ("reqcard_readback", "{", "not JSON"),
            ("reqcard_pin", ["=1"], "names no field"),
        ],
    )
    async def test_a_wrong_one_is_named_without_its_value(
        self,
        recorder: Recorder,
        options: dict[str, Any],
        caplog: pytest.LogCaptureFixture,
        option: str,
        value: Any,
        told: str,
    ) -> None:
        with acontext(recorder) as context:
            context.configure(recorder, **{**options, option: value})
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        assert told in caplog.text
        assert TEXT not in caplog.text

    async def test_the_command_arms_the_seal(
        self, recorder: Recorder, options: dict[str, Any], app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("recorder.conductor.Site", lambda _, login: app.site(login))
        with acontext(recorder) as context:
            context.configure(recorder, **options, reqcard_seal="command")
            await context.cycle(recorder, aflow())
            assert files(Path(options["reqcard_cards"])) == []
            context.command(recorder.seal)
            await context.cycle(recorder, aflow())
            await recorder.done()
        assert CardStore(Path(options["reqcard_cards"])).names() == ("send_message",)

    async def test_without_them_the_addon_only_watches(self, recorder: Recorder) -> None:
        with acontext(recorder) as context:
            context.configure(recorder)
            await context.cycle(recorder, aflow())
            with pytest.raises(exceptions.CommandError, match="reqcard_origin"):
                recorder.seal()
