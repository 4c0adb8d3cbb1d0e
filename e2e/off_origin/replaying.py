"""Replay in this process, and what became of it."""

from pathlib import Path

from e2e.off_origin.cards import ACTION
from replay import Replayer
from replay.result import Result


async def replay(card: Path, login: Path, **values: str) -> Result:
    audit = f"sqlite:///{login.parent / 'audit.db'}"
    async with Replayer(cards=card.parent, login=login, audit=audit) as replayer:
        return await replayer.replay(ACTION, {"text": "a stranger's name", **values})


def ending(result: Result) -> tuple[str, int]:
    return result.outcome.outcome, result.exit_code
