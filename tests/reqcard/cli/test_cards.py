import json

import jsonschema
import pytest

from cards.card import CardFile
from cards.holes import Slot, SlotRef
from cards.shapes import JsonBody, ObjectShape
from tests.reqcard.cli.conftest import Line
from tests.support.builders import acontract, afile


def test_an_empty_directory_is_told_with_the_way_out(line: Line) -> None:
    ended = line("list")
    assert ended.code == 0
    assert "reqcard record" in ended.out


def test_no_cards_are_an_empty_list_for_programs(line: Line) -> None:
    assert line("list", "--json").content == {"ok": True, "data": {"cards": []}}


def test_cards_are_listed_with_their_states(line: Line, promoted_file: CardFile) -> None:
    line.has(promoted_file)
    (card,) = line("list", "--json").content["data"]["cards"]
    assert (card["name"], card["state"], card["path"]) == (
        "send_message",
        "promoted",
        "/api/messages",
    )


def test_a_card_that_was_changed_is_listed_with_the_reason(line: Line) -> None:
    line.has()
    path = line.store.path_of("send_message")
    path.write_text(path.read_text().replace('"POST"', '"PUT"'))
    (card,) = line("list", "--json").content["data"]["cards"]
    assert card["state"] == "refused"
    assert "changed after its seal" in card["reason"]


def test_showing_a_card_names_its_holes_and_their_sources(line: Line) -> None:
    line.has()
    shown = line("show", "send_message").out
    assert "POST https://app.example.test/api/messages" in shown
    assert "live csrf_token: the meta tag csrf-token on /messages" in shown
    assert "slot message: string" in shown


def test_an_unknown_card_is_one_line_with_the_known_ones(line: Line) -> None:
    line.has()
    ended = line("show", "send_mesage")
    assert ended.code == 15
    assert ended.err.count("\n") == 1
    assert "send_message" in ended.err


def test_an_unknown_card_is_an_envelope_for_programs(line: Line) -> None:
    content = line("show", "nothing", "--json").content
    assert content["error"] == "UNKNOWN_CARD"
    assert content["sent"] == "no"


def test_the_schema_fits_the_card_that_is_shown(line: Line, promoted_file: CardFile) -> None:
    line.has(promoted_file)
    card = line("show", "send_message", "--json").content["data"]["card"]
    jsonschema.Draft202012Validator(json.loads(line("schema").out)).validate(card)


def test_control_characters_of_a_card_do_not_reach_the_terminal(line: Line) -> None:
    body = JsonBody(
        kind="json",
        content=ObjectShape(object={"te\x1b[31mxt\u202e": SlotRef(slot="message")}),
    )
    line.has(afile(contract=acontract(body=body)))
    shown = line("show", "send_message").out
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.fixture
def with_rooms(line: Line) -> Line:
    shape = {"text": SlotRef(slot="message"), "room": SlotRef(slot="room")}
    line.has(
        afile(
            contract=acontract(
                body=JsonBody(kind="json", content=ObjectShape(object={**shape})),
                slots={"message": Slot(), "room": Slot()},
            )
        )
    )
    return line


def test_a_pin_makes_a_new_sealed_card(with_rooms: Line) -> None:
    before = with_rooms.store.load("send_message")
    ended = with_rooms("pin", "send_message", "room=general", "--json")
    assert ended.content["data"]["state"] == "sealed"
    after = with_rooms.store.load("send_message")
    assert after.digest != before.digest
    assert list(after.contract.slots) == ["message"]


@pytest.mark.parametrize(
    ("pin", "told"),
    [
        ("nowhere=1", "text, room"),
        ("room=9f86d081884c7d659a2feaa0c55ad015", "looks like a secret"),
        ("text=always", "what the readback looks for"),
        ("room", "FIELD=VALUE"),
    ],
)
def test_a_wrong_pin_is_told_and_changes_nothing(with_rooms: Line, pin: str, told: str) -> None:
    before = with_rooms.store.path_of("send_message").read_bytes()
    ended = with_rooms("pin", "send_message", pin)
    assert ended.code == 2
    assert told in ended.err
    assert with_rooms.store.path_of("send_message").read_bytes() == before
