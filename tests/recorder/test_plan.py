"""What the author says is checked before anything opens."""

import json
from pathlib import Path
from typing import Any

import pytest

from cards.errors import BadOrigin, BadPin, BadReadback, UsageError, UserError
from cards.origin import Origin
from recorder.plan import Plan, make_plan, split_slots
from tests.support.builders import ORIGIN

READBACK = {
    "url": "/api/messages",
    "path": ["messages"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
}


def aplan(**changes: Any) -> Plan:
    arguments: dict[str, Any] = {
        "origin": ORIGIN,
        "action": "send_message",
        "slots": {"message": "zebra 4711"},
        "readback": json.dumps(READBACK),
        "cards": Path("cards.d"),
    }
    return make_plan(**{**arguments, **changes})


def test_a_plan_holds_what_was_said() -> None:
    plan = aplan(pins=["visibility=public", "room"])
    assert plan.origin == Origin.parse(ORIGIN)
    assert plan.values == {"message": "zebra 4711"}
    assert plan.declared.pins == {"visibility": "public"}
    assert plan.declared.kept == {"room"}


def test_a_plan_does_not_print_its_values() -> None:
    plan = aplan()
    assert "zebra" not in f"{plan!r} {plan.declared!r} {plan.declared.slots!r}"


@pytest.mark.parametrize(
    ("slot", "value", "kind"),
    [
        # inferred
        ("day", "2026-01-31", "date"),
        ("mail", "ada@example.test", "email"),
        ("text", "three", "string"),
        # said
        ("count:integer", "3", "integer"),
        ("day:string", "2026-01-31", "string"),
    ],
)
def test_a_slots_type_is_the_one_said_or_the_one_seen(slot: str, value: str, kind: str) -> None:
    plan = aplan(slots={slot: value}, readback=None)
    assert [one.type for one in plan.declared.slots.values()] == [kind]


def test_an_enum_brings_its_choices() -> None:
    plan = aplan(slots={"color:enum[red,blue]": "red"}, readback=None)
    assert plan.declared.slots["color"].choices == ("red", "blue")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        # origin and action
        ({"origin": "app.example.test"}, BadOrigin),
        ({"action": "send message"}, UsageError),
        ({"action": "../send"}, UsageError),
        # slots
        ({"slots": {"a b": "zebra 4711"}}, UsageError),
        ({"slots": {"message": ""}}, UsageError),
        ({"slots": {"message:text": "zebra 4711"}}, UsageError),
        ({"slots": {"message:enum": "zebra 4711"}}, UsageError),
        ({"slots": {"message:string[a]": "a"}}, UsageError),
        ({"slots": {"message:enum[a,b]": "zebra 4711"}}, UsageError),
        ({"slots": {"message": "zebra 4711", "message:string": "zebra 4711"}}, UsageError),
        # readback
        ({"readback": "{"}, BadReadback),
        ({"readback": "no such file.json"}, BadReadback),
        ({"readback": json.dumps({**READBACK, "url": "https://else.example.test/"})}, BadReadback),
        ({"readback": json.dumps({**READBACK, "url": "/api/{room}"})}, BadReadback),
        ({"readback": json.dumps({**READBACK, "path": "$.messages[?("})}, BadReadback),
        ({"slots": {"other": "zebra 4711"}}, BadReadback),
        # pins
        ({"pins": ["=x"]}, BadPin),
        ({"pins": ["key=sk_live_51H8xYz0aBcDeFgHiJkLm"]}, BadPin),
    ],
)
def test_what_is_wrong_is_said_without_a_value(
    changes: dict[str, Any], error: type[UserError]
) -> None:
    with pytest.raises(error) as raised:
        aplan(**changes)
    assert "zebra" not in str(raised.value)
    assert "sk_live" not in str(raised.value)


def test_a_readback_may_lie_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "readback.json"
    file.write_text(json.dumps(READBACK))
    readback = aplan(readback=str(file)).readback
    assert readback is not None
    assert readback.url == "/api/messages"


def test_slots_are_split_at_the_first_equals_sign_behind_the_name() -> None:
    options = ["message=a=b", "color:enum[x=1,y]=y", "day:date=2026-01-31"]
    assert split_slots(options) == {
        "message": "a=b",
        "color:enum[x=1,y]": "y",
        "day:date": "2026-01-31",
    }


@pytest.mark.parametrize("options", [["zebra"], ["a=1", "a=2"], ["zebra[a"]])
def test_a_slot_without_a_value_or_given_twice_is_refused(options: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        split_slots(options)
    assert "zebra" not in str(raised.value)
