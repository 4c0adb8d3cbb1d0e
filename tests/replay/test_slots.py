from datetime import date, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.contract import Contract
from cards.errors import BadSlot
from cards.holes import Slot, SlotRef
from cards.shapes import JsonBody, ObjectShape
from replay.slots import EXPECTED, check_values
from tests.support.builders import acontract, areadback

UUID_TEXT = "123e4567-e89b-12d3-a456-426614174000"


def with_slot(**members: Any) -> Contract:
    shape = {"text": SlotRef(slot="message"), "other": SlotRef(slot="value")}
    return acontract(
        body=JsonBody(kind="json", content=ObjectShape(object={**shape})),
        slots={"message": Slot(), "value": Slot(**members)},
    )


def checked(value: object, **members: Any) -> object:
    return check_values(with_slot(**members), {"message": "m", "value": value})["value"]


@pytest.mark.parametrize(
    ("kind", "given_value", "expected"),
    [
        ("string", "x", "x"),
        ("string", "", ""),
        ("string", 3, "3"),
        ("integer", "3", 3),
        ("integer", "-3", -3),
        ("integer", 3, 3),
        ("integer", 3.0, 3),
        ("number", "3.5", 3.5),
        ("number", "3", 3),
        ("number", "1e3", 1000.0),
        ("boolean", "true", True),
        ("boolean", "False", False),
        ("boolean", True, True),
        ("date", "2026-02-28", "2026-02-28"),
        ("date", date(2026, 2, 28), "2026-02-28"),
        ("date-time", "2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z"),
        ("date-time", datetime(2026, 2, 28, 10), "2026-02-28T10:00:00"),  # noqa: DTZ001
        ("email", "a@example.test", "a@example.test"),
        ("url", "https://example.test/x?y=1", "https://example.test/x?y=1"),
        ("uuid", UUID_TEXT, UUID_TEXT),
        ("uuid", UUID(UUID_TEXT), UUID_TEXT),
    ],
)
def test_a_value_of_its_type_is_taken(kind: str, given_value: object, expected: object) -> None:
    assert checked(given_value, type=kind) == expected


WRONG: dict[str, list[Any]] = {
    "string": [None, True, [], {}, b"x"],
    "integer": ["3.5", "", "x", "1_000", True, 3.5, "٣"],
    "number": ["", "x", "nan", "inf", True, float("nan"), "1e999"],
    "boolean": ["yes", "1", "", 1, None],
    "date": ["2026-02-30", "31.1.2026", "20260131", "2026-W05-1", 3],
    "date-time": ["2026-02-28", "now", ""],
    "email": ["a", "a@b@c", "a b@c.test", "<a@b.test>", "a@b\n.test"],
    "url": ["x", "ftp://a/", "javascript:1", "http://", "http://a b"],
    "uuid": ["x", UUID_TEXT[:-1], f"{{{UUID_TEXT}}}", 3],
}


@pytest.mark.parametrize(
    ("kind", "value"), [(kind, value) for kind, values in WRONG.items() for value in values]
)
def test_a_value_of_another_type_is_refused_by_its_slots_name(kind: str, value: object) -> None:
    with pytest.raises(BadSlot, match="value") as refusal:
        checked(value, type=kind)
    assert EXPECTED[kind] in refusal.value.way_out  # type: ignore[index]


def test_an_enum_takes_its_choices_and_names_them() -> None:
    assert checked("red", type="enum", choices=("red", "blue")) == "red"
    with pytest.raises(BadSlot) as refusal:
        checked("green", type="enum", choices=("red", "blue"))
    assert "red, blue" in refusal.value.way_out


@pytest.mark.parametrize("name", ["approved", "mesage", "__class__"])
def test_an_unknown_name_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(BadSlot, match=name) as refusal:
        check_values(acontract(), {"message": "x", name: "true"})
    assert "message" in refusal.value.way_out


def test_every_missing_slot_is_named_at_once_with_what_it_wants() -> None:
    with pytest.raises(BadSlot, match="message, value") as refusal:
        check_values(with_slot(type="date"), {})
    assert "2026-01-31" in refusal.value.way_out


def test_a_slot_that_was_empty_may_be_left_out() -> None:
    assert check_values(with_slot(optional=True), {"message": "m"}) == {"message": "m"}


@pytest.mark.parametrize("value", ["a\x00b", "\ud800"])
def test_what_is_no_text_is_refused(value: str) -> None:
    with pytest.raises(BadSlot, match="no text"):
        checked(value)


@given(
    st.text("KQXZ", min_size=6),
    st.sampled_from(sorted(EXPECTED.keys() - {"string", "enum", "file"})),
)
def test_a_refusal_never_repeats_the_value(value: str, kind: str) -> None:
    with pytest.raises(BadSlot) as refusal:
        checked(value, type=kind)
    assert value not in str(refusal.value)


def in_readback(url: str, room: object) -> object:
    shape = {"text": SlotRef(slot="message"), "room": SlotRef(slot="room")}
    contract = acontract(
        body=JsonBody(kind="json", content=ObjectShape(object={**shape})),
        slots={"message": Slot(), "room": Slot()},
        readback=areadback(url=url),
    )
    return check_values(contract, {"message": "m", "room": room})["room"]


@pytest.mark.parametrize("room", ["", ".", ".."])
def test_a_value_that_leads_the_readback_elsewhere_is_refused(room: str) -> None:
    with pytest.raises(BadSlot, match="room"):
        in_readback("/api/rooms/{room}/messages", room)


def test_a_query_of_the_readback_may_hold_any_text() -> None:
    assert in_readback("/api/messages?room={room}", "..") == ".."


@pytest.mark.parametrize("kind", ["string", "integer"])
def test_a_number_without_an_end_is_refused(kind: str) -> None:
    with pytest.raises(BadSlot, match="value"):
        checked(10**5000, type=kind)
