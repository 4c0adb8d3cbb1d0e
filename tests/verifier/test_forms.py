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


@pytest.mark.parametrize("identifier", ["f", "1form", "main:form", 'a"b', "a b", "Ünï"])
def test_controls_that_name_their_form_count_in_the_order_of_the_page(identifier: str) -> None:
    name = html.escape(identifier)
    form = only_form(
        f'<input form="{name}" name="t" value="0"><form id="{name}"><input name="t" value="1">'
        f'<input form="other" name="t" value="x"></form><input form="{name}" name="t" value="2">'
    )
    assert [(c.nth, c.value) for c in form.controls] == [(0, "0"), (1, "1"), (2, "2")]


def test_a_control_that_names_no_form_belongs_to_the_one_around_it() -> None:
    first, second = parsed(
        '<form><input name="a"></form><form id="f"><input name="b"></form>'
    ).forms()
    assert [c.name for c in first.controls] == ["a"]
    assert [c.name for c in second.controls] == ["b"]


@pytest.mark.parametrize(
    ("base", "action", "expected"),
    [
        ("/app/", "save", "/app/save"),
        ("/app/", "/save", "/save"),
        ("/app/", "", "/items/new"),
        ("https://app.example.test/x/", "save", "/x/save"),
        ("https://evil.example.test/", "save", ""),
        ("https://evil.example.test/", "/save", ""),
        ("https://evil.example.test/", "https://app.example.test/save", "/save"),
    ],
)
def test_a_base_is_heeded_as_browsers_do(base: str, action: str, expected: str) -> None:
    form = only_form(f'<base href="{base}"><form action="{action}" method="post"></form>')
    assert form.action == expected


def test_white_space_around_an_action_is_none_of_it() -> None:
    assert only_form('<form action=" /items\n"></form>').action == "/items"


@pytest.mark.parametrize(
    ("method", "expected"), [("post", "POST"), ("", "GET"), ("PUT", "GET"), ("dialog", "DIALOG")]
)
def test_a_method_is_one_that_forms_have(method: str, expected: str) -> None:
    assert only_form(f'<form method="{method}"></form>').method == expected


def test_a_form_shows_no_value() -> None:
    assert "CANARY" not in repr(only_form('<form><input name="t" value="CANARY"></form>'))


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


MARKUP = st.lists(
    st.sampled_from(
        [
            *("<form", "</form>", "<form id=f action='/x'>", "<input", " name=t", " form=f", ">"),
            *(
                "<select name=s>",
                "<option selected>",
                "<textarea name=a>",
                "</textarea>",
                "<button>",
            ),
            *("<base href='//x'>", "<template>", "<script>", "<!--", "&#0;", "&quot", "\x00", "'"),
        ]
    ),
    max_size=25,
).map("".join)


@given(MARKUP, st.binary(max_size=40))
def test_any_markup_is_read_without_a_fault(markup: str, tail: bytes) -> None:
    page = Page(markup.encode() + tail, APP, "/items/new")
    list(page.metas())
    for form in page.forms():
        assert form.action == "" or form.action.startswith("/")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
def test_a_value_comes_back_as_it_was_written(value: str) -> None:
    control = only_control(f'<input type="hidden" name="t" value="{html.escape(value)}">')
    assert control.value == value
