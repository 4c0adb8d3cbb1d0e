"""The Python face of a recording, where it needs no browser."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from cards.card import ConfirmedCard
from cards.errors import NothingCaptured, UsageError
from recorder import Recording
from recorder.session import split_listen
from tests.recorder.acting import READBACK, TEXT


class Server:
    """A real origin on loopback: stores what is posted, lists what is stored."""

    def __init__(self, cards: Path) -> None:
        self.cards = cards
        self.texts: list[str] = []
        self.seen_at_write: list[list[str]] = []
        self.origin = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if head.startswith("POST"):
            self.seen_at_write.append([path.name for path in self.cards.glob("*.json")])
            length = int(head.lower().partition("content-length:")[2].split()[0])
            self.texts.append(json.loads(await reader.readexactly(length))["text"])
        body = json.dumps({"messages": [{"text": text} for text in self.texts]})
        writer.write(
            f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n"
            f"content-length: {len(body)}\r\n\r\n{body}".encode()
        )
        await writer.drain()
        writer.close()


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    site = Server(tmp_path / "cards.d")
    async with await asyncio.start_server(site.answer, "127.0.0.1", 0) as listening:
        host, port = listening.sockets[0].getsockname()
        site.origin = f"http://{host}:{port}"
        yield site


def arecording(server: Server) -> Recording:
    return Recording(
        origin=server.origin,
        action="send_message",
        slots={"message": TEXT},
        readback=READBACK,
        cards=server.cards,
    )


async def post(recording: Recording, server: Server, text: str) -> None:
    host, port = recording.proxy_url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    body = json.dumps({"text": text})
    writer.write(
        f"POST {server.origin}/api/messages HTTP/1.1\r\nhost: {server.origin[7:]}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
    )
    assert b" 200 " in await reader.readline()
    writer.close()


async def test_the_card_is_on_disk_before_the_request_reaches_the_server(server: Server) -> None:
    async with arecording(server) as recording:
        await post(recording, server, TEXT)
        card = await recording.card()
    assert isinstance(card, ConfirmedCard)
    (names,) = server.seen_at_write
    assert len(names) == 1


async def test_asking_twice_gives_the_same_card(server: Server) -> None:
    async with arecording(server) as recording:
        await post(recording, server, TEXT)
        assert await recording.card() is await recording.card()


async def test_another_text_is_nothing_captured(server: Server) -> None:
    async with arecording(server) as recording:
        await post(recording, server, "something else")
        with pytest.raises(NothingCaptured):
            await recording.card(0.1)
    assert server.texts == ["something else"]


async def test_before_the_block_there_is_no_proxy(server: Server) -> None:
    with pytest.raises(UsageError, match="has not begun"):
        _ = arecording(server).proxy_url


@pytest.mark.parametrize(
    ("text", "parts"),
    [("127.0.0.1:0", ("127.0.0.1", 0)), ("[::1]:8080", ("::1", 8080))],
)
def test_an_address_is_host_and_port(text: str, parts: tuple[str, int]) -> None:
    assert split_listen(text) == parts


@pytest.mark.parametrize("text", ["", "8080", ":8080", "localhost", "localhost:x", "a:65536"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        split_listen(text)
