from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from cards.holes import SlotRef
from cards.shapes import (
    MAX_DEPTH,
    ArrayShape,
    Body,
    JsonBody,
    JsonText,
    ObjectShape,
    Pair,
    Pairs,
    Target,
)

BODY: TypeAdapter[object] = TypeAdapter(Body)
LEAF = SlotRef(slot="message")


def test_a_body_nested_to_the_limit_survives_its_file() -> None:
    shape: Any = LEAF
    for level in range(MAX_DEPTH):
        shape = ObjectShape(object={"a": shape}) if level % 2 else ArrayShape(array=(shape,))
    body = JsonBody(kind="json", content=shape)
    assert JsonBody.model_validate_json(body.model_dump_json(exclude_defaults=True)) == body


def test_json_inside_a_string_is_a_shape_of_its_own() -> None:
    text = JsonText(json_text=ObjectShape(object={"a": LEAF}))
    body = JsonBody(kind="json", content=ObjectShape(object={"payload": text}))
    assert BODY.validate_json(body.model_dump_json()) == body


@pytest.mark.parametrize("segment", ["42", "9f86d081884c7d659a2feaa0c55ad015", "a/b", "%39%39"])
def test_a_path_segment_that_looks_like_an_identifier_is_refused(segment: str) -> None:
    with pytest.raises(ValidationError):
        Target(path=("api", segment))


def test_a_field_name_with_the_shape_of_a_secret_is_refused() -> None:
    with pytest.raises(ValidationError):
        Pair(name="9f86d081884c7d659a2feaa0c55ad015", value=LEAF)


def test_a_pair_says_something() -> None:
    with pytest.raises(ValidationError):
        Pair(name=None)


def test_empty_and_bare_fields_stay_apart() -> None:
    pairs = Pairs(pairs=(Pair(name="coupon", value=LEAF), Pair(name="agree")))
    assert [pair.value for pair in pairs.pairs] == [LEAF, None]


@pytest.mark.parametrize(
    "body", [{"kind": "raw", "content": "x"}, {"kind": "json", "content": "x"}, "x"]
)
def test_a_body_of_captured_text_is_refused(body: object) -> None:
    with pytest.raises(ValidationError):
        BODY.validate_python(body)
