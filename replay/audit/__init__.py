"""The append-only record of every attempt and of what came of it."""

from replay.audit.trail import AuditRow, Trail

__all__ = ["AuditRow", "Trail"]
