"""The synchronous way in, for scripts: one event loop for one replay, no second code path."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from replay.result import Result
from replay.run import Replayer
from replay.trial import Trial
from verifier.login import Login


def replay_once(
    name: str,
    values: Mapping[str, object],
    *,
    cards: Path,
    login: Path | Login | None = None,
    audit: str | None = None,
    ca: Path | None = None,
    dry_run: bool = False,
    timeout: float | None = None,
    trial: Trial | None = None,
) -> Result:
    """Replay a card once; see ``Replayer.replay``."""

    async def run() -> Result:
        async with Replayer(cards=cards, login=login, audit=audit, ca=ca) as replayer:
            return await replayer.replay(
                name, values, dry_run=dry_run, timeout=timeout, trial=trial
            )

    return asyncio.run(run())
