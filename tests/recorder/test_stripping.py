import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from cards.card import CardFile, card_of, seal
from cards.contract import Contract
from cards.readback import Match, Readback
from cards.shapes import OpaqueBody
from tests.recorder.traffic import (
    FORM,
    aget,
    ananswer,
    aprelude,
    arequest,
    aslot,
    declared,
    leaf,
    shape,
    stripped,
    text_of,
    values_of,
)

RANDOM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1MSJ9.RkFLRS1TSUdOQVRVUkU"


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
        (b"--B\r\n", "multipart/form-data; boundary=B", "not well-formed"),
        (b"\x00\x01\xff", "image/png", "not text"),
        (b"plain words", "text/plain", "more than one slot"),
        (b"plain words", "text/csv", "neither JSON nor a form"),
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
