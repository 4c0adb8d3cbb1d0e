import json
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.contract import Contract, StructuralHeaders
from cards.errors import BadCard, BadSlot
from cards.holes import (
    GeneratedRef,
    GeneratedValue,
    LiveRef,
    Null,
    Pin,
    Slot,
    SlotRef,
    Template,
)
from cards.shapes import (
    ArrayShape,
    Escaping,
    FormBody,
    JsonBody,
    JsonText,
    NoBody,
    ObjectShape,
    Pair,
    Pairs,
    Target,
)
from replay.building import WireRequest, build
from replay.filling import Filling
from tests.support.bodies import body_of
from tests.support.builders import acontract

MESSAGE = SlotRef(slot="message")


def built(contract: Contract, message: Any = "zebra", **live: str) -> WireRequest:
    generated = {name: f"made-{name}" for name in contract.generated}
    return build(Filling(contract, {"message": message}, {"csrf_token": "T", **live}, generated))


def json_of(shape: Any, message: Any = "zebra", **changes: Any) -> Any:
    contract = acontract(body=JsonBody(kind="json", content=shape), **changes)
    return json.loads(body_of(built(contract, message)))


def form_of(*pairs: Pair, message: str = "zebra", escaping: Escaping | None = None) -> bytes:
    content = Pairs(pairs=pairs, escaping=escaping or Escaping())
    return body_of(built(acontract(body=FormBody(kind="form", content=content)), message))


def test_a_json_body_is_written_as_browsers_write_it() -> None:
    shape = ObjectShape(
        object={
            "text": MESSAGE,
            "none": Null(null=True),
            "fixed": Pin(pin=False),
            "list": ArrayShape(array=(Pin(pin=3), MESSAGE)),
        }
    )
    body = built(acontract(body=JsonBody(kind="json", content=shape)), "zébra").body
    assert body == '{"text":"zébra","none":null,"fixed":false,"list":[3,"zébra"]}'.encode()


def test_json_inside_a_string_is_written_inside_the_string() -> None:
    text = JsonText(json_text=ObjectShape(object={"text": MESSAGE}))
    assert json_of(ObjectShape(object={"payload": text}), 'a"b') == {"payload": '{"text":"a\\"b"}'}


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [("integer", 3, 3), ("number", 3.5, 3.5), ("boolean", True, True), ("string", "3", "3")],
)
def test_a_slot_stands_in_json_in_its_own_type(kind: Any, value: Any, expected: Any) -> None:
    shape = ObjectShape(object={"n": MESSAGE})
    assert json_of(shape, value, slots={"message": Slot(type=kind)}) == {"n": expected}


def test_a_number_may_be_sent_as_text() -> None:
    shape = ObjectShape(object={"n": SlotRef(slot="message", transforms=("text",))})
    assert json_of(shape, 3, slots={"message": Slot(type="integer")}) == {"n": "3"}


def test_transforms_are_applied_in_order() -> None:
    shape = ObjectShape(object={"slug": SlotRef(slot="message", transforms=("strip", "slug"))})
    assert json_of(shape, " Zebra & Lion ") == {"slug": "zebra-lion"}


def test_a_template_keeps_its_markup_around_the_escaped_value() -> None:
    slot = SlotRef(slot="message", transforms=("html",))
    shape = ObjectShape(object={"html": Template(template=("<p>", slot, "</p>"))})
    assert json_of(shape, "<b>&") == {"html": "<p>&lt;b&gt;&amp;</p>"}


def test_the_same_generated_value_stands_in_both_places() -> None:
    made = GeneratedRef(generated="id")
    contract = acontract(
        body=JsonBody(kind="json", content=ObjectShape(object={"a": made, "b": MESSAGE})),
        custom_headers={"idempotency-key": made, "x-csrf-token": LiveRef(live="csrf_token")},
        generated={"id": GeneratedValue(kind="uuid")},
    )
    request = built(contract)
    assert json.loads(body_of(request))["a"] == dict(request.headers)["idempotency-key"]


def test_present_and_empty_is_not_without_an_equals_sign() -> None:
    slots = {"message": Slot(), "coupon": Slot(optional=True)}
    pairs = (
        Pair(name="title", value=MESSAGE),
        Pair(name="coupon", value=SlotRef(slot="coupon")),
        Pair(name="agree"),
    )
    body = FormBody(kind="form", content=Pairs(pairs=pairs))
    assert built(acontract(body=body, slots=slots), "t").body == b"title=t&coupon=&agree"


def test_order_and_duplicates_of_a_form_are_kept() -> None:
    tag = Pair(name="tag[]", value=MESSAGE)
    body = form_of(tag, Pair(name="b", value=Pin(pin="x")), tag, message="a b")
    assert body == b"tag%5B%5D=a+b&b=x&tag%5B%5D=a+b"


def test_a_bare_value_has_no_name() -> None:
    assert form_of(Pair(name=None, value=MESSAGE), message="1764579000123") == b"1764579000123"


@pytest.mark.parametrize(
    ("escaping", "expected"),
    [
        (Escaping(), b"q=a+b%2Fc%7E%5B%C3%A9"),
        (Escaping(space="%20", safe="!'()*-._~"), b"q=a%20b%2Fc~%5B%C3%A9"),
        (Escaping(safe="/[]", lower=True), b"q=a+b/c%7e[%c3%a9"),
    ],
)
def test_a_value_is_escaped_as_its_pair_was_recorded(escaping: Escaping, expected: bytes) -> None:
    assert form_of(Pair(name="q", value=MESSAGE), message="a b/c~[é", escaping=escaping) == expected


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_form_value_cannot_add_a_pair(value: str) -> None:
    body = form_of(Pair(name="a", value=MESSAGE), Pair(name="b", value=Pin(pin="x")), message=value)
    assert parse_qsl(body.decode(), keep_blank_values=True) == [("a", value), ("b", "x")]


def in_path(value: str) -> WireRequest:
    contract = acontract(target=Target(path=("api", MESSAGE, "messages")), body=NoBody(kind="none"))
    return built(contract, value)


@pytest.mark.parametrize("value", ["..", ".", "", "a\r\nb", "a\x00b", "\x1b"])
def test_a_path_value_that_would_leave_its_segment_is_refused(value: str) -> None:
    with pytest.raises(BadSlot, match="message"):
        in_path(value)


@pytest.mark.parametrize("path", [("", "evil"), ("", "", "x"), ("a\tb",)])
def test_a_path_of_the_card_that_could_name_a_host_is_refused(path: tuple[str, ...]) -> None:
    with pytest.raises(BadCard):
        built(acontract(target=Target(path=path)), "zebra")


@pytest.mark.parametrize(
    "value",
    ["a/b", "//evil.example.test", "\\\\evil", "%2e%2e", "@evil.example.test", "a?b#c", "é"],
)
def test_a_path_value_stays_in_its_segment(value: str) -> None:
    target = in_path(value).target
    assert target.count("/") == 3
    assert unquote(target.split("/")[2]) == value
    assert "?" not in target


@pytest.mark.parametrize("value", ["a\r\nx-evil: 1", "a\nb", "a\x00b", "é", " a"])
def test_a_header_value_cannot_add_a_line(value: str) -> None:
    contract = acontract(
        custom_headers={"x-note": MESSAGE, "x-csrf-token": LiveRef(live="csrf_token")}
    )
    with pytest.raises(BadSlot, match="x-note"):
        built(contract, value)


def test_origin_and_referer_are_sent_only_where_the_page_sent_them() -> None:
    plain = dict(built(acontract()).headers)
    assert "origin" not in plain
    assert "referer" not in plain
    both = acontract(headers=StructuralHeaders(origin=True, referer=True))
    sent = dict(built(both).headers)
    assert sent["origin"] == "https://app.example.test"
    assert sent["referer"] == "https://app.example.test/"


def test_no_browser_header_is_made_up() -> None:
    names = {name for name, _ in built(acontract()).headers}
    assert names == {"accept", "content-type", "x-csrf-token", "content-length"}


def test_a_request_says_nothing_of_itself() -> None:
    assert "zebra" not in repr(built(acontract()))


@pytest.mark.parametrize(("value", "expected"), [(1e-7, "1e-7"), (0.00001, "0.00001"), (1.0, "1")])
def test_a_number_is_spelt_alike_in_json_and_in_a_form(value: float, expected: str) -> None:
    slots = {"message": Slot(type="number")}
    shape = JsonBody(kind="json", content=ObjectShape(object={"n": MESSAGE}))
    form = FormBody(kind="form", content=Pairs(pairs=(Pair(name="n", value=MESSAGE),)))
    assert built(acontract(body=shape, slots=slots), value).body == f'{{"n":{expected}}}'.encode()
    assert built(acontract(body=form, slots=slots), value).body == f"n={expected}".encode()


@given(st.recursive(st.text(max_size=8) | st.booleans(), lambda inner: st.lists(inner, max_size=3)))
def test_a_document_of_pins_is_written_as_json_writes_it(document: Any) -> None:
    def shape(value: Any) -> Any:
        if isinstance(value, list):
            return ArrayShape(array=tuple(map(shape, value)))
        return Pin(pin=value)

    try:
        content = ObjectShape(object={"a": shape(document), "b": MESSAGE})
    except ValueError:  # a pin that looks like a secret
        return
    body = built(acontract(body=JsonBody(kind="json", content=content))).body
    compact = json.dumps({"a": document, "b": "zebra"}, ensure_ascii=False, separators=(",", ":"))
    assert body == compact.encode()
