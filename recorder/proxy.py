"""mitmproxy in this process, on the running loop, silent, with a CA that nobody else ever sees.

Rules:
1. Its CA lives in a private temporary directory and dies with it.
2. Its log may hold URLs and what an exception says, so nothing of it is printed.
3. Only the addons that a forwarding proxy needs are loaded: none that alters, stores or shows.
"""

import asyncio
import base64
import hashlib
import logging
import socket
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards.errors import UsageError

_LOGGERS = ("mitmproxy", "mitmproxy_rs", "hpack", "wsproto")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A listening proxy.

    Attributes:
        url: where clients find it.
        ca: the CA certificate, PEM.
        spki: base64 of the SHA-256 of the CA's public key (RFC 7469 section 2.4).
    """

    url: str
    ca: Path
    spki: str


@contextmanager
def _silenced() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    handler = logging.NullHandler()
    before = [(logger, logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.propagate = False
        logger.setLevel(logging.CRITICAL)
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger, propagate, level in before:
            logger.propagate = propagate
            logger.setLevel(level)
            logger.removeHandler(handler)


@asynccontextmanager
async def proxy(addon: object, *, host: str, port: int) -> AsyncIterator[Proxy]:
    """Run the proxy with one addon until the block ends.

    Args:
        addon: the recorder.
        host: an address to listen on.
        port: 0 takes a free one.

    Raises:
        UsageError: the port is in use, or the address is not this machine's.
    """
    _check_free(host, port)
    with _silenced(), tempfile.TemporaryDirectory(prefix="reqcard-ca-") as directory:
        master = _master(addon, Path(directory), host, port)
        running = asyncio.ensure_future(master.run())
        try:
            yield await _listening(master, running, Path(directory))
        finally:
            await asyncio.shield(_stop(master, running))


def _check_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise UsageError(
            f"The proxy can't listen on {host}:{port}: {error.strerror}.",
            "Give another --listen HOST:PORT, or leave it out for a free port.",
        ) from None


def _master(addon: object, confdir: Path, host: str, port: int) -> Any:
    import ssl

    with warnings.catch_warnings():
        # A library that mitmproxy loads for LDAP uses names that another has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        from mitmproxy.addons import core, next_layer, proxyauth, proxyserver, tlsconfig
    from mitmproxy.master import Master
    from mitmproxy.options import Options

    options: Any = Options()
    options.update(confdir=str(confdir), listen_host=host, listen_port=port)
    system = ssl.get_default_verify_paths().cafile
    if system is not None:
        options.update(ssl_verify_upstream_trusted_ca=system)
    master: Any = Master(options)
    # mitmproxy types its addons and its master only in part.
    parts: Any = (
        core.Core(),
        proxyauth.ProxyAuth(),
        proxyserver.Proxyserver(),  # type: ignore[no-untyped-call]
        next_layer.NextLayer(),
        tlsconfig.TlsConfig(),
        addon,
    )
    master.addons.add(*parts)
    return master


async def _listening(master: Any, running: asyncio.Future[None], confdir: Path) -> Proxy:
    server: Any = master.addons.get("proxyserver")
    while not server.is_running:
        if running.done():
            raise UsageError("The proxy did not start.", "Give another --listen HOST:PORT.")
        await asyncio.sleep(0.01)
    addresses = server.listen_addrs()
    if not addresses:
        raise UsageError("The proxy did not start.", "Give another --listen HOST:PORT.")
    host, port = addresses[0][:2]
    named = f"[{host}]" if ":" in host else host
    ca = confdir / "mitmproxy-ca-cert.pem"
    return Proxy(f"http://{named}:{port}", ca, _spki(ca))


def _spki(ca: Path) -> str:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_pem_x509_certificate(ca.read_bytes()).public_key()
    info = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(info).digest()).decode()


async def _stop(master: Any, running: asyncio.Future[None]) -> None:
    """End the proxy and the connections through it, which mitmproxy leaves to the process's end."""
    server: Any = master.addons.get("proxyserver")
    master.shutdown()
    await asyncio.gather(running, return_exceptions=True)
    await server.servers.update([])
    handlers = [io.handler for one in server.connections.values() for io in one.transports.values()]
    open_tasks = [handler for handler in handlers if handler is not None]
    for task in open_tasks:
        task.cancel()
    await asyncio.gather(*open_tasks, return_exceptions=True)
