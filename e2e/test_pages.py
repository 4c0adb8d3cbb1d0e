"""Every page of the fixture site, recorded in Chromium and replayed with other values."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.site import Site
from e2e.support import DEADLINE_S, READBACK, Reqcard
from e2e.visitor import ROOM, Visitor

NOTES = {
    "url": "/api/notes",
    "path": ["notes"],
    "match": {"field": "title", "slot": "title"},
    "completesTask": True,
    "deadline": DEADLINE_S,
}
TASKS = {**NOTES, "url": "/api/tasks", "path": ["data", "items"]}


@pytest.fixture
def reqcard(tmp_path: Path) -> Reqcard:
    return Reqcard(tmp_path)


def recorded(
    reqcard: Reqcard,
    site: Site,
    page: str,
    act: str,
    readback: dict[str, Any],
    *arguments: str,
    **slots: str,
) -> dict[str, Any]:
    """What was sealed, as ``reqcard record --json`` tells it."""
    words = [word for name, value in slots.items() for word in ("--slot", f"{name}={value}")]
    done = reqcard.record(
        site,
        *("--action", "act", "--readback", json.dumps(readback), *words),
        *("--drive", f"e2e.acts:{act}", "--json", *arguments),
        page=page,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    data: dict[str, Any] = json.loads(done.stdout)["content"]["data"]
    return data


def replayed(reqcard: Reqcard, *arguments: str) -> subprocess.CompletedProcess[str]:
    login = reqcard.directory / "login.state"
    return reqcard.run("replay", "act", *arguments, "--login", login, "--json")


def outcome(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(done.stdout)["content"]
    told: dict[str, Any] = content["data"] if content["ok"] else content
    return told


def contract(reqcard: Reqcard) -> dict[str, Any]:
    path = reqcard.directory / "cards.d" / "act.json"
    whole: dict[str, Any] = json.loads(path.read_text())["contract"]
    return whole


def test_a_classic_form_with_one_time_tokens(site: Site, reqcard: Reqcard) -> None:
    slots = {"title": "zebra 4711", "body": "two\nlines", "first_tag": "red", "second_tag": "blue"}
    card = recorded(reqcard, site, "/notes/new", "write_note", NOTES, **slots)
    assert card["state"] == "confirmed"
    assert set(card["slots"]) == {*slots, "coupon"}
    values = ["title=heron", "body=b & c", "first_tag=x", "second_tag=y"]
    assert outcome(replayed(reqcard, *values, "--trial"))["outcome"] == "success"
    refused = replayed(reqcard, "title=ibis", *values[1:], "coupon=nobody gave it out")
    assert outcome(refused)["outcome"] == "application_error"
    again = replayed(reqcard, "title=otter", *values[1:])
    assert outcome(again)["outcome"] == "success", again.stdout
    assert [note["title"] for note in site.state.notes] == ["zebra 4711", "heron", "otter"]
    assert site.state.notes[1]["body"] == "b & c"
    assert site.count("POST", "/notes") == 4
    sent = [request.body for request in site.requests if request.path == "/notes" and request.body]
    assert sent[1].count(b"tag=") == 2
    assert b"_save=Save" in sent[1]
    assert b"coupon=&" in sent[1]


def test_a_token_that_goes_from_a_cookie_to_a_header(site: Site, reqcard: Reqcard) -> None:
    card = recorded(
        reqcard, site, "/tasks", "add_task", TASKS, title="zebra 4711", due="2026-05-01"
    )
    assert card["state"] == "confirmed"
    live = contract(reqcard)["live"]
    assert [value["source"]["kind"] for value in live.values()] == ["cookie"]
    wrong = replayed(reqcard, "title=heron", "due=tomorrow", "--trial")
    assert (wrong.returncode, outcome(wrong)["error"]) == (15, "BAD_SLOT")
    assert "due" in outcome(wrong)["message"]
    for title, leave in (("heron", "--trial"), ("otter", "--timeout=5")):
        done = replayed(reqcard, f"title={title}", "due=2026-06-01", leave)
        assert outcome(done)["outcome"] == "success", done.stdout
    assert [task["title"] for task in site.state.tasks] == ["zebra 4711", "heron", "otter"]


def test_a_path_slot_and_a_query_slot(site: Site, reqcard: Reqcard) -> None:
    readback = {**READBACK, "url": "/api/rooms/{rooms}/messages"}
    card = recorded(
        *(reqcard, site, f"/rooms/{ROOM}", "send_text", readback),
        message="zebra 4711",
        lang="fr",
        rooms=ROOM,
    )
    assert card["state"] == "confirmed", card
    assert ROOM not in json.dumps(contract(reqcard))
    other = ROOM[::-1]
    done = replayed(reqcard, "message=heron", "lang=de", f"rooms={ROOM}", "--trial")
    assert outcome(done)["outcome"] == "success", done.stdout
    again = replayed(reqcard, "message=otter", "lang=en", f"rooms={other}")
    assert outcome(again)["outcome"] == "success", again.stdout
    assert site.count("POST", f"/api/rooms/{other}/messages") == 1


def test_a_token_from_a_response_header(site: Site, reqcard: Reqcard) -> None:
    card = recorded(reqcard, site, "/headers", "send_text", READBACK, message="zebra 4711")
    assert card["state"] == "confirmed"
    (live,) = contract(reqcard)["live"].values()
    assert live["source"]["kind"] == "header"
    for text, leave in (("heron", "--trial"), ("otter", "--timeout=5")):
        assert outcome(replayed(reqcard, f"message={text}", leave))["outcome"] == "success"
    assert site.decisive == 3


def test_a_write_that_names_its_record_makes_a_new_one(site: Site, reqcard: Reqcard) -> None:
    card = recorded(reqcard, site, "/edit", "send_text", READBACK, message="zebra 4711")
    assert card["state"] == "confirmed", card
    done = replayed(reqcard, "message=heron", "--trial")
    assert outcome(done)["outcome"] == "success", done.stdout
    assert [message["text"] for message in site.state.messages] == ["zebra 4711", "heron"]


def test_a_write_that_replaces_the_whole_collection_is_never_promoted(
    site: Site, reqcard: Reqcard, visitor: Visitor
) -> None:
    card = recorded(reqcard, site, "/replace-all", "send_text", READBACK, message="zebra 4711")
    assert card["state"] == "confirmed"
    replayed(reqcard, "message=heron", "--trial")
    assert visitor.post_message("lion").status_code == 201
    done = replayed(reqcard, "message=otter", "--trial")
    assert (done.returncode, outcome(done)["outcome"]) == (14, "uncertain")
    assert "other records vanished" in outcome(done)["message"]
    listed = json.loads(reqcard.run("list", "--json").stdout)["content"]["data"]["cards"]
    assert listed[0]["state"] == "confirmed"


@pytest.mark.parametrize(
    ("pin", "expected"), [("room", {"pin": "random"}), ("room=help", {"pin": "help"})]
)
def test_a_pin_of_the_author_while_recording(
    site: Site, reqcard: Reqcard, pin: str, expected: dict[str, str]
) -> None:
    recorded(
        *(reqcard, site, "/messages", "send_in_random", READBACK, "--pin", pin),
        message="zebra 4711",
    )
    body = contract(reqcard)["body"]["content"]["object"]
    assert body["room"] == expected
    assert outcome(replayed(reqcard, "message=heron", "--trial"))["outcome"] == "success"
    assert site.state.messages[-1]["room"] == expected["pin"]


def test_a_pin_afterwards_makes_a_sealed_card_that_a_trial_promotes(
    site: Site, reqcard: Reqcard
) -> None:
    recorded(reqcard, site, "/messages", "send_in_random", READBACK, message="zebra 4711")
    assert reqcard.run("pin", "act", "room=general").returncode == 0
    unseen = replayed(reqcard, "message=heron", "--trial")
    assert not outcome(unseen)["promoted"]
    seen = replayed(reqcard, "message=otter", "--trial", "--effect-seen")
    assert outcome(seen)["promoted"]
    assert outcome(replayed(reqcard, "message=ibis"))["outcome"] == "success"


def test_an_enum_takes_its_choices_alone(site: Site, reqcard: Reqcard) -> None:
    recorded(
        *(reqcard, site, "/messages", "send_message", READBACK),
        *("--slot", "room:enum[general,random,help]=random"),
        message="zebra 4711",
    )
    wrong = replayed(reqcard, "message=heron", "room=kitchen", "--trial")
    assert wrong.returncode == 15
    assert "general, random, help" in outcome(wrong)["wayOut"]
    assert site.decisive == 1


def test_a_login_that_every_answer_rotates_is_written_back(site: Site, reqcard: Reqcard) -> None:
    recorded(reqcard, site, "/headers", "send_text", READBACK, message="zebra 4711")
    login = reqcard.login(site)
    before = json.loads(login.read_text())["cookies"][0]["value"]
    site.rotate_cookie = True
    assert outcome(replayed(reqcard, "message=heron", "--trial"))["outcome"] == "success"
    assert json.loads(login.read_text())["cookies"][0]["value"] != before
    assert login.stat().st_mode & 0o777 == 0o600


def test_two_replays_at_once_send_one_request_each(site: Site, reqcard: Reqcard) -> None:
    # A page without tokens: of two tokens of one login the site takes only the newer.
    readback = {**READBACK, "url": "/api/rooms/{rooms}/messages"}
    recorded(
        *(reqcard, site, f"/rooms/{ROOM}", "send_text", readback),
        message="zebra 4711",
        lang="fr",
        rooms=ROOM,
    )
    same = ("lang=de", f"rooms={ROOM}")
    assert outcome(replayed(reqcard, "message=trial", *same, "--trial"))["promoted"]
    command = ("replay", "act", *same, "--login", str(reqcard.directory / "login.state"), "--json")
    running = [reqcard.start(*command, f"message=at once {number}") for number in range(2)]
    endings = [process.communicate(timeout=60)[0] for process in running]
    assert ['"outcome": "success"' in ending for ending in endings] == [True, True], endings
    assert site.decisive == 4
