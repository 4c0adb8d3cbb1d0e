import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.sites import APP
from verifier.forms import Control, Form, Page


def parsed(text: str, target: str = "/items/new") -> Page:
    return Page(text.encode(), APP, target)


def only_form(text: str) -> Form:
    (form,) = parsed(text).forms()
    return form


def only_control(text: str) -> Control:
    (control,) = only_form(f"<form>{text}</form>").controls
    return control


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("/items", "/items"),
        ("", "/items/new"),
        ("create", "/items/create"),
        ("https://app.example.test/items?x=1", "/items?x=1"),
        ("https://evil.example.test/items", ""),
        ("//evil.example.test/", ""),
        ("javascript:void(0)", ""),
    ],
)
def test_an_action_is_read_as_the_browser_would(action: str, expected: str) -> None:
    assert only_form(f'<form action="{action}" method="post"></form>').action == expected


def test_two_forms_keep_their_tokens_apart() -> None:
    forms = parsed(
        '<form action="/search" method="post"><input type="hidden" name="t" value="one"></form>'
        '<form action="/items" method="post"><input type="hidden" name="t" value="two"></form>'
    ).forms()
    assert [(form.action, form.controls[0].value) for form in forms] == [
        ("/search", "one"),
        ("/items", "two"),
    ]


def test_entities_are_decoded_once() -> None:
    assert only_control('<input name="t" value="ab&#x2B;/c&#61;&amp;#61;">').value == "ab+/c=&#61;"


@pytest.mark.parametrize(
    ("text", "value", "offered", "hidden"),
    [
        ('<input name="t" type="hidden" value="x">', "x", True, True),
        ('<input name="t" value="x">', "x", True, False),
        ('<input name="t">', "", True, False),
        ('<input name="t" type="checkbox">', "on", True, False),
        ('<input name="t" type="radio" value="a">', "a", False, False),
        ('<input name="t" type="radio" value="a" checked>', "a", True, False),
        ('<input name="t" type="file">', "", False, False),
        ('<input name="t" type="submit" value="Save">', "Save", True, True),
        ('<button name="t" value="1">Go</button>', "1", True, True),
        ('<button name="t" type="button" value="1">Go</button>', "1", False, True),
        ('<textarea name="t">a\nb</textarea>', "a\r\nb", True, False),
        ('<select name="t"><option>a<option value="2" selected>b</select>', "2", True, False),
        ('<select name="t"><option>a  b</select>', "a b", True, False),
        ('<select name="t" multiple><option>a</select>', "", False, False),
    ],
)
def test_a_control_offers_what_an_untouched_form_sends(
    text: str, value: str, offered: bool, hidden: bool
) -> None:
    control = only_control(text)
    assert (control.value, control.offered, control.hidden) == (value, offered, hidden)


def test_controls_of_one_name_are_numbered() -> None:
    form = only_form('<form><input name="tag"><input name="x"><input name="tag"></form>')
    assert [(control.name, control.nth) for control in form.controls] == [
        ("tag", 0),
        ("x", 0),
        ("tag", 1),
    ]


def test_a_control_outside_belongs_to_the_form_that_it_names() -> None:
    form = only_form('<form id="f"></form><input form="f" name="t" value="x">')
    assert [control.name for control in form.controls] == ["t"]


def test_a_button_may_send_elsewhere() -> None:
    control = only_control('<button name="t" formaction="/other" formmethod="post">x</button>')
    assert (control.action, control.method) == ("/other", "POST")


def test_meta_tags_are_read() -> None:
    metas = list(parsed('<meta name="csrf-token" content="a&amp;b"><meta charset="utf-8">').metas())
    assert metas == [("csrf-token", "a&b")]


@given(st.text(max_size=200))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    page = parsed(f"<form>{text}")
    list(page.metas())
    page.forms()


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
def test_a_value_comes_back_as_it_was_written(value: str) -> None:
    control = only_control(f'<input type="hidden" name="t" value="{html.escape(value)}">')
    assert control.value == value
