import json
from pathlib import Path
from typing import Any

import pytest

from replay import Trial
from reqcard.cli import importing
from tests.recorder.imports.saving import ORIGIN, TOKEN, VALUE, anaction, apage, har
from tests.reqcard.cli.conftest import Ended, Line
from tests.support.replaying import Bench, MessageSite
from tests.support.sites import FORM, page
from verifier import Success


def import_(line: Line, path: Path, *more: str, slot: str = f"message={VALUE}") -> Ended:
    said = ("--origin", ORIGIN, "--action", "send_message", "--slot", slot)
    return line("import", str(path), *said, *more)


def test_an_imported_card_is_told_with_its_next_step(line: Line, tmp_path: Path) -> None:
    path = har(tmp_path, apage(), anaction())
    ended = import_(line, path, "--readback", json.dumps(FORM))
    assert ended.code == 0, ended.err
    assert "imported, sealed: POST /api/messages" in ended.out
    assert "--trial" in ended.out
    assert ended.err == ""
    assert TOKEN not in ended.out


def test_programs_get_the_card_in_the_envelope(line: Line, tmp_path: Path) -> None:
    content = import_(line, har(tmp_path, apage(), anaction()), "--json").content
    assert content["ok"] is True
    assert content["data"]["state"] == "sealed"
    assert content["data"]["evidence"] is None


def test_a_wrong_file_is_one_line_and_exits_with_2(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "saved.har"
    path.write_text("not a HAR")
    ended = import_(line, path)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert not line.store.directory.exists()


def test_a_wrong_file_is_an_envelope_for_programs(line: Line, tmp_path: Path) -> None:
    content = import_(line, tmp_path / "nowhere.har", "--json").content
    assert (content["ok"], content["error"]) == (False, "USAGE")


@pytest.mark.parametrize(
    ("slot", "more", "told"),
    [
        ("message", (), "without a value"),
        (f"message={VALUE}", ("--readback", "{"), "not JSON"),
        (f"message={VALUE}", ("--pin", f"x={TOKEN}"), "looks like a secret"),
    ],
)
def test_bad_options_are_told_before_the_file_is_read(
    line: Line, tmp_path: Path, slot: str, more: tuple[str, ...], told: str
) -> None:
    ended = import_(line, tmp_path / "nowhere.har", *more, slot=slot)
    assert ended.code == 2
    assert told in ended.err


def test_a_pin_of_the_author_stays_in_the_card(line: Line, tmp_path: Path) -> None:
    path = har(tmp_path, anaction(sent={"text": VALUE, "room": "general"}))
    assert import_(line, path, "--pin", "room=general").code == 0
    body: Any = line.store.load("send_message").contract.pretty()["body"]
    assert body["content"]["object"]["room"] == {"pin": "general"}


def test_a_person_sees_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    path = har(tmp_path, apage())
    with importing._progress(path, shown=True) as progress:
        progress(path.stat().st_size)
    captured = capsys.readouterr()
    assert "reading" in captured.err
    assert captured.out == ""


async def test_a_trial_promotes_it_when_the_author_sees_the_effect(
    line: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = har(tmp_path, apage(), anaction())
    readback = json.dumps({**FORM, "deadline": 0.3})
    assert import_(line, path, "--readback", readback).code == 0
    site = MessageSite()
    site.token_page = page('<meta name="csrf-token" content="NEXT-TOKEN">')
    bench = Bench(tmp_path, monkeypatch)
    result = await bench.replay(site, trial=Trial(sees_effect=lambda: True))
    assert isinstance(result.outcome, Success)
    assert [request.headers["x-csrf-token"] for request in site.writes] == ["NEXT-TOKEN"]
    assert line.store.load("send_message").state == "promoted"
