"""One recording without a proxy: what is on disk when, and what the result says."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

import recorder.conductor
import recorder.seal
from cards.card import ConfirmedCard, SealedCard, UiOnlyCard
from cards.errors import AmbiguousAction, NothingCaptured, UserError
from cards.store import CardStore
from recorder.conductor import Conductor
from tests.recorder.acting import READBACK, App, aconductor, apost, files
from verifier import Evidence
from verifier.promotion import promote

Starts = Callable[..., Conductor]


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    return tmp_path / "cards.d"


@pytest_asyncio.fixture
async def start(app: App, cards: Path) -> AsyncIterator[Starts]:
    started: list[Conductor] = []

    def make(**changes: Any) -> Conductor:
        started.append(aconductor(app, cards, **changes))
        return started[-1]

    yield make
    for conductor in started:
        await conductor.close()


async def act(conductor: Conductor, app: App, **changes: Any) -> None:
    """The request is offered, stored, and answered."""
    key = await conductor.at_the_door(apost(**changes))
    app.texts.append("zebra 4711")
    assert key is not None
    conductor.answered(key)


async def test_the_readback_is_counted_before_the_file_and_the_file_written_before_the_release(
    start: Starts, app: App, cards: Path
) -> None:
    at_count: list[list[str]] = []
    app.at_readback = lambda: at_count.append(files(cards))
    key = await start().at_the_door(apost())
    assert key == 0
    assert at_count == [[]]
    assert [name.count(".") for name in files(cards)] == [2]


async def test_a_rise_confirms_the_card_and_gives_it_its_name(
    start: Starts, app: App, cards: Path
) -> None:
    conductor = start()
    await act(conductor, app)
    await conductor.until_decided(2)
    recorded = await conductor.finish()
    assert isinstance(recorded.card, ConfirmedCard)
    assert recorded.reason is None
    assert recorded.file == cards / "send_message.json"
    assert files(cards) == ["send_message.json"]
    assert recorded.line() == (
        "sealed before sending, confirmed: 0 → 1 matching records (1 → 2 in all)"
    )


async def test_a_rise_that_comes_late_confirms_too(start: Starts, app: App) -> None:
    conductor = start()
    key = await conductor.at_the_door(apost())
    assert key is not None
    app.at_readback = lambda: app.texts.append("zebra 4711") if len(app.asked) == 3 else None
    conductor.answered(key)
    await conductor.until_decided(2)
    assert isinstance((await conductor.finish()).card, ConfirmedCard)


async def test_without_a_rise_the_card_stays_sealed_and_says_so(start: Starts) -> None:
    conductor = start()
    key = await conductor.at_the_door(apost())
    assert key is not None
    conductor.answered(key)
    await conductor.until_quiet(2)
    recorded = await conductor.finish()
    assert isinstance(recorded.card, SealedCard)
    assert recorded.evidence is not None
    assert recorded.reason == "The readback did not rise within 0.2 s."


async def test_a_record_that_was_replaced_does_not_confirm(start: Starts, app: App) -> None:
    conductor = start()
    key = await conductor.at_the_door(apost())
    assert key is not None
    app.texts[0] = "zebra 4711"
    conductor.answered(key)
    await conductor.until_decided(2)
    recorded = await conductor.finish()
    assert isinstance(recorded.card, SealedCard)
    assert "a record was replaced" in (recorded.reason or "")


async def test_a_readback_that_fails_at_first_leaves_a_sealed_card_without_evidence(
    start: Starts, app: App
) -> None:
    app.broken = True
    conductor = start()
    await act(conductor, app)
    await conductor.until_decided(5)
    recorded = await conductor.finish()
    assert isinstance(recorded.card, SealedCard)
    assert recorded.evidence is None
    assert "failed at its first count" in (recorded.reason or "")


async def test_the_readback_is_asked_with_the_browsers_own_login(start: Starts, app: App) -> None:
    headers = (("cookie", "csrf=C2"), ("authorization", "Bearer B3"))
    await start().at_the_door(apost(headers=headers))
    assert app.asked[0]["cookie"] == "sid=S1; theme=dark; csrf=C2"
    assert app.asked[0]["authorization"] == "Bearer B3"


async def test_without_a_readback_one_candidate_is_kept_and_never_promoted(
    start: Starts, app: App
) -> None:
    conductor = start(readback=None)
    await act(conductor, app)
    await conductor.until_decided(2)
    recorded = await conductor.finish()
    assert isinstance(recorded.card, SealedCard)
    assert recorded.reason == "Without a readback it is never promoted."
    assert app.asked == []


async def test_without_a_readback_two_candidates_are_listed_and_both_stay(
    start: Starts, app: App, cards: Path
) -> None:
    conductor = start(readback=None)
    await act(conductor, app)
    await act(conductor, app, target="/api/rooms/42/messages")
    with pytest.raises(AmbiguousAction) as raised:
        await conductor.finish()
    assert "POST /api/messages" in raised.value.message
    assert "POST /api/rooms/{rooms}/messages" in raised.value.message
    assert len(files(cards)) == 2


async def test_the_second_candidate_waits_for_the_count_after_the_first(
    start: Starts, app: App, cards: Path
) -> None:
    conductor = start()
    first = await conductor.at_the_door(apost())
    second = asyncio.ensure_future(conductor.at_the_door(apost(target="/api/other")))
    await asyncio.sleep(0)
    assert not second.done()
    app.texts.append("zebra 4711")
    assert first is not None
    conductor.answered(first)
    await second
    recorded = await conductor.finish()
    assert isinstance(recorded.card, ConfirmedCard)
    assert recorded.card.contract.target.path == ("api", "messages")
    assert files(cards) == ["send_message.json"]


async def test_the_candidate_after_which_the_readback_rose_is_kept(
    start: Starts, app: App, cards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder.conductor, "HOLD_S", 0.05)
    conductor = start(readback=json.dumps({**READBACK, "deadline": 5}))
    first = await conductor.at_the_door(apost(target="/api/parse"))
    assert first is not None
    conductor.answered(first)
    await act(conductor, app)
    await conductor.until_decided(2)
    recorded = await conductor.finish()
    assert recorded.card.contract.target.path == ("api", "messages")
    assert "left before the count" in (recorded.reason or "")
    assert files(cards) == ["send_message.json"]


async def test_no_candidate_at_all_is_told_with_what_was_seen(start: Starts, cards: Path) -> None:
    conductor = start()
    assert await conductor.at_the_door(apost("another text")) is None
    with pytest.raises(NothingCaptured, match="1 of them state-changing"):
        await conductor.finish()
    assert files(cards) == []


async def test_before_the_seal_is_armed_a_candidate_passes(start: Starts, app: App) -> None:
    conductor = start(automatic=False)
    assert await conductor.at_the_door(apost()) is None
    conductor.arm()
    await act(conductor, app)
    await conductor.until_decided(2)
    assert isinstance((await conductor.finish()).card, ConfirmedCard)


async def test_a_bug_while_sealing_becomes_a_ui_only_card_before_the_release(
    start: Starts, cards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object, **__: object) -> None:
        raise KeyError("CANARY zebra 4711")

    monkeypatch.setattr(recorder.seal, "strip", explode)
    conductor = start()
    await conductor.at_the_door(apost(target="/api/messages?q=CANARY"))
    (name,) = files(cards)
    assert "CANARY" not in (cards / name).read_text()
    recorded = await conductor.finish()
    assert isinstance(recorded.card, UiOnlyCard)
    assert "KeyError" in recorded.card.reason


async def test_a_bug_while_judging_does_not_let_the_request_out_unsaid(
    start: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object, **__: object) -> None:
        raise RecursionError("CANARY")

    monkeypatch.setattr(recorder.conductor, "judge", explode)
    conductor = start()
    await conductor.at_the_door(apost())
    card = (await conductor.finish()).card
    assert isinstance(card, UiOnlyCard)
    assert "RecursionError" in card.reason


async def test_a_bug_in_the_machine_keeps_no_request_waiting(
    start: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    conductor = start()
    monkeypatch.setattr(conductor._machine, "_let_out", lambda _: 1 / 0)
    async with asyncio.timeout(5):
        await conductor.at_the_door(apost())
        assert await conductor.at_the_door(apost()) is None
    with pytest.raises(UserError, match="ZeroDivisionError"):
        await conductor.finish()


@pytest.fixture
def _cards_is_a_file(cards: Path) -> None:
    cards.write_text("not a directory")


@pytest.mark.usefixtures("_cards_is_a_file")
async def test_a_directory_that_cannot_be_written_ends_the_recording_and_the_request_passes(
    start: Starts,
) -> None:
    conductor = start()
    assert await conductor.at_the_door(apost()) == 0
    with pytest.raises(UserError, match="can't be written"):
        await conductor.finish()


async def test_a_websocket_message_leaves_a_ui_only_card_of_its_path(start: Starts) -> None:
    conductor = start()
    await conductor.at_the_door(
        apost(target="/live/9f86d081884c7d65?token=CANARY"), ui_only="The action is on a WebSocket."
    )
    card = (await conductor.finish()).card
    assert isinstance(card, UiOnlyCard)
    assert card.reason == "The action is on a WebSocket."
    assert "9f86d081884c7d65" not in card.file.model_dump_json()


async def test_a_promoted_card_is_not_overwritten_by_one_that_is_only_sealed(
    start: Starts, app: App, cards: Path
) -> None:
    await _record_and_promote(start, app, cards)
    old = CardStore(cards).load("send_message")
    conductor = start()
    key = await conductor.at_the_door(apost(field="body"))
    assert key is not None
    conductor.answered(key)
    await conductor.until_quiet(2)
    recorded = await conductor.finish()
    assert CardStore(cards).load("send_message") == old
    assert recorded.file.name.startswith("send_message.")
    assert recorded.file.name != "send_message.json"
    assert "was not overwritten" in (recorded.reason or "")


async def test_the_same_contract_recorded_again_keeps_its_promotion(
    start: Starts, app: App, cards: Path
) -> None:
    await _record_and_promote(start, app, cards)
    conductor = start()
    await act(conductor, app)
    await conductor.until_decided(2)
    assert (await conductor.finish()).card.state == "promoted"
    assert files(cards) == ["send_message.json"]


async def _record_and_promote(start: Starts, app: App, cards: Path) -> None:
    conductor = start()
    await act(conductor, app)
    await conductor.until_decided(2)
    recorded = await conductor.finish()
    assert isinstance(recorded.card, ConfirmedCard)
    assert recorded.evidence is not None
    replayed = Evidence.between(recorded.evidence.before, recorded.evidence.after, "replay")
    CardStore(cards).write(promote(recorded.card, replayed))
