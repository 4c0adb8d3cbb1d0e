import pytest
from pydantic import TypeAdapter, ValidationError

from cards.holes import (
    GeneratedValue,
    Leaf,
    Pin,
    Slot,
    SlotRef,
    Template,
    infer_slot_type,
)

LEAF: TypeAdapter[object] = TypeAdapter(Leaf)


@pytest.mark.parametrize(
    "captured", ["text", 3, 3.5, True, None, [], {"value": "x"}, {"default": 1}]
)
def test_no_leaf_has_room_for_a_captured_value(captured: object) -> None:
    with pytest.raises(ValidationError):
        LEAF.validate_python(captured)


@pytest.mark.parametrize(
    "leaf",
    [
        {"slot": "message"},
        {"slot": "title", "transforms": ["lower", "slug"]},
        {"live": "csrf_token"},
        {"generated": "request_id"},
        {"pin": "draft"},
        {"pin": False},
        {"pin": 3},
        {"template": ["<p>", {"slot": "message"}, "</p>"]},
        {"null": True},
    ],
)
def test_every_kind_of_leaf_comes_back_from_its_json(leaf: dict[str, object]) -> None:
    assert LEAF.dump_python(LEAF.validate_python(leaf), mode="json", exclude_defaults=True) == leaf


def test_a_leaf_of_two_kinds_is_refused() -> None:
    with pytest.raises(ValidationError):
        LEAF.validate_python({"slot": "message", "pin": "x"})


@pytest.mark.parametrize(
    "value",
    [
        "9f86d081884c7d659a2feaa0c55ad015",
        "3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63",
        float("nan"),
        float("inf"),
        2**60,
    ],
)
def test_a_pin_that_looks_like_a_secret_or_is_inexact_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        Pin.model_validate({"pin": value})


@pytest.mark.parametrize(
    "literal", ["hello", '<p class="x">', "<a href=x>", "&nbsp;zebra", "<!-- zebra 4711 -->"]
)
def test_a_template_keeps_tags_without_attributes_and_nothing_else(literal: str) -> None:
    with pytest.raises(ValidationError):
        Template(template=(literal, SlotRef(slot="message")))


def test_a_template_may_hold_a_block_comment() -> None:
    parts = ("<!-- wp:paragraph -->\n<p>", SlotRef(slot="message"), "</p>\n<!-- /wp:paragraph -->")
    assert Template(template=parts).template == parts


def test_a_template_without_a_slot_is_refused() -> None:
    with pytest.raises(ValidationError):
        Template(template=("<p>", "</p>"))


def test_choices_belong_to_an_enum() -> None:
    with pytest.raises(ValidationError):
        Slot(type="string", choices=("red",))
    with pytest.raises(ValidationError):
        Slot(type="enum")


def test_random_text_needs_a_length() -> None:
    with pytest.raises(ValidationError):
        GeneratedValue(kind="hex")
    assert GeneratedValue(kind="hex", length=32).length == 32


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "boolean"),
        (3, "integer"),
        (3.5, "number"),
        ("zebra 4711", "string"),
        ("2026-02-30", "string"),
        ("2026-02-28", "date"),
        ("2026-02-28T10:00:00Z", "date-time"),
        ("a@example.test", "email"),
        ("https://example.test/x", "url"),
        ("3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63", "uuid"),
        ("42", "string"),
    ],
)
def test_a_slot_takes_the_narrowest_type_of_its_value(value: str | float, expected: str) -> None:
    assert infer_slot_type(value) == expected
