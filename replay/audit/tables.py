"""The audit's one table, and the database's own refusal to change it."""

from sqlalchemy import Column, Index, Integer, MetaData, String, Table, Text

METADATA = MetaData()

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("kind", String(16), nullable=False),
    Column("call_id", String(64), nullable=False),
    Column("action", String(64), nullable=False),
    Column("origin", String(300), nullable=False),
    Column("digest", String(80), nullable=False),
    Column("params", Text, nullable=False),
    Column("outcome", String(32)),
    Column("result", Text),
    Column("dry_run", Integer, nullable=False),
    Column("at", String(40), nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Index("audit_call", "call_id", "kind", unique=True),
    Index("audit_action", "action", "id"),
    sqlite_autoincrement=True,
)

SQLITE_GUARDS = tuple(
    f"CREATE TRIGGER IF NOT EXISTS audit_no_{verb.lower()} BEFORE {verb} ON audit "
    f"BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END"
    for verb in ("UPDATE", "DELETE")
)
