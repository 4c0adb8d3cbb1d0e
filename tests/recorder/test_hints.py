"""What looks like noise is named; what people type, and ordinary names, are no hint."""

from typing import Any

import pytest

from recorder.hints import hint_in_members, hint_in_message, hint_of
from recorder.parsed import take_request_apart
from tests.recorder.traffic import arequest, declared

VALUE = "zebra 4711"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/telemetry", "telemetry"),
        ("/g/collect?v=2", "telemetry"),
        ("/cdn-cgi/rum", "telemetry"),
        ("/v1/logs", "telemetry"),
        ("/matomo.php", "telemetry"),
        ("/api/trackEvent", "telemetry"),
        ("/beacon", "telemetry"),
        ("/api/42/envelope/?sentry_key=k", "an error report"),
        ("/csp-report", "an error report"),
        ("/clientErrors", "an error report"),
        ("/heartbeat", "a heartbeat"),
        ("/api/rooms/1/typing", "presence"),
        ("/presence", "presence"),
        ("/notes/autosave.json", "a draft"),
        ("/wp-admin/post_drafts", "a draft"),
        ("/api.php/stashedit", "a draft"),
        ("/api/messages/preview", "a preview"),
        ("/api/validate", "a preview"),
    ],
)
def test_a_path_that_speaks_of_noise_is_named(path: str, expected: str) -> None:
    assert hint_of(arequest(path, {"text": VALUE})) == expected


@pytest.mark.parametrize(
    "path",
    [
        "/api/messages",
        "/blog/posts",
        "/catalog/items",
        "/login",
        "/trackers",
        "/shipping",
        "/api/envelopes",
        "/collections",
        "/calendar/events",
        "/search?q=telemetry",
    ],
)
def test_an_ordinary_path_is_no_hint(path: str) -> None:
    assert hint_of(arequest(path, {"text": VALUE})) is None


@pytest.mark.parametrize(
    ("headers", "kind", "expected"),
    [
        ({"sec-fetch-dest": "report"}, None, "a browser's report"),
        ({}, "application/reports+json", "a browser's report"),
        ({}, "application/csp-report", "a browser's report"),
        ({}, "application/x-sentry-envelope", "a browser's report"),
        ({"ping-to": "https://app.example.test/"}, "text/ping", "a link's ping"),
        ({"service-worker": "script"}, None, "the browser's own request"),
        ({"sec-fetch-dest": "webidentity"}, None, "the browser's own request"),
        (
            {"sec-fetch-dest": "empty", "sec-fetch-mode": "no-cors"},
            "text/plain;charset=UTF-8",
            "a beacon",
        ),
        ({"sec-fetch-dest": "empty"}, "text/plain", "a beacon"),
    ],
)
def test_headers_that_no_pages_write_has_are_named(
    headers: dict[str, str], kind: str | None, expected: str
) -> None:
    assert hint_of(arequest("/x", VALUE.encode(), headers=headers, kind=kind)) == expected


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-dest": "empty", "sec-fetch-mode": "cors"},
        {"sec-fetch-dest": "empty", "sec-fetch-mode": "same-origin"},
        {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"},
        {},
    ],
    ids=str,
)
def test_a_write_of_fetch_or_of_a_form_is_no_beacon(headers: dict[str, str]) -> None:
    assert hint_of(arequest("/x", f'"{VALUE}"', headers=headers, kind="text/plain")) is None


@pytest.mark.parametrize(
    ("target", "body", "expected"),
    [
        ("/wp-admin/admin-ajax.php", "action=heartbeat&data=x", "a heartbeat"),
        ("/w/api.php", "action=stashedit&text=x", "a draft"),
        ("/ajax?action=autosave", {"text": "x"}, "a draft"),
        ("/graphql", {"operationName": "TrackPageView", "variables": {}}, "telemetry"),
        ("/rpc", {"jsonrpc": "2.0", "method": "log", "params": []}, "telemetry"),
    ],
)
def test_the_member_that_names_the_operation_is_read(target: str, body: Any, expected: str) -> None:
    parsed = take_request_apart(arequest(target, body), declared())
    assert hint_in_members(parsed) == expected


@pytest.mark.parametrize(
    "body",
    [
        {"text": "log"},
        {"action": "my log of the day"},
        {"action": "createMessage"},
        {"inner": {"action": "ping"}},
        {"action": 7},
    ],
    ids=str,
)
def test_what_people_type_is_no_hint(body: Any) -> None:
    assert hint_in_members(take_request_apart(arequest("/x", body), declared())) is None


def test_a_sockets_message_is_read_by_its_quoted_words() -> None:
    assert hint_in_message('42["typing",{"text":"zebra 4711"}]') == "presence"
    assert hint_in_message('["4","5","lv:p","event",{"event":"save","value":"x"}]') is None
