import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from cards.model import SlotName
from recorder.naming import Names, identifier, last_part, numbered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("text", "text"),
        ("_save", "_save"),
        ("user[tag]", "user_tag"),
        ("x-csrf-token", "x_csrf_token"),
        ("2fa", "_2fa"),
        ("日本", "field"),
        ("", "field"),
    ],
)
def test_a_slot_is_named_by_an_identifier(text: str, expected: str) -> None:
    assert identifier(text) == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("nested.meta.source", "source"),
        ("items.0.name", "name"),
        ("items.0", "items"),
        ("query:lang", "lang"),
        ("header:x-one", "x-one"),
        ("tag[1]", "tag"),
        ("0", "item"),
    ],
)
def test_a_slot_is_named_after_the_last_part(field: str, expected: str) -> None:
    assert last_part(field) == expected


def test_a_name_that_is_taken_gets_a_number() -> None:
    names = Names(frozenset({"text"}))
    assert [names.make("text"), names.make("text"), names.make("x" * 80)] == [
        "text_2",
        "text_3",
        "x" * 64,
    ]
    assert names.make("x" * 80) == "x" * 62 + "_2"


def test_repeated_fields_are_numbered_from_the_second() -> None:
    assert numbered(["tag", "a", "tag", "tag"]) == ["tag", "a", "tag[1]", "tag[2]"]


@settings(deadline=None)
@given(st.text(max_size=100))
def test_every_text_makes_a_slot_name(text: str) -> None:
    TypeAdapter(SlotName).validate_python(Names(frozenset()).make(text))
