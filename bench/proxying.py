"""Proxy: requests per second through mitmproxy with the addon absent, idle and recording."""

import asyncio
import contextlib
import json
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.comparison import Act, Comparison, medians
from e2e.demo import READBACK
from e2e.site import Site
from recorder import addon

CONNECTIONS = 8
REQUESTS = 50
ROUNDS = 7
MITMDUMP = str(Path(sys.executable).with_name("mitmdump"))


async def compare() -> list[Comparison]:
    with Site() as site, tempfile.TemporaryDirectory() as directory:
        async with (
            _proxy(directory) as absent,
            _proxy(directory, *_addon("https://idle.example.test", directory)) as idle,
            _proxy(directory, *_addon(site.origin, directory)) as recording,
        ):
            plain, waiting, working = await medians(
                ROUNDS, *(_load(site, port) for port in (absent, idle, recording))
            )
    return [
        Comparison("requests per second, addon idle", "absent", plain / waiting, at_least=0.9),
        Comparison("requests per second, recording", "absent", plain / working, at_least=0.9),
    ]


def _addon(origin: str, directory: str) -> tuple[str, ...]:
    options = {
        "reqcard_origin": origin,
        "reqcard_action": "send_message",
        "reqcard_slot": "message=zebra 4711",
        "reqcard_readback": json.dumps(READBACK),
        "reqcard_cards": directory,
    }
    settings = (("--set", f"{name}={value}") for name, value in options.items())
    return ("-s", addon.__file__, *(word for setting in settings for word in setting))


@asynccontextmanager
async def _proxy(directory: str, *arguments: str) -> AsyncIterator[int]:
    port = _free_port()
    process = await asyncio.create_subprocess_exec(
        *(MITMDUMP, "-q", "--listen-host", "127.0.0.1", "--listen-port", str(port)),
        *("--set", f"confdir={directory}", *arguments),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await _listening(port, process)
        yield port
    finally:
        process.terminate()
        await process.wait()


def _free_port() -> int:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


async def _listening(port: int, process: Process) -> None:
    while process.returncode is None:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.05)
    raise RuntimeError("mitmdump ended before it listened")


def _load(site: Site, port: int) -> Act:
    cookie = "; ".join(f"{c['name']}={c['value']}" for c in site.storage_state()["cookies"])
    request = (
        f"GET {site.origin}/messages HTTP/1.1\r\nhost: {site.origin.removeprefix('http://')}\r\n"
        f"cookie: {cookie}\r\n\r\n"
    ).encode()

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(REQUESTS):
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()

    async def act() -> None:
        await asyncio.gather(*(client() for _ in range(CONNECTIONS)))

    return act
