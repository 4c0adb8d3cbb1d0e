"""HAR files that broke other importers, each with its right outcome."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reqcard.cli.conftest import Ended, Line

FILES = Path(__file__).parent / "har"
ORIGIN = "https://app.example.test"


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    monkeypatch.chdir(tmp_path)
    return Line(tmp_path)


def import_(line: Line, file: Path | str, *slots: str, more: tuple[str, ...] = ()) -> Ended:
    path = FILES / file if isinstance(file, str) else file
    options = [option for slot in slots for option in ("--slot", slot)]
    said = ("--origin", ORIGIN, "--action", "add_item")
    return line("import", str(path), *said, *options, *more)


def card_of(line: Line) -> dict[str, Any]:
    (file,) = line.store.directory.glob("*.json")
    card: dict[str, Any] = json.loads(file.read_text())
    return card


def everything(line: Line, ended: Ended) -> str:
    files = [file for file in line.store.directory.rglob("*") if file.is_file()]
    return ended.out + ended.err + "".join(file.name + file.read_text() for file in files)


def only(entry: int, name: str, directory: Path) -> Path:
    """A HAR with one of a file's entries."""
    har = json.loads((FILES / name).read_text())
    har["log"]["entries"] = [har["log"]["entries"][entry]]
    path = directory / f"only-{name}"
    path.write_text(json.dumps(har))
    return path


def test_har_01_params_without_text_are_a_body(line: Line) -> None:
    ended = import_(line, "HAR-01.har", "operation=go now")
    assert ended.code == 0, ended.err
    pairs = card_of(line)["contract"]["body"]["content"]["pairs"]
    assert [pair["name"] for pair in pairs] == ["operation", "empty"]
    assert pairs[0]["value"] == {"slot": "operation"}
    assert "taken as decoded" in ended.out


def test_har_01_no_post_data_is_no_body(line: Line, tmp_path: Path) -> None:
    ended = import_(line, only(1, "HAR-01.har", tmp_path), "operation=go now")
    assert ended.code == 15
    assert "it carries no declared slot value" in ended.err


def test_har_02_text_goes_before_params_and_neither_is_kept(line: Line) -> None:
    ended = import_(line, "HAR-02.har", "b=x y", "password=CANARY-HAR02")
    assert ended.code == 0, ended.err
    pairs = card_of(line)["contract"]["body"]["content"]["pairs"]
    assert [pair["name"] for pair in pairs] == ["user", "password", "b"]
    assert "differ" not in ended.out
    assert "CANARY-HAR02" not in everything(line, ended)


def test_har_03_a_base64_body_is_read_as_what_it_is(line: Line) -> None:
    ended = import_(line, "HAR-03.har", "password=CANARY-HAR03")
    assert ended.code == 0, ended.err
    assert card_of(line)["contract"]["body"] == {
        "kind": "json",
        "content": {"object": {"password": {"slot": "password"}}},
    }
    told = everything(line, ended)
    assert "CANARY-HAR03" not in told
    assert "eyJwYXNzd29yZCI6IkNBTkFSWS1IQVIwMyJ9" not in told


def test_har_05_a_missing_body_is_refused_and_nothing_is_written(line: Line) -> None:
    ended = import_(line, "HAR-05.har", "title=t")
    assert ended.code == 15
    assert "the HAR has no body for this request" in ended.err
    assert not line.store.directory.exists()


def test_har_08_timing_fields_are_not_looked_at(line: Line) -> None:
    ended = import_(line, "HAR-08.har", "title=t")
    assert ended.code == 0, ended.err
    assert "NaN" not in everything(line, ended)


def test_har_09_the_request_that_was_answered_is_taken(line: Line) -> None:
    ended = import_(line, "HAR-09.har", "title=t")
    assert ended.code == 0, ended.err
    assert "never seen to succeed" not in ended.out


def test_har_09_an_aborted_request_alone_is_refused(line: Line, tmp_path: Path) -> None:
    ended = import_(line, only(0, "HAR-09.har", tmp_path), "title=t")
    assert ended.code == 15
    assert "--force" in ended.err
    assert not line.store.directory.exists()


def test_har_09_an_aborted_request_is_taken_by_force_and_the_card_says_so(
    line: Line, tmp_path: Path
) -> None:
    ended = import_(line, only(0, "HAR-09.har", tmp_path), "title=t", more=("--force",))
    assert ended.code == 0, ended.err
    assert "never seen to succeed" in ended.out


def test_har_12_pseudo_headers_are_dropped(line: Line) -> None:
    ended = import_(line, "HAR-12.har", "title=t")
    assert ended.code == 0, ended.err
    contract = card_of(line)["contract"]
    assert "custom_headers" not in contract
    assert "unresolved" not in contract


def test_har_12_another_authority_than_the_urls_host_is_refused(line: Line, tmp_path: Path) -> None:
    ended = import_(line, only(1, "HAR-12.har", tmp_path), "title=t")
    assert ended.code == 15
    assert ":authority" in ended.err
    assert not line.store.directory.exists()


@pytest.mark.parametrize(
    ("name", "slot"),
    [
        ("HAR-01.har", "operation=go now"),
        ("HAR-02.har", "b=x y"),
        ("HAR-03.har", "password=CANARY-HAR03"),
        ("HAR-08.har", "title=t"),
        ("HAR-09.har", "title=t"),
        ("HAR-12.har", "title=t"),
    ],
)
def test_an_imported_card_is_sealed_and_says_that_it_is_imported(
    line: Line, name: str, slot: str
) -> None:
    ended = import_(line, name, slot, more=("--json",))
    assert ended.code == 0, ended.err
    assert ended.content["data"]["state"] == "sealed"
    assert card_of(line)["contract"]["imported"] is True
