"""Faults in the middle: an exception full of captured values, a killed recorder. Nothing leaks."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cards.store import CardStore
from e2e.cage import Cage, alive, await_end, cage, descendants
from e2e.canary_site import CanarySite
from e2e.markers import Marks, leaks_below, leaks_in
from e2e.test_canary import new_values, record_entry

pytestmark = pytest.mark.timeout(120)
GONE_WITHIN_S = 15.0

# Each program makes one function of the engine raise an exception that says what it was given.
SEALING = """
import recorder.seal
def strip(request, **_):
    raise RuntimeError(f"{request.target} {request.headers} {request.body!r}")
recorder.seal.strip = strip
"""
JUDGING = """
import recorder.conductor
def judge(request, *_):
    raise ValueError(request.target, request.headers, request.body)
recorder.conductor.judge = judge
"""
PRELUDE = """
import recorder.prelude
def saw(self, request, response):
    raise KeyError(response.body, response.headers)
recorder.prelude.Prelude.saw = saw
"""
SENDING = """
import replay.wire
async def write(self, request, *_):
    login = self._site.login.cookie_header(self._site.origin, request.target)
    raise OSError(f"{login} {request.target} {request.headers} {request.body!r}")
replay.wire.Wire.write = write
"""
SENDING_ITSELF = """
import replay.run
async def send(prepared, *_):
    request = prepared.take()
    raise RuntimeError(request.target, request.headers, request.body)
replay.run.send = send
"""
VERIFYING = """
import replay.run
async def watch(reader, *_, **__):
    fetched = await reader.get("/api/entries")
    raise RuntimeError(f"{fetched.body!r} {dict(fetched.headers)}")
replay.run.watch = watch
"""
PREPARING = """
import replay.prepare
def build(filling):
    raise RuntimeError(f"{filling.slots} {filling.live}")
replay.prepare.build = build
"""
LOUD = """
import logging, verifier.http
for name in ("httpcore", "httpcore.connection", "httpcore.http11"):
    logging.getLogger(name).disabled = False
"""


@pytest.fixture
def site() -> Iterator[CanarySite]:
    with CanarySite(Marks()) as running:
        yield running


@pytest.fixture
def caged(site: CanarySite) -> Iterator[Cage]:
    with cage(site.storage_state()) as made:
        yield made


def assert_nothing_leaked(caged: Cage, marks: Marks) -> None:
    assert leaks_below(marks, caged.root, but=[caged.login]) == []
    assert [leak for name, text in caged.said for leak in leaks_in(marks, name, text)] == []


@pytest.mark.parametrize(
    "fault", [SEALING, JUDGING, PRELUDE], ids=["sealing", "judging", "prelude"]
)
def test_a_fault_in_recording_tells_nothing_and_loses_no_request(
    site: CanarySite, caged: Cage, fault: str
) -> None:
    done = caged.run(*record_entry(caged, site), before=fault)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["content"]["data"]["state"] == "ui_only"
    assert [write.refused for write in site.writes] == [""]
    assert_nothing_leaked(caged, site.marks)


@pytest.fixture(scope="module")
def confirmed() -> Iterator[tuple[CanarySite, Cage]]:
    with CanarySite(Marks()) as site, cage(site.storage_state()) as made:
        done = made.run(*record_entry(made, site))
        assert done.returncode == 0, done.stderr
        yield site, made


@pytest.mark.parametrize(
    ("fault", "code", "sent", "kinds"),
    [
        (PREPARING, 70, 0, []),
        (SENDING, 14, 0, ["attempt", "outcome"]),
        (SENDING_ITSELF, 14, 0, ["attempt", "outcome"]),
        (VERIFYING, 14, 1, ["attempt", "outcome"]),
    ],
    ids=["preparing", "sending", "the send itself", "verifying"],
)
def test_a_fault_in_a_replay_tells_nothing_and_is_written_down(
    confirmed: tuple[CanarySite, Cage],
    fault: str,
    code: int,
    sent: int,
    kinds: list[str],
) -> None:
    site, caged = confirmed
    writes, rows = len(site.writes), len(audited(caged))
    values = new_values(caged, "write_entry", site.marks, Marks("CALLER"))
    done = caged.run(
        "replay",
        "write_entry",
        *values,
        "--login",
        caged.login,
        "--trial",
        before=fault,
        name="the faulty replay",
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert len(site.writes) - writes == sent
    new = audited(caged)[rows:]
    assert [row["kind"] for row in new] == kinds
    assert [row["outcome"] for row in new if row["kind"] == "outcome"] == ["uncertain"] * (
        len(kinds) // 2
    )
    assert_nothing_leaked(caged, site.marks)


def test_the_search_would_have_found_what_a_library_logs(
    confirmed: tuple[CanarySite, Cage],
) -> None:
    site, caged = confirmed
    values = new_values(caged, "write_entry", site.marks, Marks("CALLER"))
    replay = ("replay", "write_entry", *values, "--trial", "--dry-run", "--login")
    done = caged.run(*replay, str(caged.login), before=LOUD)
    del caged.said[-2:]
    found = {leak.what for leak in leaks_in(site.marks, "stderr", done.stderr)}
    assert {"a response header", "the login cookie", "the double submit cookie"} <= found


def audited(caged: Cage) -> list[dict[str, str]]:
    told = json.loads(caged.run("audit", "--json").stdout)
    rows: list[dict[str, str]] = told["content"]["data"]["rows"]
    return sorted(rows, key=lambda row: row["id"])


@pytest.mark.parametrize("act", ["type_and_stay", "write_and_stay"])
def test_a_killed_recorder_leaves_no_marker_and_no_half_written_card(
    site: CanarySite, caged: Cage, act: str
) -> None:
    site.stage.hold = True
    process = caged.start(*record_entry(caged, site, act))
    below: list[int] = []
    try:
        assert site.stage.held.wait(60), process.communicate(timeout=1)
        below = descendants(process.pid)
        assert below, "the browser is no process below the recorder"
    finally:
        process.kill()
        said = process.communicate(timeout=10)
        left = await_end(below, GONE_WITHIN_S)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
    assert left == []
    assert alive(below) == []
    sealed = [path.name for path in caged.cards.glob("*.json")]
    assert len(sealed) == len(site.writes) == (act == "write_and_stay")
    for name in sealed:
        assert CardStore(caged.cards).load(Path(name).stem).action == "write_entry"
    caged.said += [("stdout", said[0]), ("stderr", said[1])]
    assert_nothing_leaked(caged, site.marks)
