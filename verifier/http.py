"""The only HTTP client, bound to one origin.

Rules:
1. The transport looks at the very request that is about to be sent and refuses any origin but its
   own, before a socket opens. Redirects are followed here, one checked target at a time.
2. A ``Reader`` can only GET. Whatever else is sent goes through ``replay.wire``, straight on the
   transport.
3. Nothing of the machine's own settings takes part: no proxy variables, no ``.netrc``.
4. The libraries below log URLs and cookies; their loggers are silenced, at every level.
"""

import asyncio
import logging
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Self, override
from urllib.parse import quote

import httpx

from cards.errors import BadOrigin, UsageError
from cards.origin import Origin
from verifier.fetched import Fetched, FetchFailed
from verifier.login import Login

__all__ = [
    "USER_AGENT",
    "FetchFailed",
    "Fetched",
    "OffOriginError",
    "OriginTransport",
    "Reader",
    "Site",
    "request_for",
]
MAX_BODY = 256 * 1024 * 1024
MAX_REDIRECTS = 5
USER_AGENT = "reqcard/0.1"
_KEEPALIVE_S = 30.0
_ENCODINGS = frozenset({"", "gzip", "x-gzip", "deflate"})
_REDIRECT_BODY = 64 * 1024
_UNPRINTABLE = re.compile(r"[^\x21-\x7e]+")
_REDIRECTS = frozenset({301, 302, 303, 307, 308})

for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).disabled = True
for _name in ("connection", "http11", "proxy", "socks"):
    logging.getLogger(f"httpcore.{_name}").disabled = True


class OffOriginError(Exception):
    """A request for another origin reached the transport: a bug, or a hostile redirect."""


class OriginTransport(httpx.AsyncBaseTransport):
    """Sends to one origin and refuses every other, last thing before a socket opens."""

    def __init__(self, origin: Origin, inner: httpx.AsyncBaseTransport) -> None:
        self.origin = origin
        self._inner = inner

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        port = url.port or (443 if url.scheme == "https" else 80)
        here = (url.scheme, url.raw_host.decode().lower(), port)
        host = self.origin.host.strip("[]")
        named = request.headers.get("host", "")
        target: bytes = request.extensions.get("target", url.raw_path)
        if (
            here != (self.origin.scheme, host, self.origin.port)
            or named != _host_of(self.origin)
            # A target with a host of its own would stand above the Host header (RFC 9112 3.2.2).
            or not target.startswith(b"/")
            or target.startswith(b"//")
        ):
            raise OffOriginError(f"A request for another origin than {self.origin} was refused.")
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "").strip().lower() not in _ENCODINGS:
            # Nobody asked for it, and a few bytes of it (br, or gzip twice) can unfold to
            # gigabytes at once. What is not decoded is told as no JSON, with its status.
            del response.headers["content-encoding"]
        return response

    @override
    async def aclose(self) -> None:
        await self._inner.aclose()


def request_for(
    origin: Origin,
    method: str,
    target: str,
    headers: list[tuple[str, str]],
    content: bytes | AsyncIterator[bytes],
    timeout: float,
) -> httpx.Request:
    """A request whose target goes out byte for byte (RFC 9112 section 3.2.1).

    Only what no request line may hold is escaped: a redirect may name letters beyond ASCII, which
    browsers send as escaped UTF-8. Header values are UTF-8, as browsers send cookies.

    Raises:
        BadOrigin: the target could be read as another host.
    """
    host = ("host", _host_of(origin))
    path = origin.url(target).removeprefix(str(origin))
    return httpx.Request(
        method,
        httpx.URL(scheme=origin.scheme, host=origin.host.strip("[]"), port=origin.port),
        headers=[(name.encode(), _wire(value)) for name, value in (host, *headers)],
        content=content or None,
        extensions={
            "target": _UNPRINTABLE.sub(lambda text: quote(text[0]), path).encode(),
            "timeout": {
                "connect": timeout,
                "read": timeout,
                "write": timeout,
                "pool": timeout,
            },
        },
    )


class Reader:
    """GETs pages of one origin with one login."""

    def __init__(
        self, transport: OriginTransport, login: Login, headers: Mapping[str, str] | None = None
    ) -> None:
        self._transport = transport
        self._login = login
        self._headers = dict(headers or {})

    @property
    def origin(self) -> Origin:
        return self._transport.origin

    def with_headers(self, headers: Mapping[str, str]) -> Self:
        """The same reader, sending these headers with every GET."""
        return type(self)(self._transport, self._login, {**self._headers, **headers})

    async def get(
        self,
        target: str,
        *,
        accept: str = "*/*",
        headers: Mapping[str, str] | None = None,
        timeout: float = 10.0,
    ) -> Fetched | FetchFailed:
        """One page, bypassing caches and following redirects inside the origin.

        Args:
            target: path and query.
            accept: the ``Accept`` header.
            headers: more headers for this GET.
            timeout: seconds for the whole of it.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._get(target, {"accept": accept, **(headers or {})}, timeout)
        except TimeoutError:
            return FetchFailed("timeout", f"The answer took longer than {timeout:g} s.")
        except (BadOrigin, OffOriginError):
            return FetchFailed("off_origin", f"It leads to another origin than {self.origin}.")
        except httpx.TimeoutException:
            return FetchFailed("timeout", f"The answer took longer than {timeout:g} s.")
        except httpx.ConnectError:
            return FetchFailed("connect", f"{self.origin} could not be reached.")
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            return FetchFailed("reset", "The connection broke before an answer was whole.")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return FetchFailed("protocol", f"The answer was not HTTP: {type(error).__name__}.")

    async def _get(
        self,
        target: str,
        headers: dict[str, str],
        timeout: float,
    ) -> Fetched | FetchFailed:
        redirects: list[str] = []
        while True:
            response = await self._transport.handle_async_request(
                request_for(
                    self.origin, "GET", target, self._headers_for(target, headers), b"", timeout
                )
            )
            response.request = httpx.Request("GET", str(self.origin))
            try:
                self._login.absorb(self.origin, target, response.headers.get_list("set-cookie"))
                location = response.headers.get("location")
                if response.status_code in _REDIRECTS and location:
                    if len(redirects) == MAX_REDIRECTS:
                        return FetchFailed("too_many_redirects", "It redirects without an end.")
                    redirects.append(target)
                    target = self.origin.follow(location, target)
                    await _drained(response)
                    continue
                body = await _read(response)
            finally:
                await response.aclose()
            if body is None:
                return FetchFailed("too_large", "The answer is larger than 256 MiB.")
            return Fetched(response.status_code, response.headers, body, target, tuple(redirects))

    def _headers_for(self, target: str, headers: dict[str, str]) -> list[tuple[str, str]]:
        cookie = self._login.cookie_header(self.origin, target)
        borrowed = self._login.authorization
        sent = {
            "user-agent": USER_AGENT,
            "accept-encoding": "gzip, deflate",
            "cache-control": "no-cache",
            **({"authorization": borrowed} if borrowed else {}),
            **{name.lower(): value for name, value in (*headers.items(), *self._headers.items())},
        }
        return [*sent.items(), *([("cookie", cookie)] if cookie else [])]


class Site:
    """One origin with one login: connections that are kept, a reader, the bound transport.

    Args:
        origin: where everything goes.
        login: whose cookies are sent.
        ca: a PEM file of more certificate authorities to trust.
        inner: the transport below, for tests.
    """

    def __init__(
        self,
        origin: Origin,
        login: Login,
        *,
        ca: Path | None = None,
        inner: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.origin = origin
        self.login = login
        below = inner or httpx.AsyncHTTPTransport(  # noqa: TID251  (this is that one client)
            verify=_trust(ca) if origin.scheme == "https" else _trusting_nobody(),
            retries=0,
            trust_env=False,
            limits=httpx.Limits(max_connections=64, keepalive_expiry=_KEEPALIVE_S),
        )
        self.transport = OriginTransport(origin, below)
        self.reader = Reader(self.transport, login)

    async def aclose(self) -> None:
        """Close the kept connections."""
        await self.transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


async def _read(response: httpx.Response) -> bytes | None:
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > MAX_BODY:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


async def _drained(response: httpx.Response) -> None:
    """Read a redirect's body, so that the connection is kept; a long one is not worth it."""
    size = 0
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for chunk in response.stream:
        size += len(chunk)
        if size > _REDIRECT_BODY:
            return


@lru_cache(maxsize=8)
def _trust(ca: Path | None) -> ssl.SSLContext:
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if ca is not None:
        try:
            context.load_verify_locations(cafile=ca)
        except OSError as error:
            raise UsageError(
                f"The certificate authorities can't be read: {ca} ({type(error).__name__}).",
                "Give a PEM file with at least one certificate.",
            ) from None
    return context


def _trusting_nobody() -> ssl.SSLContext:
    # For http, where nothing is encrypted: loading authorities would cost a tenth of a second.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _wire(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


def _host_of(origin: Origin) -> str:
    return str(origin).partition("://")[2]
