"""Cold start: a new process of the command line against one that only imports httpx."""

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path

from bench.comparison import Act, Comparison, medians
from bench.fixtures import promoted_card
from e2e.site import Site

ROUNDS = 9
REQCARD = str(Path(sys.executable).with_name("reqcard"))


async def compare() -> list[Comparison]:
    with Site() as site, tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        login = await promoted_card(site, directory)
        values = [
            "message=cold start",
            "room=help",
            "--login",
            str(login),
            "--cards",
            str(directory),
        ]
        os.environ["REQCARD_DB"] = f"sqlite:///{directory / 'audit.db'}"
        imports, help_page, rehearsal = await medians(
            ROUNDS,
            _process(sys.executable, "-c", "import httpx"),
            _process(REQCARD, "--help"),
            _process(REQCARD, "replay", "send_message", *values, "--dry-run"),
        )
        requests = await _own_requests(site)
    return [
        Comparison("reqcard --help", "import httpx", help_page / imports, at_most=2),
        Comparison(
            "reqcard replay --dry-run, beside its own requests",
            "import httpx",
            (rehearsal - requests) / imports,
            at_most=4,
        ),
    ]


def _process(*command: str) -> Act:
    async def run() -> None:
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await process.communicate()
        if process.returncode:
            raise RuntimeError(f"{command[1]}: {errors.decode(errors='replace')}")

    return run


async def _own_requests(site: Site) -> float:
    """Seconds that the reads of a rehearsal take, asked one after another."""
    import httpx

    jar = {cookie["name"]: cookie["value"] for cookie in site.storage_state()["cookies"]}
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=site.origin, cookies=jar, trust_env=False)  # noqa: TID251
        )

        async def read() -> None:
            for page in ("/messages", "/api/config", "/api/messages"):
                json.dumps((await client.get(page)).status_code)

        return (await medians(5, read))[0]
