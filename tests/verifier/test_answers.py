import base64
import html
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.sites import APP
from verifier.answers import REPLAYED_NOTE, Answered

JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html; charset=utf-8"}


def read(
    status: int, body: Any = "", headers: dict[str, str] | None = None, *sent: str
) -> Answered:
    content = body if isinstance(body, str) else json.dumps(body)
    return Answered.of(status, headers or JSON, content.encode(), origin=APP, sent_values=sent)


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind"),
    [
        # accepted
        (200, {"id": 1}, JSON, "accepted"),
        (201, {"errors": []}, JSON, "accepted"),
        (200, {"error": None}, JSON, "accepted"),
        (204, "", {}, "accepted"),
        (303, "", {"location": "/notes"}, "accepted"),
        (302, "", {"location": "/admin/auth/group/"}, "accepted"),
        (302, "", {"location": "https://evil.example.test/login"}, "accepted"),
        (200, "<p>Saved</p>", HTML, "accepted"),
        # a login
        (401, {"error": "no"}, JSON, "login"),
        (302, "", {"location": "/login?next=/x"}, "login"),
        (303, "", {"location": "https://app.example.test/users/sign_in"}, "login"),
        (200, '<form><input type="password"></form>', HTML, "login"),
        # the application says no
        (200, {"errors": [{"message": "taken"}]}, JSON, "application_error"),
        (200, {"data": None, "errors": [{"message": "x"}]}, JSON, "application_error"),
        (200, {"data": {"add": {"userErrors": [{"message": "x"}]}}}, JSON, "application_error"),
        (200, {"success": False}, JSON, "application_error"),
        (200, {"error": {"code": "badtoken"}}, JSON, "application_error"),
        (200, [{"errors": [{"message": "x"}]}], JSON, "application_error"),
        (422, {"errors": {"title": ["is blank"]}}, JSON, "application_error"),
        (400, {"error": "bad title"}, JSON, "application_error"),
        (200, '<form><ul class="errorlist"><li>x</li></ul></form>', HTML, "application_error"),
        (200, "<form><p class=errornote>x</p></form>", HTML, "application_error"),
        (200, '<form><input aria-invalid="true"></form>', HTML, "application_error"),
        (200, '<form><div class="field_with_errors">x</div>', HTML, "application_error"),
        (200, '<form><div id="error_explanation">x</div>', HTML, "application_error"),
        (200, '<FORM><input class="form-control is-invalid">', HTML, "application_error"),
        (200, {"data": {"add": {"ok": False, "message": "x"}}}, JSON, "application_error"),
        (200, {"data": {"add": {"errors": [{"message": "x"}]}}}, JSON, "application_error"),
        (200, {"data": {"a": {"customerUserErrors": [{"code": "x"}]}}}, JSON, "application_error"),
        (200, {"userErrors": [{"message": "x"}]}, JSON, "application_error"),
        (200, {"status": "fail", "message": "x"}, JSON, "application_error"),
        # marks that healthy pages and answers have too
        (200, '<p class="error">the form is gone</p>', HTML, "accepted"),
        (200, '<form><div class="no-error error-template">', HTML, "accepted"),
        (200, '<form><input aria-invalid="false">', HTML, "accepted"),
        (303, '<form><ul class="errorlist"></ul>', {**HTML, "location": "/"}, "accepted"),
        (200, {"data": {"add": {"userErrors": [], "item": {"id": 1}}}}, JSON, "accepted"),
        (200, {"data": {"record": {"errors": 0}}}, JSON, "accepted"),
        (200, {"status": "ok", "success": True, "ok": True}, JSON, "accepted"),
        # the server says no
        (403, {"error": "csrf"}, JSON, "client_error"),
        (404, "", {}, "client_error"),
        (409, {"error": "duplicate"}, JSON, "client_error"),
        (419, "", HTML, "client_error"),
        (500, {"error": "oops"}, JSON, "server_error"),
        (503, "", {}, "server_error"),
    ],
)
def test_an_answer_says_one_thing_of_itself(
    status: int, body: Any, headers: dict[str, str], kind: str
) -> None:
    assert read(status, body, headers).kind == kind


def test_a_redirect_elsewhere_is_noted() -> None:
    answer = read(307, "", {"location": "https://evil.example.test/"})
    assert "another origin" in answer.notes[0]


@pytest.mark.parametrize("name", ["idempotent-replay", "idempotency-replayed"])
def test_an_answer_that_was_given_before_is_noted(name: str) -> None:
    assert "earlier answer" in read(201, {"id": 1}, {**JSON, name: "true"}).notes[0]


def test_an_action_that_the_server_has_forgotten_is_noted() -> None:
    answer = read(404, "", {"x-nextjs-action-not-found": "1"})
    assert "record it again" in answer.notes[0]


@pytest.mark.parametrize(
    "body",
    [
        {"id": "i_2", "status": "pending"},
        {"status": "awaiting_moderation"},
        {"comment": {"moderation_status": "Unapproved"}},
        {"state": "in review"},
    ],
)
def test_a_pending_record_is_noted(body: Any) -> None:
    assert "pending" in read(201, body).notes[0]


@pytest.mark.parametrize("body", [{"title": "pending"}, {"status": "published"}, {"state": None}])
def test_a_word_elsewhere_says_nothing_of_the_record(body: Any) -> None:
    assert read(201, body).notes == ()


@pytest.mark.parametrize("headers", [{"idempotent-replayed": "True"}, {"x-cache": "HIT"}])
def test_an_answer_that_a_store_or_cache_gave_is_noted(headers: dict[str, str]) -> None:
    assert read(201, {"id": 1}, {**JSON, **headers}).notes == (REPLAYED_NOTE,)


def test_an_error_that_is_nested_without_an_end_is_read_without_a_fault() -> None:
    deep = "[" * 900 + "]" * 900
    assert read(200, f'{{"errors": [{deep}]}}').kind == "application_error"
    assert read(200, deep).kind == "accepted"
    assert read(200, '{"error":' * 900 + '""' + "}" * 900).kind == "application_error"


def test_a_byte_order_mark_hides_no_error() -> None:
    answer = Answered.of(200, JSON, b'\xef\xbb\xbf{"error": "x"}', origin=APP)
    assert answer.kind == "application_error"


def test_the_servers_reason_is_kept_when_it_repeats_nothing() -> None:
    assert read(422, {"errors": [{"message": "Title is taken"}]}).detail == "Title is taken"


@pytest.mark.parametrize(
    "repeated",
    [
        "CANARY-08",
        "canary-08",
        quote("CAN RY&08"),
        html.escape("CAN RY&08"),
        base64.b64encode(b"CANARY-08-and-more").decode(),
    ],
)
def test_a_reason_that_repeats_a_sent_value_is_dropped(repeated: str) -> None:
    body = {"errors": [{"message": f"Variable got invalid value {repeated}"}]}
    sent = ("CANARY-08", "CAN RY&08", "CANARY-08-and-more")
    assert read(400, body, JSON, *sent).detail == ""


@pytest.mark.parametrize(
    "repeated",
    [
        "the title 'My confidential re…' is taken",
        "x" * 190 + " My confidential report",
        "MY CONFIDENTIAL REPORT",
        "My\u00a0confidential\u2003report",
        "\uff2d\uff59 confidential report",
        "title=My%2520confidential%2520report",
        f"token={base64.b64encode(b'x: My confidential report').decode()}!",
        "My confidential report " * 1000,
    ],
)
def test_a_reason_that_shows_a_part_or_a_form_of_a_sent_value_is_dropped(repeated: str) -> None:
    assert read(400, {"error": repeated}, JSON, "My confidential report").detail == ""


def test_a_reason_is_cut_short() -> None:
    assert len(read(400, {"error": "no " * 300}).detail) == 200


SPELLINGS: list[Callable[[str], str]] = [
    str,
    str.upper,
    str.lower,
    quote,
    quote_plus,
    lambda value: quote(quote(value)),
    html.escape,
    lambda value: json.dumps(value)[1:-1],
    lambda value: value[:12] + "…",
    lambda value: base64.b64encode(value.encode()).decode(),
    lambda value: base64.urlsafe_b64encode(value.encode()).decode().rstrip("="),
]
_PLAIN = st.characters(exclude_categories=["Cs", "Cc", "Z", "M"], max_codepoint=0x24F)


@given(st.text(_PLAIN, min_size=12, max_size=40), st.sampled_from(SPELLINGS))
def test_no_spelling_of_a_sent_value_stays(value: str, spell: Callable[[str], str]) -> None:
    assert read(400, {"error": f"No: {spell(value)} is taken"}, JSON, value).detail == ""


def test_a_reason_with_a_secret_of_the_servers_is_dropped() -> None:
    body = {"error": "session 9f86d081884c7d659a2feaa0c55ad015 expired"}
    assert read(400, body).detail == ""


def test_nothing_else_of_the_body_stays() -> None:
    answer = read(201, {"id": "n_1", "you_sent": {"token": "CANARY-18"}})
    assert "CANARY" not in repr(answer)


@given(st.text(min_size=1, max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_no_sent_value_stays_in_a_reason(value: str, before: str, after: str) -> None:
    body = {"error": f"{before}{value}{after}"}
    detail = read(400, body, JSON, value).detail
    assert " ".join(value.split()).casefold() not in detail.casefold() or not value.split()


@given(st.binary(max_size=200), st.sampled_from([200, 302, 400, 422, 500]))
def test_any_body_is_read_without_a_fault(body: bytes, status: int) -> None:
    for content_type in ("application/json", "text/html", ""):
        Answered.of(status, {"content-type": content_type}, body, origin=APP)
