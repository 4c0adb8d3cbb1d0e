from typing import Any

import httpx
import pytest

from cards.card import CardFile
from cards.holes import Slot, SlotRef
from cards.shapes import Target
from cards.sources import LiveValue, MetaSource
from replay.trial import Trial
from tests.support.replaying import Bench, MessageSite, confirmed, promoted
from tests.support.sites import target_of
from verifier.outcome import NotApplicable, Success


def always(status: int) -> MessageSite:
    return MessageSite(lambda _, __: httpx.Response(status, json={}))


def state(bench: Bench) -> str:
    return bench.store.load("send_message").state


async def test_three_failures_running_take_the_promotion(bench: Bench) -> None:
    bench.has(promoted())
    for expected in ("promoted", "promoted", "confirmed"):
        await bench.replay(always(202))
        assert state(bench) == expected


async def test_a_success_between_begins_the_count_anew(bench: Bench) -> None:
    bench.has(promoted())
    for site in (always(202), always(202), MessageSite(), always(202), always(202)):
        await bench.replay(site)
    assert state(bench) == "promoted"


@pytest.mark.parametrize("status", [404, 405, 410])
async def test_a_path_that_is_gone_takes_the_promotion_at_once(bench: Bench, status: int) -> None:
    bench.has(promoted())
    await bench.replay(always(status))
    assert state(bench) == "confirmed"


async def test_a_path_with_a_slot_may_be_the_callers_mistake(bench: Bench) -> None:
    target = Target(path=("api", SlotRef(slot="message")))
    bench.has(promoted(target=target, slots={"message": Slot()}))
    await bench.replay(always(404))
    assert state(bench) == "promoted"


@pytest.mark.parametrize("status", [401, 422])
async def test_a_login_or_a_wrong_value_is_no_failure_of_the_card(
    bench: Bench, status: int
) -> None:
    bench.has(promoted())
    site = MessageSite(lambda _, __: httpx.Response(status, json={"error": "x"}))
    for _ in range(3):
        await bench.replay(site)
    assert state(bench) == "promoted"


async def test_a_plain_success_leaves_the_file_alone(bench: Bench) -> None:
    bench.has(promoted())
    before = bench.store.path_of("send_message").read_bytes()
    await bench.replay(MessageSite())
    assert bench.store.path_of("send_message").read_bytes() == before


async def test_a_card_that_was_changed_meanwhile_is_left_alone(bench: Bench) -> None:
    bench.has(promoted())

    def write(site: MessageSite, _: httpx.Request) -> httpx.Response:
        bench.has(promoted(method="PUT"))
        return httpx.Response(202)

    result = await bench.replay(MessageSite(write))
    assert "changed meanwhile" in result.warnings[0]
    card = bench.store.load("send_message")
    assert (card.contract.method, card.file.failures) == ("PUT", 0)


def in_a_room(**changes: Any) -> CardFile:
    """A card whose token page's URL holds an identifier of the caller's."""
    page = Target(path=("rooms", SlotRef(slot="message")))
    source = MetaSource(kind="meta", page=page, name="csrf-token")
    return promoted(live={"csrf_token": LiveValue(source=source)}, **changes)


class Gone(MessageSite):
    def __call__(self, request: httpx.Request) -> httpx.Response:
        is_token_page = target_of(request).startswith(("/rooms", "/messages"))
        return httpx.Response(404) if is_token_page else super().__call__(request)


async def test_a_page_that_is_gone_takes_the_promotion_at_once(bench: Bench) -> None:
    bench.has(promoted())
    await bench.replay(Gone())
    assert state(bench) == "confirmed"


async def test_a_page_of_the_callers_identifier_is_gone_at_the_third_time(bench: Bench) -> None:
    bench.has(in_a_room())
    for expected in ("promoted", "promoted", "confirmed"):
        result = await bench.replay(Gone())
        assert isinstance(result.outcome, NotApplicable)
        assert (result.outcome.code, state(bench)) == ("SOURCE_GONE", expected)


@pytest.mark.parametrize("site", [Gone(), always(404)])
async def test_without_a_login_nothing_is_gone_at_once(bench: Bench, site: MessageSite) -> None:
    bench.has(promoted())
    result = await bench.replay(site, signed_in=False)
    assert result.outcome.outcome in {"not_applicable", "http_error"}
    assert state(bench) == "promoted"


@pytest.mark.parametrize("status", [403, 429, 503])
async def test_a_token_page_in_trouble_says_nothing_of_the_card(bench: Bench, status: int) -> None:
    bench.has(promoted())
    site = MessageSite()
    site.token_page = httpx.Response(status)
    for _ in range(3):
        await bench.replay(site)
    assert (state(bench), bench.store.load("send_message").file.failures) == ("promoted", 0)


async def test_a_card_that_somebody_holds_locked_becomes_a_warning(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replay.bookkeeping._LOCK_S", 0.01)
    bench.has(confirmed())
    with bench.store.locked("send_message"):
        result = await bench.replay(MessageSite(), trial=Trial())
    assert isinstance(result.outcome, Success)
    assert "could not be kept up to date" in result.warnings[0]
    assert state(bench) == "confirmed"
