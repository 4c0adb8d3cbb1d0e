import httpx
import pytest

from cards.holes import Slot, SlotRef
from cards.shapes import Target
from tests.support.replaying import Bench, MessageSite, promoted


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
