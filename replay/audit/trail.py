"""The audit trail: an attempt is on disk before anything is sent, its outcome after.

Rules:
1. Rows are appended, never changed: the database itself refuses.
2. A row holds action, parameters (secret slots as a mark), result, dry-run flag and time. It has
   no column for a header, a cookie, a page or a login.
3. An attempt's row is committed, and synced, before ``begin`` returns.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from sqlalchemy import Connection, Engine, create_engine, event, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from cards.errors import AuditUnavailable
from replay.attempt import Attempt, _minted
from replay.audit.chain import GENESIS, link
from replay.audit.tables import AUDIT, METADATA, SQLITE_GUARDS
from verifier.matching import SlotValue
from verifier.outcome import Outcome, error_code, evidence_of, sent

Kind = Literal["attempt", "outcome", "rehearsal"]
MARK = "•••"
"""What stands for the value of a secret slot."""
_BUSY_S = 10


@dataclass(frozen=True, slots=True)
class Call:
    """What is written of a call, whatever becomes of it.

    Attributes:
        params: the caller's values, secret ones already as a mark.
    """

    call_id: str
    action: str
    origin: str
    digest: str
    params: Mapping[str, SlotValue] = field(repr=False)


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One row, as it is read back."""

    id: int
    kind: Kind
    call_id: str
    action: str
    origin: str
    digest: str
    params: Mapping[str, Any]
    outcome: str | None
    result: Mapping[str, Any] | None
    dry_run: bool
    at: str

    def as_json(self) -> dict[str, Any]:
        """The row for programs."""
        return {
            "id": self.id,
            "kind": self.kind,
            "callId": self.call_id,
            "action": self.action,
            "origin": self.origin,
            "digest": self.digest,
            "params": dict(self.params),
            "outcome": self.outcome,
            "result": None if self.result is None else dict(self.result),
            "dryRun": self.dry_run,
            "at": self.at,
        }


class Trail:
    """Appends to one database.

    Args:
        url: of SQLAlchemy; ``REQCARD_DB``, else a SQLite file in the user's state directory.

    Raises:
        AuditUnavailable: the database cannot be opened or made.
    """

    def __init__(self, url: str | None = None) -> None:
        self._engine = _engine(url or os.environ.get("REQCARD_DB") or _default_url())
        self._calls: dict[str, Call] = {}
        self._connection: Connection | None = None
        with _told("opened"):
            self._connection = self._engine.connect()
            METADATA.create_all(self._connection)
            if self._engine.dialect.name == "sqlite":
                for guard in SQLITE_GUARDS:
                    self._connection.execute(text(guard))
            self._connection.commit()

    def begin(self, call: Call, fingerprint: str) -> Attempt:
        """Write down that a request is about to be sent; when this returns it is on disk.

        Raises:
            AuditUnavailable: it was not written, so nothing may be sent.
        """
        self._append(call, "attempt", None, None)
        self._calls[call.call_id] = call
        return _minted(call.call_id, fingerprint)

    def finish(self, attempt: Attempt, outcome: Outcome) -> None:
        """Write down what came of an attempt.

        Raises:
            AuditUnavailable: it was not written.
            RuntimeError: the attempt has its outcome already.
        """
        attempt.close()
        self._append(self._calls.pop(attempt.call_id), "outcome", outcome, _result(outcome))

    def rehearsed(self, call: Call, outcome: Outcome) -> None:
        """Write down a rehearsal, marked as one.

        Raises:
            AuditUnavailable: it was not written.
        """
        self._append(call, "rehearsal", outcome, _result(outcome))

    def rows(self, action: str | None = None, limit: int = 50) -> list[AuditRow]:
        """The newest rows, oldest of them first.

        Raises:
            AuditUnavailable: the database cannot be read.
        """
        query = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
        if action is not None:
            query = query.where(AUDIT.c.action == action)
        with _told("read"):
            connection = self._open()
            found = [_row(dict(row)) for row in connection.execute(query).mappings()]
            connection.rollback()
        return found[::-1]

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Connection:
        if self._connection is None:
            raise AuditUnavailable("The audit is closed.")
        return self._connection

    def _append(
        self, call: Call, kind: Kind, outcome: Outcome | None, result: dict[str, Any] | None
    ) -> None:
        members: dict[str, str | int | None] = {
            "kind": kind,
            "call_id": call.call_id,
            "action": call.action,
            "origin": call.origin,
            "digest": call.digest,
            "params": _json(dict(call.params)),
            "outcome": None if outcome is None else outcome.outcome,
            "result": None if result is None else _json(result),
            "dry_run": int(kind == "rehearsal"),
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        with _told("written"):
            connection = self._open()
            try:
                last = select(AUDIT.c.hash).order_by(AUDIT.c.id.desc()).limit(1)
                previous = connection.execute(last).scalar() or GENESIS
                row = {**members, "previous": previous, "hash": link(previous, members)}
                connection.execute(AUDIT.insert(), row)
                connection.commit()
            except BaseException:
                connection.rollback()
                raise


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database:
            _private_file(Path(parsed.database))
        engine = create_engine(parsed, isolation_level=None)
    except (ArgumentError, ImportError, SQLAlchemyError):
        raise AuditUnavailable(
            "The audit's database URL is not one that can be opened.",
            "Write it as sqlite:////path/to/audit.db or postgresql://….",
        ) from None
    if engine.dialect.name == "sqlite":
        _make_durable(engine)
    return engine


def _make_durable(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        # The driver's own transactions begin too late: the last hash must be read under the lock.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={_BUSY_S * 1000}",
            "journal_mode=WAL",
            "synchronous=FULL",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _private_file(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise AuditUnavailable(
            f"The audit can't be opened: {error.strerror}.",
            "Name a file that can be written with --audit or REQCARD_DB.",
        ) from None


def _default_url() -> str:
    from platformdirs import user_state_path

    return f"sqlite:///{user_state_path('reqcard') / 'audit.db'}"


@contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise AuditUnavailable("This call was written down before.") from None
    except SQLAlchemyError as error:
        kind = type(getattr(error, "orig", None) or error).__name__
        raise AuditUnavailable(
            f"The audit can't be {what} ({kind}).",
            "See that its file is a database, has room and is writable, or name another with "
            "--audit.",
        ) from None


def _result(outcome: Outcome) -> dict[str, Any]:
    evidence = evidence_of(outcome)
    return {
        "code": error_code(outcome),
        "sent": sent(outcome),
        "status": getattr(outcome, "status", None),
        "evidence": None if evidence is None else evidence.as_json(),
    }


def _row(row: Mapping[str, Any]) -> AuditRow:
    result = row["result"]
    return AuditRow(
        **{name: row[name] for name in ("id", "kind", "call_id", "action", "origin", "digest")},
        params=json.loads(row["params"]),
        outcome=row["outcome"],
        result=None if result is None else json.loads(result),
        dry_run=bool(row["dry_run"]),
        at=row["at"],
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
