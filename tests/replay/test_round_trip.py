"""Strip, then fill with the same values: the same request, and no value left in the card."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, quote_plus, unquote_plus, urlencode

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from cards.contract import Contract
from cards.holes import GeneratedRef, Leaf, SlotRef
from cards.shapes import (
    ArrayShape,
    FormBody,
    JsonBody,
    JsonShape,
    JsonText,
    ListShape,
    ObjectShape,
    Pairs,
)
from recorder.prelude import Prelude
from recorder.stripping import strip
from recorder.traffic import Declared, RawRequest
from replay.building import WireRequest, build
from replay.filling import Filling
from tests.support.bodies import body_of
from tests.support.builders import NOON
from tests.support.sites import APP

WORDS = st.text("abcdefgh", min_size=1, max_size=6)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
SCALARS = (
    TEXTS
    | st.booleans()
    | st.none()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
PAIRS = st.lists(st.tuples(WORDS, TEXTS), min_size=1, max_size=5)


def stripped(body: bytes, content_type: str, target: str = "/api/items") -> Contract | None:
    request = RawRequest("POST", target, (("content-type", content_type),), body, NOON)
    card = strip(
        request,
        origin=APP,
        action="add_item",
        declared=Declared({}),
        prelude=Prelude(APP),
        readback=None,
    )
    return None if card.ui_only else card.contract


def leaves(shape: JsonShape, value: Any) -> Iterator[tuple[Leaf, Any]]:
    match shape:
        case ObjectShape():
            for name, member in shape.object.items():
                yield from leaves(member, value[name])
        case ArrayShape():
            for item, inner in zip(shape.array, value, strict=True):
                yield from leaves(item, inner)
        case ListShape():
            raise AssertionError("nothing strips to a list slot here")
        case JsonText():
            yield from leaves(shape.json_text, json.loads(value))
        case _:
            yield shape, value


def pair_leaves(pairs: Pairs, raw: str) -> Iterator[tuple[Leaf, Any]]:
    for pair, piece in zip(pairs.pairs, raw.split("&"), strict=True):
        name, _, value = piece.partition("=")
        text = unquote_plus(name if pair.name is None else value)
        if isinstance(pair.value, JsonText):
            yield from leaves(pair.value.json_text, json.loads(text))
        elif pair.value is not None:
            yield pair.value, text


def refilled(contract: Contract, found: Iterator[tuple[Leaf, Any]]) -> WireRequest:
    slots: dict[str, Any] = {}
    generated: dict[str, Any] = {}
    for leaf, value in found:
        if isinstance(leaf, SlotRef):
            number = contract.slots[leaf.slot].type in {"integer", "number", "boolean"}
            slots[leaf.slot] = json.loads(value) if number and isinstance(value, str) else value
        elif isinstance(leaf, GeneratedRef):
            generated[leaf.generated] = value
    return build(Filling(contract, slots, {}, generated))


def card_text(contract: Contract) -> str:
    return contract.model_dump_json(by_alias=True, exclude_defaults=True)


def scalars(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        for value in document.values():
            yield from scalars(value)
    elif isinstance(document, list):
        for value in document:
            yield from scalars(value)
    elif isinstance(document, str):
        yield document


def stringified(document: Any) -> str:
    """What JSON.stringify makes of a document; numbers by the library that RFC 8785 asks of."""
    if isinstance(document, dict):
        members = (f"{json.dumps(name)}:{stringified(value)}" for name, value in document.items())
        return f"{{{','.join(members)}}}"
    if isinstance(document, list):
        return f"[{','.join(map(stringified, document))}]"
    if isinstance(document, float):
        return rfc8785.dumps(document).decode()
    return json.dumps(document, ensure_ascii=False)


@given(DOCUMENTS)
def test_a_json_body_comes_back_byte_for_byte(document: Any) -> None:
    body = stringified(document).encode()
    contract = stripped(body, "application/json")
    if contract is None:
        return
    assert isinstance(contract.body, JsonBody)
    again = refilled(contract, leaves(contract.body.content, json.loads(body)))
    assert again.body == body


@given(PAIRS, st.sampled_from([quote_plus, quote]))
def test_a_form_comes_back_byte_for_byte(pairs: list[tuple[str, str]], style: Any) -> None:
    raw = urlencode(pairs, quote_via=style)
    contract = stripped(raw.encode(), "application/x-www-form-urlencoded")
    if contract is None:
        return
    assert isinstance(contract.body, FormBody)
    again = refilled(contract, pair_leaves(contract.body.content, raw))
    assert again.body == raw.encode()


@given(PAIRS, st.sampled_from([quote_plus, quote]))
def test_a_query_comes_back_byte_for_byte(pairs: list[tuple[str, str]], style: Any) -> None:
    raw = urlencode(pairs, quote_via=style)
    contract = stripped(b"", "text/plain", f"/api/items?{raw}")
    if contract is None:
        return
    again = refilled(contract, pair_leaves(contract.target.query, raw))
    assert again.target == f"/api/items?{raw}"


@given(st.dictionaries(WORDS, st.text("KQXZJW", min_size=4, max_size=12), min_size=1, max_size=4))
def test_no_value_of_a_body_is_in_the_card(document: dict[str, str]) -> None:
    for body, kind in (
        (json.dumps(document).encode(), "application/json"),
        (urlencode(document).encode(), "application/x-www-form-urlencoded"),
        (json.dumps({"inner": json.dumps(document)}).encode(), "application/json"),
    ):
        contract = stripped(body, kind)
        assert contract is not None
        written = card_text(contract)
        assert not [value for value in scalars(document) if value in written]


@pytest.mark.parametrize(
    "raw",
    [
        "title=t&coupon=&agree",
        "a=b%20c&p=x/y&r=%2f&l[]=1&plus=a%2Bb",
        "tag=a&tag=b&tag=a",
        "=x&y",
    ],
)
def test_odd_forms_come_back_byte_for_byte(raw: str) -> None:
    contract = stripped(raw.encode(), "application/x-www-form-urlencoded")
    assert contract is not None
    assert isinstance(contract.body, FormBody)
    again = refilled(contract, pair_leaves(contract.body.content, raw))
    assert unquote_plus(body_of(again).decode()) == unquote_plus(raw)


def test_most_bodies_become_cards() -> None:
    # The properties above pass over what stays on the UI path; this keeps that from being all.
    documents: list[Any] = [{"a": "hello"}, [1, True, None], {"a": {"b": ["x", 2.5]}}, "text"]
    for document in documents:
        assert stripped(json.dumps(document).encode(), "application/json") is not None
