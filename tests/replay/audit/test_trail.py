import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cards.errors import AuditUnavailable
from replay.audit import Trail
from replay.audit.chain import GENESIS, link
from replay.audit.trail import Call
from verifier.outcome import Simulated, Uncertain

CALL = Call("call-1", "send_message", "https://app.example.test", "sha256:0", {"message": "hello"})
MEMBERS = (
    "kind",
    "call_id",
    "action",
    "origin",
    "digest",
    "params",
    "outcome",
    "result",
    "dry_run",
    "at",
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "state" / "audit.db"


@pytest.fixture
def trail(database: Path) -> Trail:
    return Trail(f"sqlite:///{database}")


def other_view(database: Path, query: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(database) as connection:
        rows: list[tuple[object, ...]] = connection.execute(query).fetchall()
    connection.close()
    return rows


def test_an_attempt_is_on_disk_when_begin_returns(trail: Trail, database: Path) -> None:
    attempt = trail.begin(CALL, "fingerprint")
    assert other_view(database, "SELECT kind, call_id FROM audit") == [("attempt", "call-1")]
    trail.finish(attempt, Uncertain("nobody knows"))
    trail.close()


def test_an_outcome_follows_its_attempt(trail: Trail) -> None:
    trail.finish(trail.begin(CALL, "fingerprint"), Uncertain("nobody knows"))
    attempt, outcome = trail.rows()
    assert (attempt.kind, attempt.outcome) == ("attempt", None)
    assert (outcome.kind, outcome.outcome) == ("outcome", "uncertain")
    assert outcome.result is not None
    assert outcome.result["sent"] == "unknown"
    trail.close()


def test_a_rehearsal_is_marked(trail: Trail) -> None:
    trail.rehearsed(CALL, Simulated())
    (row,) = trail.rows()
    assert (row.kind, row.dry_run, row.outcome) == ("rehearsal", True, "simulated")
    trail.close()


def test_the_same_call_is_not_attempted_twice(trail: Trail) -> None:
    attempt = trail.begin(CALL, "fingerprint")
    with pytest.raises(AuditUnavailable, match="before"):
        trail.begin(CALL, "fingerprint")
    trail.finish(attempt, Uncertain("nobody knows"))
    trail.close()


def test_an_attempt_takes_one_outcome(trail: Trail) -> None:
    attempt = trail.begin(CALL, "fingerprint")
    trail.finish(attempt, Uncertain("nobody knows"))
    with pytest.raises(RuntimeError, match="already"):
        trail.finish(attempt, Uncertain("again"))
    trail.close()


@pytest.mark.parametrize("change", ["UPDATE audit SET outcome = 'success'", "DELETE FROM audit"])
def test_the_database_itself_refuses_to_change_a_row(
    trail: Trail, database: Path, change: str
) -> None:
    trail.rehearsed(CALL, Simulated())
    trail.close()
    connection = sqlite3.connect(database)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(change)
    connection.close()


def chain_holds(database: Path) -> bool:
    rows = other_view(database, f"SELECT {', '.join(MEMBERS)}, previous, hash FROM audit")
    before = GENESIS
    for *values, previous, own in rows:
        members = dict(zip(MEMBERS, values, strict=True))
        if previous != before or own != link(before, members):  # type: ignore[arg-type]
            return False
        before = str(own)
    return True


def test_each_row_carries_the_hash_of_the_one_before(trail: Trail, database: Path) -> None:
    for number in range(3):
        trail.rehearsed(
            Call(f"call-{number}", "a", "https://app.example.test", "d", {}), Simulated()
        )
    trail.close()
    assert chain_holds(database)


def test_a_changed_row_breaks_the_chain(trail: Trail, database: Path) -> None:
    trail.rehearsed(CALL, Simulated())
    trail.close()
    with sqlite3.connect(database) as connection:
        connection.execute("DROP TRIGGER audit_no_update")
        connection.execute("UPDATE audit SET params = '{}'")
    connection.close()
    assert not chain_holds(database)


APPEND = """
import sys
from replay.audit import Trail
from replay.audit.trail import Call
from verifier.outcome import Simulated
with Trail(sys.argv[1]) as trail:
    for number in range(15):
        trail.rehearsed(Call(f"{sys.argv[2]}-{number}", "a", "o", "d", {}), Simulated())
"""


def test_processes_that_append_at_once_keep_one_chain(database: Path) -> None:
    url = f"sqlite:///{database}"
    writers = [
        subprocess.Popen([sys.executable, "-c", APPEND, url, str(name)]) for name in range(4)
    ]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert other_view(database, "SELECT count(*) FROM audit") == [(60,)]
    assert chain_holds(database)


def test_the_file_is_its_owners_alone(trail: Trail, database: Path) -> None:
    trail.close()
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    assert stat.S_IMODE(database.parent.stat().st_mode) == 0o700


def test_rows_are_chosen_by_action_and_number(trail: Trail) -> None:
    for number in range(4):
        action = "send" if number % 2 else "other"
        trail.rehearsed(Call(f"call-{number}", action, "o", "d", {}), Simulated())
    assert [row.call_id for row in trail.rows("send")] == ["call-1", "call-3"]
    assert [row.call_id for row in trail.rows(limit=1)] == ["call-3"]
    trail.close()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    path.write_text("not a database, and long enough to be read as one" * 40)
    with pytest.raises(AuditUnavailable) as refusal:
        Trail(f"sqlite:///{path}")
    assert "--audit" in refusal.value.way_out


@pytest.mark.parametrize("url", ["", "nonsense", "oracle+nothing://x", "sqlite:////proc/no/x.db"])
def test_a_url_that_cannot_be_opened_is_told(url: str) -> None:
    with pytest.raises(AuditUnavailable) as refusal:
        Trail(url or "://")
    assert refusal.value.way_out


def test_a_closed_trail_says_so(trail: Trail) -> None:
    trail.close()
    with pytest.raises(AuditUnavailable, match="closed"):
        trail.rows()
