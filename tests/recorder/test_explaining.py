"""One line for each request, in words and path templates, and never a value."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.candidates import Candidate
from recorder.events import Settle
from recorder.explaining import MAX_LINES, TOO_LATE, Explaining
from recorder.traffic import RawRequest
from tests.recorder.traffic import NOON, aget, arequest, declared

VALUE = "zebra 4711"
SAID = declared(message=VALUE, room="general")
CARRIES = Candidate(frozenset({"message"}))
HINTED = Candidate(frozenset({"message"}), "telemetry")


def an_explaining(**changes: Any) -> Explaining:
    return Explaining(SAID, **{"wanted": True, **changes})


def path_of(target: str) -> str:
    explaining = an_explaining()
    explaining.passed(aget(target), "why")
    (line,) = explaining.told(None, ())
    return line.path


def read(request: RawRequest, *, sealed: bool = False) -> str:
    explaining = an_explaining()
    explaining.read(request, sealed=sealed)
    (line,) = explaining.told(None, ())
    return line.reason


def ends(verdict: Settle | None, *candidates: Candidate, sealed: tuple[int, ...] = ()) -> list[str]:
    explaining = an_explaining()
    for key, candidate in enumerate(candidates):
        explaining.candidate(key, arequest(), candidate)
    return [line.reason for line in explaining.told(verdict, sealed or (0, 1))]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/", "/"),
        ("/api/messages", "/api/messages"),
        ("/api/v2/getMessages.json?token=CANARY", "/api/v2/getMessages.json"),
        ("/wp-admin/admin-ajax.php#CANARY", "/wp-admin/admin-ajax.php"),
        ("/rooms/42/messages", "/rooms/{…}/messages"),
        ("/o/9f86d081884c7d65/accept", "/o/{…}/accept"),
        ("/CANARY-REC11/x", "/{…}/x"),
        ("/users/a%40example.test", "/users/{…}"),
        ("/app-3f2b8a4e.js", "/{…}"),
        ("/messages/zebra%204711", "/messages/{message}"),
        ("/messages/zebra-4711", "/messages/{message}"),
        ("/rooms/general/", "/rooms/{room}/"),
        ("/rooms/generally", "/rooms/{…}"),
        ("/" + "a/" * 20, "/" + "a/" * 12 + "…"),
    ],
)
def test_a_path_is_shown_as_a_template(target: str, expected: str) -> None:
    assert path_of(target) == expected


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (aget("/api/messages"), "read in the prelude: it changes nothing"),
        (aget("/x", sec_fetch_mode="navigate"), "a navigation: it changes nothing"),
        (aget("/x", sec_purpose="prefetch;prerender"), "a prefetch: nobody acted"),
        (aget("/x", purpose="prefetch"), "a prefetch: nobody acted"),
        (aget("/sw.js", service_worker="script"), "the browser's own request"),
        (aget("/favicon.ico"), "the browser's own request"),
        (aget("/.well-known/change-password"), "the browser's own request"),
        (aget("/main.js", sec_fetch_dest="script"), "a part of the page: it changes nothing"),
        (aget("/ws", upgrade="websocket"), "opens a WebSocket: what the page sends there"),
        (arequest(method="OPTIONS"), "a preflight: it asks, and changes nothing"),
    ],
)
def test_what_changes_nothing_is_told_by_its_headers(request_: Any, expected: str) -> None:
    assert read(request_).startswith(expected)


def test_a_read_after_the_seal_is_told_apart() -> None:
    assert read(aget("/api/messages"), sealed=True) == "read after the seal: it changes nothing"


def test_a_candidate_names_the_slots_that_it_carries() -> None:
    assert ends(None, CARRIES, HINTED) == [
        "candidate: carries message",
        "hint: looks like telemetry; carries message",
    ]


def test_the_action_is_the_one_after_which_the_readback_rose() -> None:
    assert ends(Settle(0, confirmed=True, rivals=(1,)), CARRIES, HINTED) == [
        "the action: carries message; the readback rose after it",
        "hint: looks like telemetry; carries message; the readback rose after another",
    ]


def test_without_a_count_a_hint_is_believed_last() -> None:
    assert ends(Settle(0, rivals=(1,)), CARRIES, HINTED) == [
        "the action: carries message; no other is believed before it",
        "hint: looks like telemetry; carries message; another is believed",
    ]


def test_an_undecided_recording_says_so_of_each() -> None:
    undecided = "candidate: carries message; nothing tells which one it is"
    assert ends(Settle(None), CARRIES, CARRIES) == [undecided, undecided]


def test_what_came_too_late_or_again_is_told() -> None:
    reasons = ends(Settle(0, confirmed=True), CARRIES, CARRIES, CARRIES)
    assert reasons[1].endswith("the same again")
    assert reasons[2].endswith(TOO_LATE)


def test_a_candidate_that_shows_no_slot_says_that_nobody_sees_into_it() -> None:
    assert ends(None, Candidate(frozenset())) == ["candidate: may carry what can't be seen in it"]


def test_a_candidate_on_a_socket_gives_its_reason() -> None:
    explaining = an_explaining()
    explaining.candidate(0, aget("/ws"), CARRIES, "The action is on a WebSocket.")
    assert explaining.told(None, ())[0].reason == "candidate: The action is on a WebSocket"


def test_nothing_is_remembered_unless_asked_for() -> None:
    explaining = an_explaining(wanted=False)
    explaining.read(aget("/x"), sealed=False)
    explaining.candidate(0, arequest(), CARRIES)
    assert explaining.told(Settle(0), (0,)) == ()


def test_the_list_is_bounded_and_candidates_are_always_in_it() -> None:
    explaining = an_explaining()
    for _ in range(MAX_LINES + 7):
        explaining.passed(aget("/heartbeat"), "why")
    explaining.candidate(0, arequest(), CARRIES)
    lines = explaining.told(None, ())
    assert len(lines) == MAX_LINES + 2
    assert lines[-2].reason == "candidate: carries message"
    assert lines[-1].reason == "7 more requests, not listed"


@st.composite
def requests_of_canaries(draw: st.DrawFn) -> tuple[RawRequest, str]:
    canary = draw(
        st.one_of(
            st.uuids().map(str),
            st.from_regex(r"[0-9a-f]{12,40}", fullmatch=True),
            st.from_regex(r"[A-Z]{3,8}[-_]?[0-9]{1,6}", fullmatch=True),
            st.from_regex(r"[A-Za-z0-9_-]{20,60}[0-9]", fullmatch=True),
            st.from_regex(r"[a-z]{1,9}@[a-z]{1,9}\.test", fullmatch=True),
            st.from_regex(r"[\w ]{1,20}[^\x00-\x7f]{1,5}", fullmatch=True),
            st.just(VALUE),
        )
    )
    place = draw(st.sampled_from(["/{}", "/a/{}/b", "/a?q={}", "/a?{}", "/a#{}", "/a/{}?{}"]))
    target = place.replace("{}", draw(st.sampled_from([canary, quote(canary, safe="")])))
    method = draw(st.sampled_from(["GET", "POST", "OPTIONS", canary]))
    headers = (("cookie", canary), ("sec-fetch-dest", canary), ("upgrade", canary))
    return RawRequest(method, target, headers, canary.encode(), NOON), canary


@given(requests_of_canaries())
def test_no_captured_value_is_ever_told(seen: tuple[RawRequest, str]) -> None:
    request, canary = seen
    explaining = an_explaining()
    explaining.read(request, sealed=False)
    explaining.passed(request, "it carries no declared slot value")
    explaining.candidate(0, request, HINTED)
    told = explaining.told(Settle(0, confirmed=True), (0,))
    for line in told:
        words = re.split(r"[^\w@%.-]+", f"{line.method} {line.path}")
        assert canary not in f"{line.method} {line.path}"
        assert quote(canary, safe="") not in words
        assert canary not in line.reason
