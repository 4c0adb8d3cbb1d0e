"""Each switch of the fixture site does what its name says, on each kind of write and readback."""

import re
import threading
import time
from collections.abc import Callable

import httpx
import pytest

from e2e.site import Behaviour, ReadbackBehaviour, Site
from e2e.visitor import ROOM, Visitor

Write = Callable[[Visitor], httpx.Response]

WRITES: dict[str, Write] = {
    "message": lambda visitor: visitor.post_message(),
    "note": lambda visitor: visitor.post_note(),
    "task": lambda visitor: visitor.post_task(),
    "room": lambda visitor: visitor.post_json(
        f"/api/rooms/{ROOM}/messages?lang=en", {"text": "hello"}
    ),
    "put": lambda visitor: visitor.client.put("/api/messages/by-id/a", json={"text": "hello"}),
    "put all": lambda visitor: visitor.client.put(
        "/api/messages/all", json={"messages": [{"text": "hello"}]}
    ),
}

ANSWERS = {
    Behaviour.ERROR_IN_200: (200, 0),
    Behaviour.FORBIDDEN_403: (403, 0),
    Behaviour.NOT_FOUND_404: (404, 0),
    Behaviour.FAIL_500: (500, 0),
    Behaviour.VALIDATION_422: (422, 0),
    Behaviour.UNAUTHORIZED_401: (401, 0),
    Behaviour.CONFLICT_409: (409, 0),
    Behaviour.REDIRECT_TO_LOGIN: (303, 0),
    Behaviour.REDIRECT_OFF_ORIGIN: (307, 0),
    Behaviour.COMMIT_THEN_500: (500, 1),
}
"""Status, and how many records are stored."""

SILENT = {
    Behaviour.CLOSE: 0,
    Behaviour.COMMIT_THEN_CLOSE: 1,
    Behaviour.HANG: 0,
    Behaviour.COMMIT_THEN_HANG: 1,
}
"""How many records are stored; there is no answer."""

ELSEWHERE = {Behaviour.NORMAL, Behaviour.COUNT_RISES_LATE, Behaviour.COUNT_NEVER_RISES}
"""Tested below, each in its own way."""


@pytest.fixture(params=list(WRITES))
def write(request: pytest.FixtureRequest) -> Write:
    return WRITES[request.param]


def stored(site: Site) -> int:
    return len(site.state.messages) + len(site.state.notes) + len(site.state.tasks)


def test_every_behaviour_is_tested() -> None:
    assert set(ANSWERS) | set(SILENT) | ELSEWHERE == set(Behaviour)


def test_normal_stores_one_record(site: Site, visitor: Visitor, write: Write) -> None:
    assert write(visitor).status_code in {200, 201, 303}
    assert (stored(site), site.decisive) == (1, 1)


@pytest.mark.parametrize("behaviour", ANSWERS)
def test_a_behaviour_answers_and_stores_as_named(
    site: Site, visitor: Visitor, write: Write, behaviour: Behaviour
) -> None:
    site.behaviour = behaviour
    answer = write(visitor)
    assert (answer.status_code, stored(site)) == ANSWERS[behaviour]
    assert site.decisive == 1


@pytest.mark.parametrize("behaviour", [Behaviour.CLOSE, Behaviour.COMMIT_THEN_CLOSE])
def test_a_closed_connection_is_no_answer(
    site: Site, visitor: Visitor, write: Write, behaviour: Behaviour
) -> None:
    site.behaviour = behaviour
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        write(visitor)
    assert (stored(site), site.decisive) == (SILENT[behaviour], 1)


@pytest.mark.parametrize("behaviour", [Behaviour.HANG, Behaviour.COMMIT_THEN_HANG])
def test_a_hanging_answer_never_comes(
    site: Site, visitor: Visitor, write: Write, behaviour: Behaviour
) -> None:
    site.behaviour = behaviour
    visitor.client.timeout = httpx.Timeout(1.5)
    with pytest.raises(httpx.ReadTimeout):
        write(visitor)
    assert (stored(site), site.decisive) == (SILENT[behaviour], 1)


def test_committing_behaviours_refuse_a_stale_token_first(site: Site, visitor: Visitor) -> None:
    site.behaviour = Behaviour.COMMIT_THEN_CLOSE
    assert visitor.post_json("/api/messages", {"text": "x"}, "stale").status_code == 403
    assert stored(site) == 0


def test_a_switch_does_not_open_the_door_to_strangers(site: Site, stranger: Visitor) -> None:
    site.behaviour = Behaviour.COMMIT_THEN_500
    assert stranger.post_json("/api/messages", {"text": "x"}).status_code == 401


def test_an_error_in_a_200_stands_in_the_json(site: Site, visitor: Visitor) -> None:
    site.behaviour = Behaviour.ERROR_IN_200
    assert visitor.post_message().json() == {"errors": [{"message": "this was refused"}]}


@pytest.mark.parametrize("behaviour", [Behaviour.ERROR_IN_200, Behaviour.VALIDATION_422])
def test_an_error_of_the_form_stands_in_the_form(
    site: Site, visitor: Visitor, behaviour: Behaviour
) -> None:
    site.behaviour = behaviour
    answer = visitor.post_note()
    assert 'class="errorlist"' in answer.text
    assert re.search(r'<form id="note"', answer.text)


def test_a_redirect_off_origin_points_there_and_asks_for_the_whole_request(
    site: Site, visitor: Visitor
) -> None:
    site.behaviour = Behaviour.REDIRECT_OFF_ORIGIN
    assert visitor.post_message().headers["location"].startswith(site.beacon_origin)
    assert site.beacon_connections == 0


def test_a_redirect_to_login_points_there(site: Site, visitor: Visitor) -> None:
    site.behaviour = Behaviour.REDIRECT_TO_LOGIN
    assert visitor.post_message().headers["location"] == "/login"


def test_a_late_record_shows_itself_later(
    site: Site, visitor: Visitor, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.behaviour = Behaviour.COUNT_RISES_LATE
    assert write(visitor).status_code in {200, 201, 303}
    assert stored(site) == 0
    now = time.monotonic()
    monkeypatch.setattr("e2e.site.records.time.monotonic", lambda: now + 1.6)
    assert stored(site) == 1


def test_a_count_that_never_rises_was_only_promised(
    site: Site, visitor: Visitor, write: Write
) -> None:
    site.behaviour = Behaviour.COUNT_NEVER_RISES
    assert write(visitor).status_code in {202, 303}
    assert stored(site) == 0


# Readbacks.

READS = {
    "/api/messages": lambda said: said["messages"],
    f"/api/rooms/{ROOM}/messages": lambda said: said["messages"],
    "/api/notes": lambda said: said["notes"],
    "/api/tasks": lambda said: said["data"]["items"],
}
"""Where each readback has its collection."""


@pytest.fixture(params=list(READS))
def read(request: pytest.FixtureRequest) -> str:
    path: str = request.param
    return path


def test_a_readback_that_is_not_json(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.NOT_JSON
    answer = visitor.get(read)
    assert answer.headers["content-type"] == "application/json"
    with pytest.raises(ValueError, match="delimiter"):
        answer.json()


def test_a_readback_that_is_not_a_collection(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.NOT_A_COLLECTION
    assert READS[read](visitor.json(read)) == {"count": 0}


def test_a_readback_without_the_match_field(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.NO_MATCH_FIELD
    for post in WRITES.values():
        post(visitor)
    (record,) = READS[read](visitor.json(read))[-1:]
    assert set(record) == {"id", "author", "created"}


def test_a_readback_that_fails(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.ERROR_500
    assert visitor.get(read).status_code == 500


def test_a_readback_that_is_a_login_page(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.LOGIN_PAGE_200
    answer = visitor.get(read)
    assert answer.status_code == 200
    assert 'type="password"' in answer.text


def test_a_readback_that_redirects_off_origin(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.REDIRECT_OFF_ORIGIN
    answer = visitor.get(read)
    assert answer.status_code == 302
    assert answer.headers["location"] == site.beacon_origin + read


def test_a_readback_that_is_not_modified(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.NOT_MODIFIED_304
    answer = visitor.get(read)
    assert (answer.status_code, answer.content) == (304, b"")


def test_a_readback_that_hangs_until_released(site: Site, visitor: Visitor, read: str) -> None:
    site.readback_behaviour = ReadbackBehaviour.HANG
    seen: list[Exception] = []

    def ask() -> None:
        try:
            visitor.get(read)
        except httpx.TransportError as error:
            seen.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    site.wait_for("GET", read)
    site.state.silence.release()
    asking.join(5)
    assert [type(error) for error in seen] == [httpx.RemoteProtocolError]


def test_a_readback_can_fail_from_the_write_on(site: Site, visitor: Visitor) -> None:
    site.readback_after_write = ReadbackBehaviour.ERROR_500
    assert visitor.get("/api/messages").status_code == 200
    visitor.post_message()
    assert visitor.get("/api/messages").status_code == 500
