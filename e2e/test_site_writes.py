"""The fixture site's writes: what each endpoint stores, and what it refuses."""

import re

import pytest

from e2e.site import Site
from e2e.visitor import ROOM, Visitor

# Messages by fetch.


def test_a_message_is_stored_and_read_back(visitor: Visitor) -> None:
    assert visitor.post_message("hello", room="help").status_code == 201
    shown = visitor.json("/api/messages")
    assert shown["total"] == 1
    (message,) = shown["messages"]
    assert (message["text"], message["room"], message["author"]) == ("hello", "help", "ada")
    assert message["id"]
    assert message["created"]


def test_only_the_latest_page_load_has_the_token(site: Site, visitor: Visitor) -> None:
    stale = visitor.page_token()
    fresh = visitor.page_token()
    body = visitor.message("hello")
    assert visitor.post_json("/api/messages", body, stale).status_code == 403
    assert visitor.post_json("/api/messages", body, fresh).status_code == 201
    assert len(site.state.messages) == 1


def test_the_token_of_another_login_is_refused(site: Site, visitor: Visitor) -> None:
    with Visitor(site.origin, site.login_cookie()) as other:
        token = other.page_token()
    assert visitor.post_json("/api/messages", {"text": "x"}, token).status_code == 403


@pytest.mark.parametrize(
    ("careless", "status"),
    [
        ({"text": " "}, 422),
        ({"text": 7}, 422),
        ({"payload": '{"text": "another"}'}, 422),
        ({"payload": "not json"}, 422),
        ({"client_id": "not-a-uuid"}, 422),
        ({"nested": {"meta": {"source": "yesterday's"}}}, 403),
    ],
)
def test_a_careless_message_is_refused(
    site: Site, visitor: Visitor, careless: dict[str, object], status: int
) -> None:
    assert visitor.post_message(**careless).status_code == status
    assert site.state.messages == []


def test_a_client_id_is_taken_once(visitor: Visitor) -> None:
    body = visitor.message("hello")
    token = visitor.page_token()
    assert visitor.post_json("/api/messages", body, token).status_code == 201
    assert visitor.post_json("/api/messages", body, token).status_code == 409


def test_the_config_leaf_differs_between_logins(site: Site, visitor: Visitor) -> None:
    with Visitor(site.origin, site.login_cookie()) as other:
        assert other.json("/api/config") != visitor.json("/api/config")


def test_a_preview_stores_nothing(site: Site, visitor: Visitor) -> None:
    answer = visitor.post_json("/api/messages/preview", {"text": "<b>"}, visitor.page_token())
    assert answer.json() == {"html": "<p>&lt;b&gt;</p>"}
    assert site.state.messages == []


def test_a_preview_with_a_stale_token_is_refused(visitor: Visitor) -> None:
    assert visitor.post_json("/api/messages/preview", {"text": "x"}, "stale").status_code == 403


def test_telemetry_and_heartbeat_store_nothing(site: Site, visitor: Visitor) -> None:
    assert visitor.client.post("/telemetry", content=b"{}").status_code == 204
    assert visitor.post_json("/api/heartbeat", {"at": 1}).status_code == 200
    assert site.state.messages == []


def test_a_token_from_a_response_header_is_accepted(visitor: Visitor) -> None:
    stale = visitor.get("/api/session").headers["x-csrf-token"]
    fresh = visitor.get("/api/session").headers["x-csrf-token"]
    assert visitor.post_json("/api/messages", {"text": "x"}, stale).status_code == 403
    assert visitor.post_json("/api/messages", {"text": "x"}, fresh).status_code == 201


# Rooms.


def test_a_room_message_is_read_back_in_its_room_only(visitor: Visitor) -> None:
    answer = visitor.post_json(f"/api/rooms/{ROOM}/messages?lang=de", {"text": "hallo"})
    assert answer.status_code == 201
    here = visitor.json(f"/api/rooms/{ROOM}/messages")
    assert [(message["text"], message["lang"]) for message in here["messages"]] == [("hallo", "de")]
    assert visitor.json(f"/api/rooms/{'0' * 24}/messages") == {"messages": [], "total": 0}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/api/rooms/{ROOM}/messages", 422),
        (f"/api/rooms/{ROOM}/messages?lang=xx", 422),
        ("/api/rooms/lobby/messages?lang=en", 404),
    ],
)
def test_a_room_message_needs_a_room_and_a_language(
    visitor: Visitor, path: str, status: int
) -> None:
    assert visitor.post_json(path, {"text": "x"}).status_code == status


# Writes that overwrite.


def test_a_put_to_a_known_id_overwrites(visitor: Visitor) -> None:
    identifier = visitor.json("/api/messages/new-id")["id"]
    path = f"/api/messages/by-id/{identifier}"
    assert visitor.client.put(path, json={"text": "first"}).status_code == 201
    assert visitor.client.put(path, json={"text": "second"}).status_code == 200
    assert visitor.texts() == ["second"]


def test_each_new_id_is_new(visitor: Visitor) -> None:
    assert visitor.json("/api/messages/new-id") != visitor.json("/api/messages/new-id")


def test_putting_all_messages_drops_the_others(visitor: Visitor) -> None:
    visitor.post_message("old")
    body = {"messages": [{"text": "a"}, {"text": "b"}]}
    assert visitor.client.put("/api/messages/all", json=body).status_code == 200
    assert visitor.texts() == ["a", "b"]


# The classic form.


def test_a_note_is_saved_and_the_browser_sent_on(site: Site, visitor: Visitor) -> None:
    answer = visitor.post_note(body="two litres", tag=["shop", "cold"], coupon="")
    assert (answer.status_code, answer.headers["location"]) == (303, "/notes")
    (note,) = visitor.json("/api/notes")["notes"]
    assert (note["title"], note["body"], note["tags"]) == ("Milk", "two litres", ["shop", "cold"])
    assert "<li>Milk</li>" in visitor.get("/notes").text


def test_the_note_form_stands_behind_two_others(visitor: Visitor) -> None:
    page = visitor.get("/notes/new").text
    actions = re.findall(r'<form [^>]*action="([^"]+)"', page)
    assert actions == ["/search", "/newsletter", "/notes"]
    assert page.count('name="tag"') == 2
    assert '<input type="hidden" name="next" value="/notes">' in page
    assert 'name="coupon" value=""' in page


def test_a_note_token_is_consumed_by_the_write(site: Site, visitor: Visitor) -> None:
    token = visitor.form_tokens()[1]
    assert visitor.post_note(csrf_token=token).status_code == 303
    assert visitor.post_note(csrf_token=token).status_code == 403
    assert len(site.state.notes) == 1


def test_each_render_has_a_token_of_its_own_and_all_are_good(visitor: Visitor) -> None:
    first, second = visitor.form_tokens()[1], visitor.form_tokens()[1]
    assert first != second
    assert visitor.post_note(csrf_token=first).status_code == 303
    assert visitor.post_note(csrf_token=second).status_code == 303


def test_the_newsletters_token_is_no_good_for_a_note(visitor: Visitor) -> None:
    newsletter, _ = visitor.form_tokens()
    assert visitor.post_note(csrf_token=newsletter).status_code == 403


def test_a_notes_token_is_no_good_for_the_newsletter(visitor: Visitor) -> None:
    newsletter, note = visitor.form_tokens()
    assert visitor.client.post("/newsletter", data={"csrf_token": note}).status_code == 403
    assert visitor.client.post("/newsletter", data={"csrf_token": newsletter}).status_code == 303


@pytest.mark.parametrize("bad", [{"title": ""}, {"coupon": "FREE"}])
def test_a_wrong_field_shows_the_form_again_with_200(
    site: Site, visitor: Visitor, bad: dict[str, object]
) -> None:
    answer = visitor.post_note(body="kept <i>", **bad)
    assert answer.status_code == 200
    assert 'class="errorlist"' in answer.text
    assert "kept &lt;i&gt;" in answer.text
    assert site.state.notes == []


def test_the_preview_button_saves_nothing(site: Site, visitor: Visitor) -> None:
    token = visitor.form_tokens()[1]
    form = {"csrf_token": token, "title": "Milk", "_preview": "Preview"}
    assert visitor.client.post("/notes", data=form).status_code == 200
    assert site.state.notes == []


def test_a_note_is_never_sent_on_to_another_site(visitor: Visitor) -> None:
    assert visitor.post_note(next="//evil.test/").headers["location"] == "/notes"


def test_search_finds_notes_by_title(visitor: Visitor) -> None:
    visitor.post_note()
    assert "<li>Milk</li>" in visitor.get("/search?q=Mil").text


# Cookie to header.


def test_a_task_with_the_cookies_token_is_stored(visitor: Visitor) -> None:
    assert visitor.post_task().status_code == 201
    (task,) = visitor.json("/api/tasks")["data"]["items"]
    assert (task["title"], task["due"]) == ("Rest", "2026-02-03")


def test_the_tasks_cookie_is_encoded_readable_and_new_each_time(visitor: Visitor) -> None:
    first, second = visitor.get("/tasks"), visitor.get("/tasks")
    value = first.headers["set-cookie"]
    assert all(mark in value for mark in ("%2B", "%2F", "%3D"))
    assert "HttpOnly" not in value
    assert value != second.headers["set-cookie"]


def test_a_task_with_the_undecoded_token_is_refused(site: Site, visitor: Visitor) -> None:
    visitor.task_token()
    assert visitor.post_task(visitor.client.cookies["XSRF-TOKEN"]).status_code == 403
    assert site.state.tasks == []


def test_a_task_without_a_token_is_refused(visitor: Visitor) -> None:
    assert visitor.post_task("").status_code == 403


def test_a_task_with_the_token_of_an_earlier_page_is_refused(visitor: Visitor) -> None:
    stale = visitor.task_token()
    visitor.task_token()
    assert visitor.post_task(stale).status_code == 403


def test_a_task_needs_a_date(visitor: Visitor) -> None:
    assert visitor.post_task(due="soon").status_code == 422
