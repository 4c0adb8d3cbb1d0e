from typing import Any

import pytest

from cards.errors import BadPin
from tests.recorder.traffic import (
    aget,
    ananswer,
    aprelude,
    arequest,
    declared,
    leaf,
    shape,
    stripped,
    text_of,
)

UUID = "2d1f8a52-0000-4000-8000-00000000d004"
RANDOM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1MSJ9.RkFLRS1TSUdOQVRVUkU"


# -- the order of decision


def test_a_declared_value_becomes_its_slot_wherever_it_stands() -> None:
    body = {"text": "zebra 4711", "again": ["zebra 4711"]}
    result = stripped(arequest(body=body), declared(message="zebra 4711"))
    assert shape(result)["object"] == {
        "text": {"slot": "message"},
        "again": {"array": [{"slot": "message"}]},
    }
    assert result.script_fields == ()


def test_a_pin_that_is_written_out_stands_before_everything_else() -> None:
    said = declared({"text": "fixed"}, message="zebra 4711")
    result = stripped(arequest(body={"text": "zebra 4711"}), said)
    assert leaf(result, "text") == {"pin": "fixed"}


def test_a_pin_has_the_json_type_of_what_it_replaces() -> None:
    pins = {"count": "3", "open": "false", "nested.0": "x", "none": "null"}
    body = {"count": 7, "open": True, "nested": ["y"], "none": 1}
    result = stripped(arequest(body=body), declared(pins))
    assert leaf(result, "count") == {"pin": 3}
    assert leaf(result, "open") == {"pin": False}
    assert leaf(result, "nested") == {"array": [{"pin": "x"}]}
    assert leaf(result, "none") == {"null": True}


def test_a_kept_field_keeps_what_the_page_sent() -> None:
    result = stripped(arequest(body={"status": "publish"}), declared(kept=frozenset({"status"})))
    assert leaf(result, "status") == {"pin": "publish"}
    assert result.contract.slots == {}


@pytest.mark.parametrize("said", [declared({"t": JWT}), declared(kept=frozenset({"t"}))])
def test_a_pin_that_looks_like_a_secret_is_refused_without_showing_it(said: Any) -> None:
    with pytest.raises(BadPin) as caught:
        stripped(arequest(body={"t": JWT}), said)
    assert JWT not in str(caught.value)
    assert "field t " in caught.value.message


def test_pins_are_named_by_field_query_header_and_path() -> None:
    pins = {"tag[1]": "b", "query:lang": "en", "header:x-client": "web", "path:1": "7"}
    request = arequest("/rooms/42?lang=de", "tag=x&tag=y", headers={"x-client": "app"})
    result = stripped(request, declared(pins))
    shown = result.contract.pretty()
    assert shown["target"]["path"] == ["rooms", {"pin": "7"}]
    assert shown["target"]["query"]["pairs"] == [{"name": "lang", "value": {"pin": "en"}}]
    assert shown["custom_headers"] == {"x-client": {"pin": "web"}}
    assert [pair["value"] for pair in shape(result)["pairs"]] == [{"slot": "tag"}, {"pin": "b"}]
    assert result.unused_pins == ()


def test_a_pin_without_a_field_is_told() -> None:
    result = stripped(arequest(body={"a": 1}), declared({"nowhere": "x"}))
    assert result.unused_pins == ("nowhere",)


def test_a_number_equals_a_declared_value_by_its_json_text() -> None:
    result = stripped(arequest(body={"amount": 42, "open": True}), declared(n="42", o="true"))
    assert {name: slot.type for name, slot in result.contract.slots.items()} == {
        "n": "integer",
        "o": "boolean",
    }


def test_a_slot_sent_as_number_and_as_text_says_where_it_is_text() -> None:
    result = stripped(arequest(body={"amount": 4200, "label": "4200"}), declared(amount="4200"))
    assert result.contract.slots["amount"].type == "integer"
    assert leaf(result, "label") == {"slot": "amount", "transforms": ["text"]}


def test_a_one_letter_value_is_only_found_under_its_own_name() -> None:
    body = {"size": "m", "unit": "m"}
    result = stripped(arequest(body=body), declared(size="m"))
    assert leaf(result, "size") == {"slot": "size"}
    assert leaf(result, "unit") == {"slot": "unit"}


def test_a_one_letter_value_is_found_where_nothing_else_is_meant() -> None:
    result = stripped(arequest(body={"text": "x"}), declared(message="x"))
    assert leaf(result, "text") == {"slot": "message"}


def test_two_slots_of_one_value_go_by_the_names_of_the_fields() -> None:
    body = {"b": "same", "a": "same"}
    result = stripped(arequest(body=body), declared(a="same", b="same"))
    assert leaf(result, "a") == {"slot": "a"}
    assert leaf(result, "b") == {"slot": "b"}


@pytest.mark.parametrize(
    ("sent", "transforms"),
    [
        ("zebra & lion 4711", ["lower"]),
        ("zebra-lion-4711", ["slug"]),
        ("Zebra &amp; Lion 4711", ["html"]),
        ("Zebra%20%26%20Lion%204711", ["url"]),
        ('"Zebra & Lion 4711"', ["json"]),
    ],
)
def test_a_declared_value_is_known_in_its_other_shapes(sent: str, transforms: list[str]) -> None:
    result = stripped(arequest(body={"t": sent}), declared(title="Zebra & Lion 4711"))
    assert leaf(result, "t") == {"slot": "title", "transforms": transforms}


def test_a_declared_value_inside_markup_becomes_a_template() -> None:
    body = {"html": "<p><b>zebra</b></p>\n<p>a &lt; b</p>"}
    result = stripped(arequest(body=body), declared(one="zebra", two="a < b"))
    assert leaf(result, "html") == {
        "template": [
            "<p><b>",
            {"slot": "one", "transforms": ["html"]},
            "</b></p>\n<p>",
            {"slot": "two", "transforms": ["html"]},
            "</p>",
        ]
    }


def test_a_value_in_markup_with_attributes_is_no_template() -> None:
    result = stripped(arequest(body={"html": '<p id="x1">zebra</p>'}), declared(m="zebra"))
    assert leaf(result, "html") == {"slot": "html"}


def test_null_is_null_and_an_empty_field_is_an_optional_slot() -> None:
    result = stripped(arequest(body={"none": None, "empty": ""}))
    assert leaf(result, "none") == {"null": True}
    assert result.contract.slots["empty"].optional
    assert result.script_fields == ("empty",)


def test_undeclared_values_become_typed_slots_named_after_their_fields() -> None:
    body = {"due": "2026-05-01", "n": 3, "ok": True, "mail": "a@example.test", "password": "Tr0ub"}
    slots = stripped(arequest(body=body)).contract.slots
    assert {name: slot.type for name, slot in slots.items()} == {
        "due": "date",
        "n": "integer",
        "ok": "boolean",
        "mail": "email",
        "password": "string",
    }
    assert [name for name, slot in slots.items() if slot.secret] == ["password"]


def test_names_that_clash_get_a_number() -> None:
    body = {"text": "abc", "a": {"text": "def"}}
    result = stripped(arequest(body=body), declared(text="xyz"))
    assert sorted(result.contract.slots) == ["text_2", "text_3"]


def test_the_same_value_twice_is_the_same_reference() -> None:
    result = stripped(arequest(body={"a": "everything", "b": "everything", "c": 1, "d": 1}))
    assert leaf(result, "b") == {"slot": "a"}
    assert leaf(result, "c") != leaf(result, "d")


def test_a_text_and_a_boolean_of_one_spelling_are_two_slots() -> None:
    result = stripped(arequest(body={"a": "true", "b": True}))
    assert (leaf(result, "a"), leaf(result, "b")) == ({"slot": "a"}, {"slot": "b"})


# -- generated values


def test_one_uuid_in_header_and_body_is_one_generated_value() -> None:
    request = arequest(
        body={"amount": 5, "clientMutationId": UUID}, headers={"idempotency-key": UUID}
    )
    result = stripped(request)
    (name,) = result.contract.generated
    assert leaf(result, "clientMutationId") == {"generated": name}
    assert result.contract.pretty()["custom_headers"] == {"idempotency-key": {"generated": name}}
    assert UUID not in text_of(result)


def test_times_of_today_are_generated_and_others_are_slots() -> None:
    body = {
        "ms": 1772366400123,
        "s": "1772366400",
        "iso": "2026-03-01T11:59:59.000Z",
        "old": "2020-01-01T00:00:00Z",
    }
    result = stripped(arequest(body=body))
    kinds = {name: value.kind for name, value in result.contract.generated.items()}
    assert kinds == {"ms": "epoch_milliseconds", "s": "epoch_seconds", "iso": "iso_datetime"}
    assert result.contract.generated["s"].as_text
    assert result.contract.slots["old"].type == "date-time"


def test_random_letters_are_generated_only_under_a_name_that_says_so() -> None:
    result = stripped(arequest(body={"request_id": "a1b2" * 5, "nonce": "b2c3" * 5}))
    assert result.contract.generated["request_id"].kind == "hex"
    assert "nonce" in result.contract.slots
    assert "the field nonce holds a value that differs at each load" in (result.ui_only or "")


def test_a_uuid_that_the_site_listed_is_a_slot() -> None:
    rooms = {"rooms": [{"id": UUID}, {"id": UUID.replace("d004", "d005")}]}
    prelude = aprelude((aget("/api/rooms"), ananswer(rooms)))
    result = stripped(arequest(body={"room": UUID}), prelude=prelude)
    assert result.contract.slots["room"].type == "uuid"
    assert result.ui_only is None


def test_a_bare_number_of_milliseconds_is_generated() -> None:
    result = stripped(arequest("/api/x?1772366400123", {}))
    pairs = result.contract.pretty()["target"]["query"]["pairs"]
    assert pairs == [{"name": None, "value": {"generated": "item"}}]
    assert [value.kind for value in result.contract.generated.values()] == ["epoch_milliseconds"]


def test_a_random_value_without_a_source_keeps_the_card_on_the_ui_path() -> None:
    result = stripped(arequest(body={"proof": RANDOM}))
    assert result.ui_only == (
        "the field proof holds a value that differs at each load and has no source"
    )
    assert RANDOM not in text_of(result)
