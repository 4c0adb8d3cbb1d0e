import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.strict_json import NotJson, compact, inner_document, json_text, parse_json

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "nearly", "reason"),
    [
        ('{"a":1,"a":2}', True, "two members of one name"),
        ("[NaN]", True, "NaN or an infinity"),
        ("[-Infinity]", True, "NaN or an infinity"),
        ("[1e999]", True, "too large"),
        ("[" * 66 + "]" * 66, True, "deeper than 64 levels"),
        ('{"a":{"b":' * 40 + "1" + "}}" * 40, True, "deeper than 64 levels"),
        ("[" * 100_000, True, "deeper than 64 levels"),
        ("{'a':1}", False, "not JSON"),
        ("", False, "not JSON"),
        ("9" * 5000, False, "not JSON"),
    ],
)
def test_what_parsers_could_read_differently_is_refused(
    text: str, nearly: bool, reason: str
) -> None:
    said = parse_json(text)
    assert isinstance(said, NotJson)
    assert reason in said.reason
    assert said.nearly == nearly or "[" * 100 in text


def test_the_depth_of_a_card_is_read() -> None:
    assert not isinstance(parse_json("[" * 64 + "]" * 64), NotJson)


@pytest.mark.parametrize("text", ['{"a":[1,"x"]}', "[]", '["é"]'])
def test_a_compact_document_in_a_string_is_read(text: str) -> None:
    assert inner_document(text, frozenset()) == json.loads(text)


@pytest.mark.parametrize("text", ["[ ]", "42", '"x"', "{oops}", '["\\u00e9"]', "zebra", ""])
def test_any_other_text_stays_a_text(text: str) -> None:
    assert inner_document(text, frozenset()) is None


def test_a_spaced_document_is_opened_for_a_wanted_value() -> None:
    text = '{ "deep": ["zebra \\"4711\\""] }'
    assert inner_document(text, frozenset({"lion"})) is None
    assert inner_document(text, frozenset({'zebra "4711"'})) == {"deep": ['zebra "4711"']}


@pytest.mark.parametrize(("value", "text"), [("x", "x"), (1.5, "1.5"), (True, "true"), (3, "3")])
def test_a_scalar_has_a_text(value: Any, text: str) -> None:
    assert json_text(value) == text


@settings(deadline=None)
@given(DOCUMENTS)
def test_a_document_survives(document: Any) -> None:
    assert parse_json(compact(document)) == document
