"""The proxy in this process, over real sockets."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from cards.errors import UsageError
from recorder.proxy import proxy

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"


class Watcher:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def request(self, flow: object) -> None:
        self.seen.append(getattr(flow, "request").path)  # noqa: B009 (mitmproxy's own class)


class Failing:
    def request(self, flow: object) -> None:
        raise KeyError("CANARY of an addon")


@pytest_asyncio.fixture
async def site() -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ANSWER)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        yield f"{host}:{port}"


async def ask(proxy_url: str, site: str, path: str) -> bytes:
    host, port = proxy_url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET http://{site}{path} HTTP/1.1\r\nhost: {site}\r\n\r\n".encode())
    answer = await reader.readuntil(b"hello")
    writer.close()
    return answer


async def test_a_request_passes_and_is_seen(site: str) -> None:
    watcher = Watcher()
    async with proxy(watcher, host="127.0.0.1", port=0) as running:
        assert (await ask(running.url, site, "/a?b=c")).endswith(b"hello")
    assert watcher.seen == ["/a?b=c"]


async def test_the_ca_is_new_and_goes_with_the_block() -> None:
    keys, files = set[str](), list[Path]()
    for _ in range(2):
        async with proxy(Watcher(), host="127.0.0.1", port=0) as running:
            keys.add(running.spki)
            files.append(running.ca)
            assert running.ca.is_file()
            assert running.ca.parent.stat().st_mode & 0o077 == 0
    assert len(keys) == 2
    assert not any(file.parent.exists() for file in files)


async def test_nothing_is_logged_even_when_an_addon_fails(
    site: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    async with proxy(Failing(), host="127.0.0.1", port=0) as running:
        await ask(running.url, site, "/?q=CANARY")
    assert "CANARY" not in caplog.text
    assert "CANARY" not in "".join(capfd.readouterr())


async def test_a_port_in_use_is_one_clear_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"127.0.0.1:{port}"):
            async with proxy(Watcher(), host="127.0.0.1", port=port):
                pass


async def test_the_port_is_free_again_afterwards(site: str) -> None:
    async with proxy(Watcher(), host="127.0.0.1", port=0) as running:
        port = int(running.url.rpartition(":")[2])
        await ask(running.url, site, "/")
    async with proxy(Watcher(), host="127.0.0.1", port=port) as again:
        assert again.url.endswith(f":{port}")
