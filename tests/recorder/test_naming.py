import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from cards.model import SlotName
from recorder.naming import Names, carries_a_value, identifier, last_part, numbered


@pytest.mark.parametrize(
    "name",
    [
        *("title", "user[tag]", "items[0][qty]", "clientMutationId", "address_2", "größe", "$ref"),
        *(
            "@type",
            "oauth2ClientId",
            "form:j_id1",
            "X-Api-Key",
            "0",
            "base64",
            "",
            "v1beta1",
            "日本",
        ),
    ],
)
def test_a_word_is_a_name(name: str) -> None:
    assert not carries_a_value(name)


@pytest.mark.parametrize(
    "name",
    [
        *("4711", "items[4711][qty]", "3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63", "a@example.test"),
        *(
            "field_9f86d081884c7d65",
            "dQw4w9WgXcQ8",
            "eyJhbGciOiJI.eyJzdWIi",
            "user-65b2f1c09d3e4a5b",
        ),
    ],
)
def test_a_name_that_carries_a_value_is_none(name: str) -> None:
    assert carries_a_value(name)


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
