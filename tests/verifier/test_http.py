import asyncio
import gzip
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from cards.errors import UsageError
from cards.origin import Origin
from tests.support.sites import alogin, answering, asite, target_of
from verifier.http import Fetched, FetchFailed, OffOriginError, OriginTransport, Reader, Site
from verifier.login import CookieRecord, Login


@asynccontextmanager
async def wire(
    answer: bytes, connections: list[int] | None = None
) -> AsyncIterator[tuple[Origin, list[bytes]]]:
    """A real socket that answers each request with these bytes and keeps what came."""
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if connections is not None:
            connections.append(writer.get_extra_info("peername")[1])
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                heads.append(head)
                writer.write(answer)
                await writer.drain()
        except asyncio.IncompleteReadError:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Origin("http", "127.0.0.1", port_of(server)), heads
    finally:
        server.close()
        server.close_clients()
        await server.wait_closed()


@pytest.fixture
def stranger() -> Iterator[socket.socket]:
    """A listening socket of another origin, which nobody may connect to."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def port_of(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


def assert_nobody_came(listener: socket.socket) -> None:
    with pytest.raises(BlockingIOError):
        listener.accept()


OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


async def test_a_target_goes_out_byte_for_byte() -> None:
    target = "/a%2Fb/../c?x=a%20b&y=a+b&l[]=1&z=%2f"
    async with wire(OK) as (origin, heads), Site(origin, Login.anonymous()) as site:
        await site.reader.get(target)
    assert heads[0].startswith(f"GET {target} HTTP/1.1\r\n".encode())


async def test_a_get_asks_past_caches_and_sets_no_condition() -> None:
    async with wire(OK) as (origin, heads), Site(origin, Login.anonymous()) as site:
        await site.reader.get("/")
    head = heads[0].lower()
    assert b"cache-control: no-cache" in head
    assert b"if-none-match" not in head
    assert b"if-modified-since" not in head


async def test_a_connection_is_kept() -> None:
    connections: list[int] = []
    async with wire(OK, connections) as (origin, heads), Site(origin, alogin()) as site:
        for _ in range(3):
            assert isinstance(await site.reader.get("/"), Fetched)
    assert (len(heads), len(connections)) == (3, 1)


async def test_a_connection_is_kept_across_redirects() -> None:
    connections: list[int] = []
    answer = b"HTTP/1.1 302 Go\r\nlocation: /x\r\ncontent-length: 2\r\n\r\nok"
    async with wire(answer, connections) as (origin, heads), Site(origin, alogin()) as site:
        await site.reader.get("/")
    assert (len(heads), len(connections)) == (6, 1)


async def test_the_machines_own_proxy_has_no_part(
    monkeypatch: pytest.MonkeyPatch, stranger: socket.socket
) -> None:
    port = stranger.getsockname()[1]
    monkeypatch.setenv("HTTP_PROXY", f"http://user:pw@127.0.0.1:{port}")
    async with wire(OK) as (origin, _), Site(origin, Login.anonymous()) as site:
        assert isinstance(await site.reader.get("/"), Fetched)
    assert_nobody_came(stranger)


async def test_a_login_in_the_machines_netrc_has_no_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login NETRC password NETRC\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    async with wire(OK) as (origin, heads), Site(origin, Login.anonymous()) as site:
        await site.reader.get("/")
    assert b"authorization" not in heads[0].lower()


async def test_a_cookie_beyond_ascii_goes_out_as_the_browser_sends_it() -> None:
    login = Login("x", [CookieRecord("name", "Zoë", "127.0.0.1")])
    async with wire(OK) as (origin, heads), Site(origin, login) as site:
        assert isinstance(await site.reader.get("/"), Fetched)
    assert "cookie: name=Zoë\r\n".encode() in heads[0]


async def test_a_redirect_beyond_ascii_is_followed_as_browsers_do() -> None:
    answer = "HTTP/1.1 302 Go\r\nlocation: /café?q=%2f\r\ncontent-length: 0\r\n\r\n".encode()
    async with wire(answer) as (origin, heads), Site(origin, alogin()) as site:
        await site.reader.get("/")
    assert heads[1].startswith(b"GET /caf%C3%A9?q=%2f HTTP/1.1\r\n")


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/land",
        "//127.0.0.1:{port}/land",
        "http://x@127.0.0.1:{port}/",
        "/\\127.0.0.1:{port}/",
        "http:/127.0.0.1:{port}/",
        "HTTP://127.0.0.1:{port}\t/",
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_elsewhere_opens_no_connection(
    stranger: socket.socket, location: str, status: int
) -> None:
    where = location.format(port=stranger.getsockname()[1])
    answer = f"HTTP/1.1 {status} Go\r\nlocation: {where}\r\ncontent-length: 0\r\n\r\n".encode()
    async with wire(answer) as (origin, _), Site(origin, alogin()) as site:
        fetched = await site.reader.get("/")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason in {"off_origin", "protocol"}
    assert_nobody_came(stranger)


@pytest.mark.parametrize(
    "url",
    [
        "http://app.example.test/",
        "https://app.example.test:8443/",
        "https://other.example.test/",
        "https://app.example.test.evil.test/",
    ],
)
async def test_the_transport_refuses_a_request_for_another_origin(url: str) -> None:
    reached = []

    def handle(request: httpx.Request) -> httpx.Response:
        reached.append(request)
        return httpx.Response(200)

    transport = OriginTransport(
        Origin.parse("https://app.example.test"), httpx.MockTransport(handle)
    )
    with pytest.raises(OffOriginError):
        await transport.handle_async_request(httpx.Request("GET", url))
    assert reached == []


@pytest.mark.parametrize(
    "url",
    ["http://app.example.test/", "https://app.example.test:8443/", "https://evil.example.test/"],
)
async def test_the_right_host_header_does_not_help_a_wrong_url(url: str) -> None:
    transport = OriginTransport(
        Origin.parse("https://app.example.test"),
        httpx.MockTransport(lambda _: httpx.Response(200)),
    )
    request = httpx.Request("GET", url, headers={"host": "app.example.test"})
    with pytest.raises(OffOriginError):
        await transport.handle_async_request(request)


async def test_the_transport_refuses_a_host_header_of_another_origin() -> None:
    transport = OriginTransport(
        Origin.parse("https://app.example.test"),
        httpx.MockTransport(lambda _: httpx.Response(200)),
    )
    request = httpx.Request(
        "GET", "https://app.example.test/", headers={"host": "evil.example.test"}
    )
    with pytest.raises(OffOriginError):
        await transport.handle_async_request(request)


@pytest.mark.parametrize(
    "target",
    [b"http://evil.example.test/", b"//evil.example.test/", b"evil.example.test:443", b"*"],
)
async def test_the_transport_refuses_a_target_with_a_host_of_its_own(target: bytes) -> None:
    transport = OriginTransport(
        Origin.parse("https://app.example.test"),
        httpx.MockTransport(lambda _: httpx.Response(200)),
    )
    request = httpx.Request("GET", "https://app.example.test/", extensions={"target": target})
    with pytest.raises(OffOriginError):
        await transport.handle_async_request(request)


async def test_redirects_inside_the_origin_are_followed_and_told() -> None:
    handle, asked = answering(
        httpx.Response(302, headers={"location": "/b?x=1"}), httpx.Response(200, text="here")
    )
    fetched = await asite(handle).reader.get("/a")
    assert isinstance(fetched, Fetched)
    assert (fetched.target, fetched.redirects) == ("/b?x=1", ("/a",))
    assert [target_of(request) for request in asked] == ["/a", "/b?x=1"]


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("https://app.example.test/b?x=1#top", "/b?x=1"),
        ("https://app.example.test:443/b", "/b"),
        ("c", "/a/c"),
        ("?page=2", "/a/b?page=2"),
        ("/b#top", "/b"),
    ],
)
async def test_a_redirect_is_read_as_the_origin_reads_it(location: str, expected: str) -> None:
    handle, asked = answering(
        httpx.Response(307, headers={"location": location}), httpx.Response(200)
    )
    fetched = await asite(handle).reader.get("/a/b")
    assert isinstance(fetched, Fetched)
    assert [target_of(request) for request in asked] == ["/a/b", expected]


async def test_redirects_without_an_end_are_given_up() -> None:
    handle, asked = answering(httpx.Response(302, headers={"location": "/a"}))
    fetched = await asite(handle).reader.get("/a")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "too_many_redirects"
    assert len(asked) == 6


@pytest.mark.parametrize("target", ["//evil.example.test/x", "/\\evil", "evil", "/a b", ""])
async def test_a_target_that_could_name_a_host_is_not_asked_for(target: str) -> None:
    handle, asked = answering(httpx.Response(200))
    fetched = await asite(handle).reader.get(target)
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "off_origin"
    assert asked == []


async def test_cookies_that_an_answer_sets_are_kept() -> None:
    login = alogin()
    handle, _ = answering(httpx.Response(200, headers={"set-cookie": "sid=NEW; Path=/"}))
    site = asite(handle, login)
    await site.reader.get("/")
    assert login.cookie_header(site.origin, "/") == "sid=NEW"


async def test_a_compressed_answer_is_read() -> None:
    packed = gzip.compress(b"hello")
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(packed)}\r\n\r\n"
    async with (
        wire(head.encode() + packed) as (origin, _),
        Site(origin, Login.anonymous()) as site,
    ):
        fetched = await site.reader.get("/")
    assert isinstance(fetched, Fetched)
    assert fetched.body == b"hello"


async def test_an_answer_that_is_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.http.MAX_BODY", 10)
    handle, _ = answering(httpx.Response(200, content=gzip.compress(b"x" * 1000)))
    fetched = await asite(handle).reader.get("/")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "too_large"


async def test_a_packed_answer_is_measured_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.http.MAX_BODY", 1_000_000)
    packed = gzip.compress(bytes(50_000_000))
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(packed)}\r\n\r\n"
    async with wire(head.encode() + packed) as (origin, _), Site(origin, alogin()) as site:
        fetched = await site.reader.get("/")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "too_large"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "deflate,gzip", "snappy"])
async def test_what_is_packed_in_a_way_that_nobody_asked_for_stays_packed(encoding: str) -> None:
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\ncontent-length: 6\r\n\r\n"
    async with wire(head.encode() + b"packed") as (origin, _), Site(origin, alogin()) as site:
        fetched = await site.reader.get("/")
    assert isinstance(fetched, Fetched)
    assert fetched.body == b"packed"


async def test_a_redirect_with_a_body_without_an_end_is_left_there() -> None:
    body = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    answer = b"HTTP/1.1 302 Go\r\nlocation: /x\r\ntransfer-encoding: chunked\r\n\r\n" + body * 3
    async with wire(answer) as (origin, heads), Site(origin, alogin()) as site:
        fetched = await site.reader.get("/", timeout=5)
    assert isinstance(fetched, FetchFailed)
    assert (fetched.reason, len(heads)) == ("too_many_redirects", 6)


async def test_a_body_that_comes_too_slowly_is_given_up_in_time() -> None:
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this"
    async with wire(answer) as (origin, _), Site(origin, Login.anonymous()) as site:
        fetched = await site.reader.get("/", timeout=0.1)
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "timeout"


async def test_a_connection_that_breaks_is_told() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server, Site(Origin("http", "127.0.0.1", port_of(server)), alogin()) as site:
        fetched = await site.reader.get("/")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "reset"


async def test_a_file_without_certificates_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    for path in (empty, tmp_path / "missing.pem"):
        with pytest.raises(UsageError, match="certificate authorities"):
            Site(Origin.parse("https://app.example.test"), alogin(), ca=path)


async def test_a_header_that_is_given_stands_in_place_of_the_borrowed_one() -> None:
    handle, asked = answering(httpx.Response(200))
    login = Login.borrowed("", "Bearer OLD")
    reader = asite(handle, login).reader
    await reader.get("/")
    await reader.with_headers({"Authorization": "Bearer NEW"}).get("/")
    sent = [request.headers.get_list("authorization") for request in asked]
    assert sent == [["Bearer OLD"], ["Bearer NEW"]]


async def test_a_server_that_never_answers_is_given_up_in_time() -> None:
    async with wire(b"") as (origin, _), Site(origin, Login.anonymous()) as site:
        fetched = await site.reader.get("/", timeout=0.1)
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "timeout"


async def test_a_port_that_nobody_listens_on_is_told(stranger: socket.socket) -> None:
    port = stranger.getsockname()[1]
    stranger.close()
    async with Site(Origin("http", "127.0.0.1", port), Login.anonymous()) as site:
        fetched = await site.reader.get("/")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason == "connect"


async def test_an_answer_that_is_not_http_is_told() -> None:
    async with (
        wire(b"SSH-2.0-nothing\r\n\r\n") as (origin, _),
        Site(origin, Login.anonymous()) as site,
    ):
        fetched = await site.reader.get("/")
    assert isinstance(fetched, FetchFailed)
    assert fetched.reason in {"protocol", "reset"}


async def test_nothing_of_a_request_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    answer = b"HTTP/1.1 200 OK\r\nset-cookie: sid=CANARY\r\ncontent-length: 0\r\n\r\n"
    with caplog.at_level(logging.DEBUG):
        async with wire(answer) as (origin, _), Site(origin, Login.anonymous()) as site:
            await site.reader.get("/?token=CANARY", headers={"x-token": "CANARY"})
    assert "CANARY" not in caplog.text


async def test_what_was_fetched_says_nothing_of_itself() -> None:
    handle, _ = answering(httpx.Response(200, text="CANARY", headers={"x-token": "CANARY"}))
    fetched = await asite(handle).reader.get("/?q=CANARY")
    assert "CANARY" not in repr(fetched)


def test_a_reader_can_only_read() -> None:
    public = {name for name in vars(Reader) if not name.startswith("_")}
    assert public == {"get", "with_headers", "origin"}
