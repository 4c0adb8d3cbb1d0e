from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.origin import Origin
from recorder.imports.har import (
    NO_BODY,
    OTHER_AUTHORITY,
    may_issue,
    method_of,
    read_entry,
    sends_messages,
    target_of,
)
from recorder.imports.passed import Passed
from tests.recorder.imports.saving import anentry, apage, pairs

APP = Origin.parse("https://app.example.test")
NOWHERE = Path("/nonexistent")


def read(entry: Any) -> Passed:
    return read_entry(entry, "/api/messages", APP, creator="x", folder=NOWHERE)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://app.example.test/a?b=c#d", "/a?b=c"),
        ("https://APP.example.test:443", "/"),
        ("wss://app.example.test/live", "/live"),
        # elsewhere
        ("http://app.example.test/a", None),
        ("https://app.example.test:8443/a", None),
        ("https://app.example.test.evil.test/", None),
        ("https://user@app.example.test/", None),
        ("data:text/html,x", None),
        ("blob:https://app.example.test/1", None),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_only_urls_of_the_origin_have_a_target(url: Any, target: str | None) -> None:
    assert target_of({"request": {"url": url}}, APP) == target


def test_headers_lose_their_case_and_pseudo_headers() -> None:
    headers = {":method": "POST", ":authority": "app.example.test", "X-A": "1"}
    passed = read(anentry(headers=headers))
    assert passed.request.headers == (("x-a", "1"), ("content-type", "application/json"))[:1]
    assert passed.refused is None


@pytest.mark.parametrize("authority", ["evil.example.test", "app.example.test:8443", "a b", ""])
def test_another_authority_is_refused(authority: str) -> None:
    passed = read(anentry(headers={":authority": authority}))
    assert passed.refused == OTHER_AUTHORITY


def test_a_missing_body_is_refused() -> None:
    passed = read(anentry(headers={"content-length": "512"}))
    assert (passed.refused, passed.request.body) == (NO_BODY, None)


def test_the_content_type_comes_from_the_body_where_no_header_has_it() -> None:
    passed = read(anentry(sent={"a": 1}))
    assert passed.request.header("content-type") == "application/json"


def test_cookies_that_stand_only_in_their_list_are_headers() -> None:
    entry = anentry(cookies=[{"name": "sid", "value": "S"}, {"name": "t", "value": "d"}])
    entry["response"]["cookies"] = [{"name": "csrf", "value": "C"}]
    passed = read(entry)
    assert passed.request.header("cookie") == "sid=S; t=d"
    assert passed.response is not None
    assert passed.response.header("set-cookie") == "csrf=C"


def test_cookies_that_stand_in_both_are_taken_once() -> None:
    entry = anentry(headers={"Cookie": "sid=S"}, cookies=[{"name": "sid", "value": "S"}])
    assert [value for name, value in read(entry).request.headers if name == "cookie"] == ["sid=S"]


def test_set_cookies_that_were_joined_by_line_breaks_are_several() -> None:
    response = read(anentry(answered={"Set-Cookie": "a=1; Path=/\nb=2"})).response
    assert response is not None
    values = [value for name, value in response.headers if name == "set-cookie"]
    assert values == ["a=1; Path=/", "b=2"]


def test_a_text_answer_is_said_to_be_utf_8() -> None:
    entry = apage(html="<p>ä", answered={"Content-Type": "text/html; charset=iso-8859-1"})
    response = read(entry).response
    assert response is not None
    assert response.header("content-type") == "text/html"
    assert response.body == "<p>ä".encode()


@pytest.mark.parametrize("status", [0, -1, None, "200", True])
def test_no_status_is_no_answer(status: Any) -> None:
    assert read(anentry(status=status)).response is None


@pytest.mark.parametrize("at", ["", "yesterday", "2026-01-05T10:00:00", "2026-13-01T00:00:00Z"])
def test_an_odd_time_is_a_time_with_a_zone(at: str) -> None:
    entry = anentry() | {"startedDateTime": at}
    assert read(entry).request.at.tzinfo is not None


def test_the_time_is_when_the_request_began() -> None:
    assert read(anentry()).request.at == datetime(2026, 1, 5, 10, tzinfo=UTC)


def test_messages_that_the_page_sent_are_read() -> None:
    messages = [{"type": "send", "data": "hello"}, {"type": "receive", "data": "x"}]
    entry = anentry(method="GET") | {"_webSocketMessages": messages}
    assert sends_messages(entry)
    assert read(entry).sent == (b"hello",)


@pytest.mark.parametrize(
    ("kind", "headers", "issues"),
    [
        ("text/html; charset=utf-8", {}, True),
        ("application/json", {}, True),
        ("x-unknown", {}, True),
        ("", {}, True),
        ("image/png", {}, False),
        ("text/javascript", {}, False),
        ("application/x-javascript", {}, False),
        ("font/woff2", {}, False),
        ("image/png", {"Set-Cookie": "a=1"}, True),
    ],
)
def test_scripts_and_media_issue_nothing_but_cookies(
    kind: str, headers: dict[str, str], issues: bool
) -> None:
    assert may_issue(anentry(kind=kind, answered=headers)) is issues


def test_a_header_that_is_none_is_passed_over() -> None:
    entry = anentry()
    entry["request"]["headers"] = [None, "x", {"name": "a"}, {"value": "b"}, *pairs({"c": "d"})]
    assert read(entry).request.headers == (("a", ""), ("c", "d"))


MESS = st.recursive(
    st.one_of(st.none(), st.text(max_size=8), st.integers(), st.booleans(), st.floats()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["name", "value", "status", "headers", "content", "text", "cookies"]),
            inner,
        ),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["request", "response", "startedDateTime"]), MESS))
def test_an_entry_of_any_shape_is_read(entry: dict[str, Any]) -> None:
    assert method_of(entry)
    assert isinstance(may_issue(entry), bool)
    assert isinstance(read(entry), Passed)
