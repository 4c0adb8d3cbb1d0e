"""Nothing that was captured is in anything that was written or said.

Every value of a recording and of replays carries a marker of its own. Afterwards the search looks
into every byte of every file below the one directory in which all of it lived, and into all that
was printed at the highest verbosity. Two things are exempt: the login file itself, which is the
user's, and the caller's own values that are no secrets, in the audit and in the caller's output.
"""

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from e2e.cage import Cage, cage
from e2e.canary_site import CanarySite, Failure
from e2e.markers import Leak, Marks, leaks_below, leaks_in

ENTRY = {
    "url": "/api/entries",
    "path": ["entries"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
    "deadline": 1,
}
FORM = {
    "url": "/api/forms",
    "path": ["forms"],
    "match": {"field": "title", "slot": "title"},
    "completesTask": True,
    "deadline": 1,
}
SECRET = "passphrase"
pytestmark = pytest.mark.timeout(240)


def page_url(site: CanarySite, path: str) -> str:
    return f"{site.origin}{path}?view={quote(site.marks.words('the query of the page'))}"


def record_entry(cage: Cage, site: CanarySite, act: str = "write_entry") -> list[str | Path]:
    """The command line that records a message on /compose."""
    marks = site.marks
    return [
        *("record", "--origin", site.origin, "--action", "write_entry"),
        *("--slot", f"message={marks.words('the recorded message')}"),
        *("--slot", f"{SECRET}={marks.text('the recorded passphrase')}"),
        *("--readback", json.dumps(ENTRY), "--login", cage.login, "--headless"),
        *("--start-url", page_url(site, "/compose")),
        *("--drive", f"e2e.canary_site.acts:{act}", "--json"),
    ]


def record_form(cage: Cage, site: CanarySite) -> list[str | Path]:
    """The command line that records the form of /form, for people to read."""
    marks = site.marks
    return [
        *("record", "--origin", site.origin, "--action", "fill_in_form"),
        *("--slot", f"title={marks.words('the recorded title')}"),
        *("--slot", f"{SECRET}={marks.text('the recorded passphrase')}"),
        *("--readback", json.dumps(FORM), "--login", cage.login, "--headless"),
        *("--start-url", page_url(site, "/form")),
        *("--drive", "e2e.canary_site.acts:fill_in_form"),
    ]


def card_of(cage: Cage, action: str) -> Any:
    return json.loads((cage.cards / f"{action}.json").read_bytes())


def new_values(cage: Cage, action: str, marks: Marks, caller: Marks) -> list[str]:
    """Other values for every slot of a card: secrets are markers, the rest the caller's own."""
    values = []
    for name, slot in card_of(cage, action)["contract"]["slots"].items():
        if name == SECRET:
            value: object = marks.text("the caller's passphrase")
        elif slot.get("type") == "integer":
            value = caller.number(name)
        elif slot.get("type") == "boolean":
            value = "false"
        else:
            value = caller.words(name)
        values.append(f"{name}={value}")
    return values


@dataclass
class Story:
    """All that happened, for tests to look at."""

    site: CanarySite
    cage: Cage
    caller: Marks
    done: dict[str, subprocess.CompletedProcess[str]] = field(default_factory=dict)

    def run(self, name: str, *arguments: str | Path) -> None:
        self.done[name] = self.cage.run(*arguments, name=name)

    def replay(self, name: str, action: str, *more: str) -> None:
        values = new_values(self.cage, action, self.site.marks, self.caller)
        self.run(name, "replay", action, *values, "--login", self.cage.login, *more)

    @property
    def codes(self) -> dict[str, int]:
        return {name: done.returncode for name, done in self.done.items()}

    def leaks_in_files(self, marks: Marks, *but: Path) -> list[Leak]:
        return leaks_below(marks, self.cage.root, but=[self.cage.login, *but])

    def leaks_in_output(self, marks: Marks) -> list[Leak]:
        return [leak for name, text in self.cage.said for leak in leaks_in(marks, name, text)]


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    """Record two actions, replay them well and badly, look at everything; once for all tests."""
    with CanarySite(Marks()) as site, cage(site.storage_state()) as caged:
        story = Story(site, caged, Marks("CALLER"))
        story.run("record the entry", *record_entry(caged, site))
        story.run("record the form", *record_form(caged, site))
        assert set(story.codes.values()) == {0}, caged.said
        for action in ("write_entry", "fill_in_form"):
            story.replay(f"trial of {action}", action, "--trial", "--json")
            story.replay(f"replay of {action}", action)
            story.replay(f"rehearsal of {action}", action, "--dry-run", "--json")
            for failure in Failure:
                with site.failing(failure):
                    story.replay(f"{failure} of {action}", action)
        # After the last one, 404, the cards have fallen back and need their author's word.
        with site.failing(Failure.ERRORS_IN_200):
            story.replay("errors_in_200 of a trial", "write_entry", "--trial", "--json")
        with site.failing(Failure.GONE_404):
            story.replay("gone_404 of a trial", "write_entry", "--trial", "--json")
        sids, site.stage.sids = site.stage.sids, set()
        story.replay("without a login", "write_entry", "--trial")
        for looking in ("list", "schema", "audit"):
            story.run(looking, looking)
            story.run(f"{looking} --json", looking, "--json")
        for action in ("write_entry", "fill_in_form"):
            story.run(f"show {action}", "show", action)
            story.run(f"show {action} --json", "show", action, "--json")
        with watched(caged):
            site.stage.sids |= sids
            story.replay("with the audit's log open", "write_entry", "--dry-run", "--trial")
            yield story


class watched:  # noqa: N801 (reads as a word where it is used)
    """Somebody reads the audit meanwhile, so that SQLite's write-ahead log stays on disk."""

    def __init__(self, cage: Cage) -> None:
        self._connections = [sqlite3.connect(path) for path in cage.databases]

    def __enter__(self) -> None:
        for connection in self._connections:
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()

    def __exit__(self, *_: object) -> None:
        for connection in self._connections:
            connection.close()


def test_every_command_did_what_it_should(story: Story) -> None:
    failed = {
        "errors_in_200": 11,
        "refused_422": 11,
        "broken_500": 14,
        "to_login": 10,
        "gone_404": 12,
    }
    expected = {name: failed.get(name.partition(" of ")[0], 0) for name in story.done}
    expected["without a login"] = 10
    assert story.codes == expected, story.done["record the entry"].stderr
    assert [write.refused for write in story.site.writes] == [""] * (2 + 2 * (2 + len(Failure)) + 2)


def test_the_recorded_request_carried_a_marker_in_every_place(story: Story) -> None:
    stem = story.site.marks.stem
    write = story.site.writes[0]
    body = json.loads(write.body)
    marked = {name for name, value in write.headers.items() if stem in value}
    assert marked == {
        *("user-agent", "accept-language", "cookie", "authorization", "referer"),
        *("x-csrf-token", "x-double", "x-stamp", "x-client"),
    }
    assert {name for name, value in write.cookies.items() if stem in value} == {
        *("sid", "double", "prefs"),
    }
    assert {name for name, value in write.query.items() if stem in value} == {"trace", "step"}
    assert {name for name, value in body.items() if stem in json.dumps(value)} == {
        *("text", SECRET, "origin_note", "nested", "payload", "made"),
    }
    assert len(str(body["count"])) == len(str(body["nested"]["list"][0]["serial"])) == 15


def test_no_file_holds_a_marker(story: Story) -> None:
    assert story.leaks_in_files(story.site.marks) == []


def test_no_output_holds_a_marker(story: Story) -> None:
    assert story.leaks_in_output(story.site.marks) == []


def test_the_callers_values_are_in_the_audit_and_in_no_other_file(story: Story) -> None:
    databases = story.cage.databases
    assert any(leaks_in(story.caller, "", path.read_bytes()) for path in databases)
    assert any(path.name.endswith("-wal") and path.stat().st_size for path in databases)
    assert story.leaks_in_files(story.caller, *databases) == []


def test_the_callers_values_are_in_no_output_but_of_replays_and_the_audit(story: Story) -> None:
    places = {leak.where.partition(" of ")[2] for leak in story.leaks_in_output(story.caller)}
    allowed = {name for name in story.done if "audit" in name or " of " in name}
    assert places <= allowed | {"without a login", "with the audit's log open"}


def test_nothing_is_left_but_cards_audit_and_login(story: Story) -> None:
    left = {path.relative_to(story.cage.root) for path in story.cage.root.rglob("*")}
    temporary = [path for path in left if path.is_relative_to("tmp") and path != Path("tmp")]
    assert temporary == []


def test_the_search_would_have_found_a_marker_beside_the_cards(story: Story) -> None:
    planted = story.cage.cards / ".trace"
    planted.write_text(story.site.marks.text("a planted token"))
    try:
        found = story.leaks_in_files(story.site.marks)
    finally:
        planted.unlink()
    assert found == [Leak("work/cards.d/.trace", "a planted token", "plain")]
