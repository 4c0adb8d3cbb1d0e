"""The addon under plain ``mitmdump -s``, for any client that uses the proxy."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import recorder.addon
from cards.store import CardStore
from e2e.site import Site
from e2e.support import READBACK
from e2e.visitor import Visitor

MITMDUMP = Path(sys.executable).with_name("mitmdump")


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port: int = listener.getsockname()[1]
    return port


def options(site: Site, cards: Path, **changes: str) -> list[str]:
    settings = {
        "reqcard_origin": site.origin,
        "reqcard_action": "send_message",
        "reqcard_slot": "message=zebra 4711",
        "reqcard_readback": json.dumps(READBACK),
        "reqcard_cards": str(cards),
        **changes,
    }
    return [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


@contextmanager
def mitmdump(directory: Path, arguments: list[str]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    port = free_port()
    with subprocess.Popen(
        [
            *(str(MITMDUMP), "--listen-host", "127.0.0.1", "--listen-port", str(port)),
            *("--set", f"confdir={directory}", "-s", recorder.addon.__file__, *arguments),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.send_signal(signal.SIGINT)


def wait_for(port: int, process: subprocess.Popen[str]) -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.02)  # another process's listening socket has no event to wait for
        else:
            return


def test_any_client_of_the_proxy_is_recorded(site: Site, tmp_path: Path) -> None:
    cards = tmp_path / "cards.d"
    site.watch_cards = cards
    with mitmdump(tmp_path, options(site, cards)) as (proxy, process):
        with Visitor(site.origin, site.login_cookie(), proxy) as visitor:
            assert visitor.post_message("zebra 4711").status_code == 201
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    card = CardStore(cards).load("send_message")
    assert card.state == "confirmed", said
    assert site.decisive == 1
    assert site.cards_seen[0], "the card was on disk before the request reached the server"
    assert "zebra" not in (cards / "send_message.json").read_text()
    assert "confirmed" in said


def test_a_traffic_without_the_slots_value_is_told_and_makes_no_card(
    site: Site, tmp_path: Path
) -> None:
    cards = tmp_path / "cards.d"
    with mitmdump(tmp_path, options(site, cards)) as (proxy, process):
        with Visitor(site.origin, site.login_cookie(), proxy) as visitor:
            visitor.post_message("lion")
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    assert CardStore(cards).names() == ()
    assert "reqcard" in said
    assert site.decisive == 1


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"reqcard_origin": "nonsense"}, "http or https URL"),
        ({"reqcard_readback": "{}"}, "readback"),
        ({"reqcard_slot": "message"}, "name=value"),
    ],
)
def test_a_wrong_option_is_told_and_ends_the_proxy(
    site: Site, tmp_path: Path, wrong: dict[str, str], told: str
) -> None:
    with mitmdump(tmp_path, options(site, tmp_path / "cards.d", **wrong)) as (_, process):
        said, _ = process.communicate(timeout=30)
    assert process.returncode != 0
    assert told in said
    assert "Traceback" not in said
