import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cards.card import SealedCard, UiOnlyCard, card_of
from cards.errors import AmbiguousAction, NothingCaptured, UsageError, UserError
from cards.store import CardStore
from recorder.imports.importing import (
    NEVER_PROMOTED,
    NEVER_SUCCEEDED,
    NO_COOKIES,
    ON_WEBSOCKET,
    ONLY_SEALED,
    import_file,
)
from recorder.recorded import Recorded
from tests.recorder.imports.saving import (
    PAGE,
    TOKEN,
    VALUE,
    aflow,
    anaction,
    anentry,
    apage,
    aplan,
    flows,
    har,
)
from tests.support.builders import afile, aproof, areadback


def imported(directory: Path, *entries: Any, force: bool = False) -> Recorded:
    return import_file(har(directory, *entries), aplan(directory), force=force)


def nothing_written(directory: Path) -> bool:
    return not (directory / "cards.d").exists()


def live(recorded: Recorded) -> Any:
    return recorded.card.contract.pretty().get("live", {})


# -- the card


def test_a_har_makes_a_sealed_card_with_its_sources(tmp_path: Path) -> None:
    recorded = imported(tmp_path, apage(), anaction())
    assert isinstance(recorded.card, SealedCard)
    assert recorded.card.contract.imported
    (source,) = (value["source"] for value in live(recorded).values())
    assert source == {"kind": "meta", "page": {"path": ["messages"]}, "name": "csrf-token"}
    assert CardStore(tmp_path / "cards.d").load("send_message") == recorded.card


def test_a_flow_file_makes_the_same_card(tmp_path: Path) -> None:
    page = aflow("/messages", method="GET", answer=PAGE, kind="text/html")
    action = aflow(sent={"text": VALUE}, headers={"x-csrf-token": TOKEN})
    recorded = import_file(flows(tmp_path, page, action), aplan(tmp_path))
    assert recorded.card.digest == imported(tmp_path, apage(), anaction()).card.digest


def test_what_comes_after_the_action_issues_nothing(tmp_path: Path) -> None:
    assert live(imported(tmp_path, anaction(), apage())) == {}


def test_between_two_candidates_only_what_came_before_each_counts(tmp_path: Path) -> None:
    with pytest.raises(AmbiguousAction):
        imported(tmp_path, anaction(), apage(), anaction())


def test_an_answer_of_an_earlier_write_is_history_too(tmp_path: Path) -> None:
    login = anentry("/login", {"user": "u"}, answered={"Set-Cookie": f"csrf={TOKEN}; Path=/"})
    recorded = imported(tmp_path, login, anaction())
    assert [value["source"]["kind"] for value in live(recorded).values()] == ["cookie"]


def test_a_body_that_no_card_describes_is_ui_only_with_its_reason(tmp_path: Path) -> None:
    post = {"mimeType": "application/octet-stream", "text": f"\x01\x02{VALUE}\x03"}
    recorded = imported(tmp_path, anentry(postData=post))
    assert isinstance(recorded.card, UiOnlyCard)
    assert recorded.card.contract.imported


def test_an_action_on_a_websocket_is_ui_only(tmp_path: Path) -> None:
    entry = anentry("/live", method="GET", status=101, origin="wss://app.example.test")
    messages = [{"type": "send", "data": json.dumps({"text": VALUE})}]
    recorded = imported(tmp_path, entry | {"_webSocketMessages": messages})
    assert isinstance(recorded.card, UiOnlyCard)
    assert recorded.card.reason == ON_WEBSOCKET


def test_a_promoted_card_of_that_name_stays(tmp_path: Path) -> None:
    store = CardStore(tmp_path / "cards.d")
    store.write(card_of(afile(evidence=(aproof(), aproof(acted="replay")))))
    recorded = imported(tmp_path, anaction())
    assert store.load("send_message").state == "promoted"
    assert recorded.file.name != "send_message.json"


# -- what is said


def test_the_next_step_is_said(tmp_path: Path) -> None:
    assert NEVER_PROMOTED in imported(tmp_path, anaction()).notes
    path = har(tmp_path, anaction())
    assert ONLY_SEALED in import_file(path, aplan(tmp_path, readback=areadback())).notes


@pytest.mark.parametrize("status", [400, 500])
def test_a_request_that_only_failed_is_said_to_have_never_succeeded(
    tmp_path: Path, status: int
) -> None:
    assert NEVER_SUCCEEDED in imported(tmp_path, anaction(status=status)).notes


def test_a_file_without_cookies_is_said(tmp_path: Path) -> None:
    assert NO_COOKIES in imported(tmp_path, anaction()).notes
    cookies = {"cookie": "sid=1", "x-csrf-token": TOKEN}
    assert NO_COOKIES not in imported(tmp_path, anaction(headers=cookies)).notes


# -- what is refused


@pytest.mark.parametrize(
    ("name", "raw", "told"),
    [
        ("saved.txt", b"", "ending"),
        ("saved.zip", b"PK", "unpack"),
        ("saved", b"", "ending"),
        ("saved.har", b"", "no HAR"),
        ("saved.har", b"12:abc", "no HAR"),
        ("saved.har", b'{"log":{"entries":[{"request":{', "cut off"),
        ("saved.har", b'{"log":{"entries":[]}}', "no request to https://app.example.test"),
        ("saved.flow", b'{"log":{"entries":[{"request":{', "flow file"),
        ("saved.flow", b"", "no request to"),
    ],
)
def test_a_wrong_file_is_told_and_nothing_is_written(
    tmp_path: Path, name: str, raw: bytes, told: str
) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(UsageError) as error:
        import_file(path, aplan(tmp_path))
    assert told in str(error.value)
    assert error.value.way_out
    assert nothing_written(tmp_path)


@pytest.mark.parametrize("name", ["nowhere.har", "directory.har"])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "directory.har").mkdir()
    with pytest.raises(UsageError, match="can't be read"):
        import_file(tmp_path / name, aplan(tmp_path))


def test_a_request_that_was_never_answered_is_taken_by_force_alone(tmp_path: Path) -> None:
    with pytest.raises(NothingCaptured, match="never answered"):
        imported(tmp_path, anaction(status=0))
    assert nothing_written(tmp_path)
    assert NEVER_SUCCEEDED in imported(tmp_path, anaction(status=0), force=True).notes


def test_several_requests_that_could_be_the_one_are_listed_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    with pytest.raises(AmbiguousAction, match=r"/api/messages \(entry 1\); POST /api/copies"):
        imported(tmp_path, anaction(), anaction(target="/api/copies"))
    assert nothing_written(tmp_path)


# -- what is never kept

CANARY = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=20)


@given(CANARY, CANARY, CANARY, st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_value_of_the_file_is_written_or_said(
    tmp_path: Path, one: str, two: str, three: str, data: Any
) -> None:
    where = data.draw(st.sampled_from(["json", "form", "params", "base64", "query", "text"]))
    bodies: dict[str, Any] = {
        "json": {"mimeType": "application/json", "text": json.dumps({"t": VALUE, "x": [one]})},
        "form": {"mimeType": "application/x-www-form-urlencoded", "text": f"t={VALUE}&x={one}"},
        "params": {
            "mimeType": "application/x-www-form-urlencoded",
            "params": [{"name": "t", "value": VALUE}, {"name": "x", "value": one}],
        },
        "base64": {
            "mimeType": "application/json",
            "encoding": "base64",
            "text": __import__("base64")
            .b64encode(json.dumps({"t": VALUE, "x": {"y": one}}).encode())
            .decode(),
        },
        "query": {"mimeType": "application/json", "text": json.dumps({"t": VALUE})},
        "text": {"mimeType": "text/plain", "text": f"{VALUE} {one}"},
    }
    body = bodies[where]
    target = f"/api/messages?x={one}" if where == "query" else "/api/messages"
    headers = {"cookie": f"sid={two}", "x-token": three, "authorization": f"Bearer {two}"}
    said = ""
    try:
        recorded = imported(tmp_path, apage(), anentry(target, headers=headers, postData=body))
        said = f"{recorded.as_json()} {recorded.reason}"
    except UserError as error:
        said = str(error)
    written = "".join(path.read_text() for path in (tmp_path / "cards.d").glob("*.json"))
    for canary in (one, two, three, VALUE):
        assert canary not in written + said
