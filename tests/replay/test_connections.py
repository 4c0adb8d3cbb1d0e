import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from cards.errors import BadLogin
from cards.origin import Origin
from replay.connections import Connections
from tests.support.builders import acontract

A, B = "https://a.example.test", "https://b.example.test"


class Closing(httpx.AsyncBaseTransport):
    closed = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200)

    async def aclose(self) -> None:
        self.closed += 1


@pytest.fixture
def transports(monkeypatch: pytest.MonkeyPatch) -> list[Closing]:
    made: list[Closing] = []

    def make(**_: object) -> Closing:
        made.append(Closing())
        return made[-1]

    monkeypatch.setattr(httpx, "AsyncHTTPTransport", make)
    return made


def write(file: Path, later: int = 0, **cookies: str) -> None:
    """A login with one cookie for each host; ``later`` makes its time another one."""
    entries: list[dict[str, Any]] = [
        {"name": f"s{host}", "value": value, "domain": f"{host}.example.test", "path": "/"}
        for host, value in cookies.items()
    ]
    file.write_text(json.dumps({"cookies": entries, "origins": []}))
    file.chmod(0o600)
    if later:
        at = file.stat().st_mtime_ns + later * 10**9
        os.utime(file, ns=(at, at))


def read(file: Path) -> dict[str, str]:
    return {cookie["name"]: cookie["value"] for cookie in json.loads(file.read_text())["cookies"]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write(tmp_path / "login.json", a="0", b="0")
    return tmp_path / "login.json"


async def rotated(connections: Connections, origin: str, line: str) -> None:
    async with connections.using(acontract(origin=origin)) as site:
        site.login.absorb(Origin.parse(origin), "/", [line])


@pytest.mark.usefixtures("transports")
async def test_what_one_origin_rotated_the_other_does_not_write_back(file: Path) -> None:
    connections = Connections(file, None)
    async with connections.using(acontract(origin=A)), connections.using(acontract(origin=B)):
        await rotated(connections, B, "sb=NEW; Path=/")
        connections.keep_rotated()
        await rotated(connections, A, "sa=NEW; Path=/")
        connections.keep_rotated()
    assert read(file) == {"sa": "NEW", "sb": "NEW"}


@pytest.mark.usefixtures("transports")
async def test_a_login_that_was_renewed_meanwhile_is_not_written_over(file: Path) -> None:
    connections = Connections(file, None)
    await rotated(connections, A, "sa=OURS; Path=/")
    write(file, later=5, a="RENEWED", b="RENEWED", c="ANOTHER")
    connections.keep_rotated()
    assert read(file) == {"sa": "RENEWED", "sb": "RENEWED", "sc": "ANOTHER"}
    async with connections.using(acontract(origin=A)) as site:
        assert site.login.cookie_header(Origin.parse(A), "/") == "sa=RENEWED"


@pytest.mark.usefixtures("transports")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sa=OURS; Path=/", {"sa": "OURS", "sb": "THEIRS"}),
        ("new=OURS; Path=/", {"sa": "0", "sb": "THEIRS", "new": "OURS"}),
        ("sa=; Path=/; Max-Age=0", {"sb": "THEIRS"}),
    ],
)
async def test_only_what_changed_here_goes_into_a_changed_file(
    file: Path, line: str, expected: dict[str, str]
) -> None:
    connections = Connections(file, None)
    await rotated(connections, A, line)
    write(file, later=5, a="0", b="THEIRS")
    connections.keep_rotated()
    assert read(file) == expected


async def test_a_site_is_kept_between_replays(file: Path, transports: list[Closing]) -> None:
    connections = Connections(file, None)
    for _ in range(3):
        await rotated(connections, A, "sa=again; Path=/")
        connections.keep_rotated()
    assert len(transports) == 1


async def test_a_site_in_use_is_closed_only_when_its_run_has_ended(
    file: Path, transports: list[Closing]
) -> None:
    connections = Connections(file, None)
    async with connections.using(acontract(origin=A)):
        write(file, later=5, a="RENEWED")
        async with connections.using(acontract(origin=A)):
            assert [transport.closed for transport in transports] == [0, 0]
    assert [transport.closed for transport in transports] == [1, 0]
    await connections.aclose()
    assert [transport.closed for transport in transports] == [1, 1]


@pytest.mark.usefixtures("transports")
async def test_every_origin_must_be_one_that_the_file_is_for(file: Path) -> None:
    connections = Connections(file, None)
    await rotated(connections, A, "sa=NEW; Path=/")
    with pytest.raises(BadLogin):
        await rotated(connections, "https://c.example.test", "x=1")


async def test_nobody_is_signed_in_without_a_login() -> None:
    assert not Connections(None, None).signed_in
