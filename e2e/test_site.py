"""The fixture site on its own: it starts, stops, logs in, watches and takes each write."""

import hashlib
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest

from e2e.site import Behaviour, Site
from e2e.site.endpoints.login import PASSWORD, USER
from e2e.visitor import ROOM, Visitor

PAGES = [
    "/",
    "/messages",
    f"/rooms/{ROOM}",
    "/headers",
    "/edit",
    "/replace-all",
    "/notes",
    "/notes/new",
    "/search",
    "/tasks",
]
APIS = [
    "/api/messages",
    f"/api/rooms/{ROOM}/messages",
    "/api/messages/new-id",
    "/api/config",
    "/api/session",
    "/api/notes",
    "/api/tasks",
]


# Start and stop.


def test_a_taken_port_is_the_callers_error(site: Site) -> None:
    with pytest.raises(OSError, match="in use"):
        Site(port=int(site.origin.rpartition(":")[2]))


def test_after_stop_nothing_listens() -> None:
    with Site() as site:
        pass
    host, port = site.origin.removeprefix("http://").split(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)))


def test_stop_twice_is_harmless() -> None:
    with Site() as site:
        site.stop()


def test_stop_does_not_wait_for_a_hanging_answer(site: Site, visitor: Visitor) -> None:
    site.behaviour = Behaviour.HANG
    asking = threading.Thread(target=_ask_in_vain, args=[visitor])
    asking.start()
    site.wait_for("POST", "/api/messages")
    began = time.monotonic()
    site.stop()
    asking.join()
    assert time.monotonic() - began < 1.0


def test_reset_releases_a_hanging_answer_and_forgets_everything(
    site: Site, visitor: Visitor
) -> None:
    visitor.post_message()
    site.behaviour = Behaviour.HANG
    asking = threading.Thread(target=_ask_in_vain, args=[visitor])
    asking.start()
    site.wait_for("POST", "/api/messages", times=2)
    site.reset()
    asking.join()
    assert (site.decisive, site.requests, site.state.messages) == (0, [], [])
    assert site.behaviour is Behaviour.NORMAL
    assert visitor.get("/api/messages").status_code == 401


def _ask_in_vain(visitor: Visitor) -> None:
    with pytest.raises(httpx.TransportError):
        visitor.post_message()


# Login.


@pytest.mark.parametrize("path", PAGES)
def test_a_page_without_a_login_redirects_to_login(stranger: Visitor, path: str) -> None:
    answer = stranger.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")


@pytest.mark.parametrize("path", APIS)
def test_an_api_without_a_login_answers_401_in_json(stranger: Visitor, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert answer.json()["errors"]


def test_an_api_without_a_login_redirects_when_switched(site: Site, stranger: Visitor) -> None:
    site.redirect_api_to_login = True
    answer = stranger.get("/api/messages")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")


@pytest.mark.parametrize("path", PAGES + APIS)
def test_a_login_opens_every_page_and_api(visitor: Visitor, path: str) -> None:
    assert visitor.get(path).status_code == 200


def test_the_login_form_brings_an_httponly_cookie(stranger: Visitor) -> None:
    answer = stranger.client.post("/login", data={"user": USER, "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert stranger.get("/").status_code == 200


def test_a_wrong_password_shows_the_form_again(stranger: Visitor) -> None:
    answer = stranger.client.post("/login", data={"user": USER, "password": "guess"})
    assert answer.status_code == 200
    assert 'type="password"' in answer.text


def test_logout_ends_the_login(visitor: Visitor) -> None:
    visitor.client.post("/logout")
    assert visitor.get("/").status_code == 303


def test_expired_logins_are_refused(site: Site, visitor: Visitor) -> None:
    site.expire_logins()
    assert visitor.get("/api/messages").status_code == 401


def test_the_storage_state_holds_a_working_login(site: Site, stranger: Visitor) -> None:
    (cookie,) = site.storage_state()["cookies"]
    stranger.client.cookies.set(cookie["name"], cookie["value"])
    assert stranger.get("/").status_code == 200


def test_a_rotated_cookie_replaces_the_old_one(site: Site, visitor: Visitor) -> None:
    site.rotate_cookie = True
    before = visitor.client.cookies["sid"]
    visitor.get("/")
    after = visitor.client.cookies["sid"]
    assert before != after
    assert visitor.get("/").status_code == 200


def test_a_rotated_cookie_is_refused_after_its_grace(
    site: Site, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("e2e.site.sessions.GRACE", 0.0)
    site.rotate_cookie = True
    old = visitor.client.cookies["sid"]
    visitor.get("/")
    with Visitor(site.origin, ("sid", old)) as late:
        assert late.get("/").status_code == 303


# What it sees.


def test_a_request_is_logged_as_it_came(site: Site, visitor: Visitor) -> None:
    visitor.client.post("/telemetry?a=1&a=2", content=b"\x00raw", headers={"X-Note": "n"})
    seen = site.requests[-1]
    assert (seen.method, seen.path, seen.query) == ("POST", "/telemetry", "a=1&a=2")
    assert seen.body == b"\x00raw"
    assert ("x-note", "n") in seen.headers
    assert seen.cookies["sid"] == visitor.client.cookies["sid"]
    assert site.count("POST", "/telemetry") == 1


def test_only_the_write_endpoints_are_decisive(site: Site, visitor: Visitor) -> None:
    visitor.post_json("/api/messages/preview", {"text": "x"}, visitor.page_token())
    visitor.post_json("/api/heartbeat", {})
    visitor.client.post("/telemetry")
    visitor.client.post("/newsletter")
    assert site.decisive == 0
    visitor.post_message()
    visitor.post_note()
    visitor.post_task()
    visitor.post_json(f"/api/rooms/{ROOM}/messages?lang=en", {"text": "x"})
    visitor.client.put("/api/messages/by-id/a", json={"text": "x"})
    visitor.client.put("/api/messages/all", json={"messages": []})
    assert site.decisive == 6


def test_a_refused_write_is_counted_too(site: Site, visitor: Visitor, stranger: Visitor) -> None:
    stranger.post_json("/api/messages", {"text": "x"})
    visitor.post_json("/api/messages", {"text": "x"}, "stale")
    assert site.decisive == 2


def test_the_cards_on_disk_are_noted_as_a_write_arrives(
    site: Site, visitor: Visitor, tmp_path: Path
) -> None:
    site.watch_cards = tmp_path
    visitor.post_message()
    (tmp_path / "send.json").write_bytes(b"{}")
    (tmp_path / "send.json.tmp").write_bytes(b"half")
    visitor.post_message()
    digest = hashlib.sha256(b"{}").hexdigest()
    assert site.cards_seen == [[], [("send.json", digest, b"{}")]]


def test_the_card_is_looked_for_before_the_body_arrives(tmp_path: Path) -> None:
    (tmp_path / "early.json").write_bytes(b"{}")
    with Site(watch_cards=tmp_path) as site, _connection(site.origin) as half:
        half.sendall(b"POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
        deadline = time.monotonic() + 5
        while site.decisive == 0 and time.monotonic() < deadline:
            time.sleep(0.005)
        assert [card[0] for card in site.cards_seen[0]] == ["early.json"]
        assert site.requests == []


def test_waiting_for_a_request_that_never_comes_ends_with_an_error(site: Site) -> None:
    with pytest.raises(TimeoutError, match="0 of 1"):
        site.wait_for("POST", "/telemetry", seconds=0.01)


def test_latency_delays_each_answer(site: Site, visitor: Visitor) -> None:
    site.latency = 0.05
    began = time.monotonic()
    visitor.get("/api/messages")
    assert time.monotonic() - began >= 0.05


def test_answers_are_not_held_back_by_nagles_algorithm(visitor: Visitor) -> None:
    visitor.get("/api/messages")
    began = time.monotonic()
    for _ in range(20):
        visitor.get("/api/messages")
    # Each would wait 40 ms for the delayed acknowledgement: 800 ms.
    assert time.monotonic() - began < 0.5


def test_the_second_origin_counts_bare_connections(site: Site) -> None:
    with _connection(site.beacon_origin) as bare:
        bare.shutdown(socket.SHUT_WR)
        assert bare.recv(1) == b""
    assert (site.beacon_connections, site.beacon_count) == (1, 0)


def test_the_second_origin_counts_requests(site: Site) -> None:
    with Visitor(site.beacon_origin) as elsewhere:
        elsewhere.client.post("/collect", content=b"x")
    assert site.beacon_requests == [("POST", "/collect")]
    assert (site.beacon_connections, site.beacon_count) == (1, 1)


def _connection(origin: str) -> socket.socket:
    host, port = origin.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=5)
