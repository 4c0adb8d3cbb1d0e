import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from cards.card import CardFile, card_of, seal
from cards.contract import Contract
from cards.errors import BadPin
from cards.readback import Match, Readback
from cards.shapes import OpaqueBody
from recorder.stripping import Stripped
from tests.recorder.traffic import (
    FORM,
    aget,
    ananswer,
    aprelude,
    arequest,
    aslot,
    declared,
    shape,
    stripped,
)

UUID = "2d1f8a52-0000-4000-8000-00000000d004"
RANDOM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1MSJ9.RkFLRS1TSUdOQVRVUkU"


def text_of(result: Stripped) -> str:
    return json.dumps(result.contract.pretty()) + str(result.ui_only)


def leaf(result: Stripped, *path: str) -> Any:
    here = shape(result)
    for name in path:
        here = here["object"][name]
    return here


def values_of(result: Stripped) -> dict[str, Any]:
    return {pair["name"]: pair.get("value") for pair in shape(result)["pairs"]}


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


# -- paths and queries


def test_a_token_in_the_path_becomes_a_slot() -> None:
    result = stripped(arequest(f"/api/invitations/{RANDOM}/accept", {}))
    path = result.contract.pretty()["target"]["path"]
    assert path == ["api", "invitations", {"slot": "invitations"}, "accept"]
    assert RANDOM not in text_of(result)
    assert result.script_fields == ("path:2",)


def test_the_same_identifier_elsewhere_is_the_same_slot() -> None:
    result = stripped(arequest("/rooms/42/messages", {"room_id": 42, "count": 42}))
    assert leaf(result, "room_id") == {"slot": "rooms"}
    assert leaf(result, "count") == {"slot": "count"}


def test_a_declared_value_in_the_path_is_its_slot() -> None:
    result = stripped(arequest("/rooms/blue/x", {}), declared(room="blue"))
    assert result.contract.pretty()["target"]["path"][1] == {"slot": "room"}


def test_an_id_from_a_fresh_answer_is_live_in_the_path() -> None:
    prelude = aprelude((aget("/api/new-id"), ananswer({"id": "65b2f1c09d3e4a5b6c7d8e9f"})))
    request = arequest("/api/by-id/65b2f1c09d3e4a5b6c7d8e9f", {"text": "x"}, method="PUT")
    result = stripped(request, prelude=prelude)
    shown = result.contract.pretty()
    (name,) = shown["live"]
    assert shown["target"]["path"] == ["api", "by-id", {"live": name}]


def test_an_id_that_an_earlier_write_made_keeps_the_card_on_the_ui_path() -> None:
    draft = (arequest("/api/drafts", {}), ananswer({"id": "65b2f1c09d3e4a5b6c7d8e9f"}))
    request = arequest("/api/drafts/65b2f1c09d3e4a5b6c7d8e9f", {"text": "x"}, method="PUT")
    result = stripped(request, prelude=aprelude(draft))
    assert result.ui_only == "the value of path:2 was made by an earlier write"


def test_escaping_of_the_query_is_kept_as_a_manner() -> None:
    result = stripped(arequest("/s?a=b%20c&p=x/y&l[]=one", {}))
    query = result.contract.target.query
    assert [pair.name for pair in query.pairs] == ["a", "p", "l[]"]
    assert query.escaping.space == "%20"
    assert set("/[]") <= set(query.escaping.safe)


# -- bodies


def test_empty_fields_keep_their_order_and_their_equals_sign() -> None:
    result = stripped(arequest("/orders", "title=t&coupon=&agree"))
    pairs = result.contract.body.content.pairs  # type: ignore[union-attr]
    assert [(pair.name, pair.value is None) for pair in pairs] == [
        ("title", False),
        ("coupon", False),
        ("agree", True),
    ]


def test_json_inside_a_json_string_and_inside_a_form_field_goes_on() -> None:
    inner = json.dumps({"text": "zebra"}, separators=(",", ":"))
    result = stripped(arequest(body={"payload": inner}), declared(m="zebra"))
    assert leaf(result, "payload") == {"json_text": {"object": {"text": {"slot": "m"}}}}
    form = stripped(arequest("/f", "data=%7B%22text%22%3A%22zebra%22%7D"), declared(m="zebra"))
    assert values_of(form)["data"] == {"json_text": {"object": {"text": {"slot": "m"}}}}


def test_a_declared_value_in_spaced_json_inside_a_string_is_found() -> None:
    result = stripped(arequest(body={"payload": '{ "text": "zebra" }'}), declared(m="zebra"))
    assert leaf(result, "payload") == {"json_text": {"object": {"text": {"slot": "m"}}}}
    other = stripped(arequest(body={"payload": '{ "text": "zebra" }'}), declared(m="lion"))
    assert leaf(other, "payload") == {"slot": "payload"}


@pytest.mark.parametrize("kind", ["text/plain;charset=UTF-8", FORM, "application/vnd.api+json"])
def test_json_is_json_whatever_the_content_type_says(kind: str) -> None:
    result = stripped(arequest(body={"a": {"b": ["x"]}}, kind=kind))
    assert result.contract.body.kind == "json"
    assert result.ui_only is None


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_every_method_is_stripped_alike(method: str) -> None:
    kind = "application/merge-patch+json"
    request = arequest("/account", {"password": "CANARY-02"}, method=method, kind=kind)
    assert "CANARY-02" not in text_of(stripped(request))


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        (b'{"a":1,"a":2}', "application/json", "two members of one name"),
        (b'{"a":NaN}', "application/json", "NaN"),
        (b'{"a":1e999}', "application/json", "too large"),
        (b'{"a":', "application/json", "not JSON"),
        (b"[" * 70 + b"]" * 70, "application/json", "nested deeper than 64 levels"),
        (b"[" * 5000, "application/json", "JSON"),
        (b"--B\r\n", "multipart/form-data; boundary=B", "multipart bodies are not supported yet"),
        (b"\x00\x01\xff", "application/x-protobuf", "not text"),
        (b"plain words", "text/plain", "neither JSON nor a form"),
        (b"a=%ff", FORM, "not UTF-8"),
        (b'{"4711812":1}', "application/json", "name of a field carries a value"),
        (b'{"a@example.test":1}', "application/json", "name of a field carries a value"),
    ],
)
def test_what_no_card_describes_stays_on_the_ui_path(body: bytes, kind: str, reason: str) -> None:
    result = stripped(arequest(body=body, kind=kind))
    assert reason in (result.ui_only or "")
    assert isinstance(result.contract.body, OpaqueBody)


def test_a_field_named_by_a_declared_value_stays_on_the_ui_path() -> None:
    result = stripped(arequest(body={"zebra-note": 1}), declared(m="zebra"))
    assert "carries a value" in (result.ui_only or "")
    assert "zebra" not in text_of(result)


def nested(levels: int, inner: Any) -> Any:
    return inner if levels == 0 else [nested(levels - 1, inner)]


def test_the_deepest_body_of_a_card_is_written_and_read() -> None:
    result = stripped(arequest(body=nested(64, "zebra")))
    assert result.ui_only is None
    written = seal(result.contract).file.model_dump_json(by_alias=True)
    assert card_of(CardFile.model_validate_json(written)).contract == result.contract


def test_json_inside_strings_counts_for_the_depth() -> None:
    inner = json.dumps(nested(40, "zebra"), separators=(",", ":"))
    result = stripped(arequest(body=nested(40, inner)))
    assert result.ui_only == "the JSON is nested deeper than 64 levels"


def test_a_body_that_was_not_captured_is_said() -> None:
    streamed = replace(arequest(body={"a": 1}), body=None)
    assert stripped(streamed).ui_only == "body was streamed, not captured"
    unknown = replace(streamed, undecodable="cannot decode body (encoding snappy)")
    assert stripped(unknown).ui_only == "cannot decode body (encoding snappy)"


@pytest.mark.parametrize(
    "body",
    [
        {"query": 'mutation { signIn(email:"a@example.test", password:"CANARY-01") { id } }'},
        {"query": "mutation A($t:String!){add(t:$t){id}}", "variables": {"t": "CANARY-01"}},
        {"extensions": {"persistedQuery": {"sha256Hash": RANDOM}}, "variables": {}},
        [{"query": "query Me{me{id}}"}, {"query": "mutation{a(t:1){id}}"}],
    ],
)
def test_graphql_stays_on_the_ui_path_without_a_literal(body: Any) -> None:
    result = stripped(arequest("/graphql", body))
    assert result.ui_only == "GraphQL actions are not supported yet"
    for kept in ("CANARY-01", "a@example.test", RANDOM):
        assert kept not in text_of(result)


def test_a_search_field_named_query_is_no_graphql() -> None:
    assert stripped(arequest(body={"query": "zebra {stripes}"})).ui_only is None


def test_secrets_in_every_spelling_stay_out() -> None:
    encoded = base64.b64encode(JWT.encode()).decode()
    target = f"/api/items?t={JWT.replace('.', '%2E')}&p=fo%20o%252A%2521"
    result = stripped(arequest(target, {"title": "t", "blob": encoded, "password": "fo o*!"}))
    shown = text_of(result)
    for kept in (JWT, JWT.partition(".")[0], encoded, "fo o", "fo%20o", "fo+o"):
        assert kept not in shown


def test_odd_members_and_quotes_keep_the_shape() -> None:
    body = {"headers": {"Cookie": {"session": "abc"}}, "password": 'ab"c\\', "X-Api-Key": 12345}
    result = stripped(arequest(body=body))
    assert list(shape(result)["object"]) == ["headers", "password", "X-Api-Key"]
    assert "12345" not in text_of(result)
    assert Contract.model_validate_json(result.contract.canonical()) == result.contract


def test_two_recordings_with_other_values_make_one_contract() -> None:
    digests = {
        stripped(
            arequest("/api/subscribe", {"email": value}), declared(email=value)
        ).contract.digest()
        for value in ("a@example.test", "b@example.test")
    }
    assert len(digests) == 1


# -- the readback's slots


def areadback(url: str = "/api/messages", slot: str = "message") -> Readback:
    match = Match(field="text", slot=slot)
    return Readback(url=url, path=("messages",), match=match, completes_task=True)


def test_a_slot_that_only_the_readbacks_url_uses_is_kept() -> None:
    result = stripped(
        arequest(body={"text": "zebra"}),
        declared(message="zebra", room_id="r17"),
        readback=areadback("/api/rooms/{room_id}/messages"),
    )
    assert set(result.contract.slots) == {"message", "room_id"}
    assert result.ui_only is None


def test_a_match_slot_that_the_request_does_not_carry_is_named() -> None:
    result = stripped(
        arequest(body={"text": "zebra"}), declared(message="lion"), readback=areadback()
    )
    assert result.ui_only == (
        "the request does not carry the slot message, which the readback counts"
    )


def test_a_url_slot_that_nobody_declared_is_named() -> None:
    result = stripped(
        arequest(body={"text": "zebra"}),
        declared(message="zebra"),
        readback=areadback("/api/{where}"),
    )
    assert "the slot where" in (result.ui_only or "")


def test_choices_of_the_author_make_an_enum() -> None:
    slot = aslot("lang", "de")
    said = declared()
    said.slots["lang"] = replace(slot, type="enum", choices=("de", "en"))
    result = stripped(arequest(body={"lang": "de"}), said)
    assert result.contract.slots["lang"].choices == ("de", "en")


def test_the_method_override_of_a_form_is_live_where_the_page_has_it() -> None:
    form = (
        '<form action="/items/1" method="post"><input type="hidden" name="_method" value="delete">'
        '<input type="hidden" name="authenticity_token" value="TOKEN-DELETE-123"></form>'
    )
    body = "_method=delete&authenticity_token=TOKEN-DELETE-123"
    prelude = aprelude((aget("/items"), ananswer(form)))
    live = stripped(arequest("/items/1", body, page="/items"), prelude=prelude)
    assert values_of(live)["_method"] == {"live": "_method"}
    alone = stripped(arequest("/items/1", body))
    assert values_of(alone)["_method"] == {"slot": "_method"}
