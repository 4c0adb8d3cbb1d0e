"""A promoted card for the fixture site's messages, recorded and proved once for the whole run."""

import asyncio
import json
import sys
from pathlib import Path

from e2e.demo import READBACK
from e2e.site import Site

REQCARD = str(Path(sys.executable).with_name("reqcard"))


async def promoted_card(site: Site, directory: Path) -> Path:
    """Record ``send_message`` in Chromium and promote it by one trial.

    Returns:
        the login file, beside which the card lies.
    """
    login = directory / "login.state"
    login.touch(mode=0o600)
    login.write_text(json.dumps(site.storage_state()))
    common = ["--login", str(login), "--cards", str(directory)]
    await _reqcard(
        *("record", "--origin", site.origin, "--action", "send_message"),
        *(
            "--slot",
            "message=zebra 4711",
            "--slot",
            "room=random",
            "--readback",
            json.dumps(READBACK),
        ),
        *("--start-url", f"{site.origin}/messages", "--headless"),
        *("--drive", "e2e.acts:send_message", *common),
    )
    audit = f"sqlite:///{directory / 'audit.db'}"
    await _reqcard(
        *(
            "replay",
            "send_message",
            "message=trial",
            "room=help",
            "--trial",
            "--audit",
            audit,
            *common,
        )
    )
    return login


async def _reqcard(*arguments: str) -> None:
    process = await asyncio.create_subprocess_exec(
        REQCARD, *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"reqcard {arguments[0]}: {errors.decode(errors='replace')}")
