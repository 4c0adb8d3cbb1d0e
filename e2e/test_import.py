"""Traffic that other programs saved of a real page: imported, tried, believed by readback."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser

from cards.card import SealedCard
from cards.store import CardStore
from e2e.acts import send_message
from e2e.site import Site
from e2e.support import READBACK, Reqcard
from e2e.test_mitmdump import MITMDUMP, free_port, wait_for

pytestmark = pytest.mark.asyncio(loop_scope="session")

VALUES = {"message": "zebra 4711", "room": "random"}


async def act(browser: Browser, site: Site, **options: Any) -> None:
    """Send a message in a fresh context of Chromium, and close it."""
    context = await browser.new_context(
        storage_state=site.storage_state(),  # type: ignore[arg-type]  # its TypedDict is private
        base_url=site.origin,
        **options,
    )
    page = await context.new_page()
    await page.goto("/messages")
    await send_message(page, VALUES)
    await context.close()


@contextmanager
def saving(flows: Path, port: int) -> Iterator[None]:
    """A mitmdump that writes what passes into a file, which is whole when the block has ended."""
    command = [str(MITMDUMP), "-q", "--listen-host", "127.0.0.1", "--listen-port", str(port)]
    command += ["--set", f"confdir={flows.parent}", "-w", str(flows)]
    with subprocess.Popen(command, text=True) as process:
        wait_for(port, process)
        yield
        process.send_signal(signal.SIGINT)


def imported(
    site: Site, reqcard: Reqcard, file: Path, *more: str
) -> subprocess.CompletedProcess[str]:
    slots = [word for name, value in VALUES.items() for word in ("--slot", f"{name}={value}")]
    said = ("--origin", site.origin, "--action", "send_message", "--readback", json.dumps(READBACK))
    return reqcard.run("import", file, *said, *slots, *more)


def tried(site: Site, reqcard: Reqcard) -> dict[str, Any]:
    values = ("message=from an import", "room=help")
    login = ("--login", reqcard.login(site))
    done = reqcard.run(
        "replay", "send_message", *values, *login, "--trial", "--effect-seen", "--json"
    )
    content: dict[str, Any] = json.loads(done.stdout)["content"]
    return content


@pytest.mark.parametrize("content", ["embed", "attach"])
async def test_the_har_of_playwright_makes_a_card_that_a_trial_promotes(
    browser: Browser, site: Site, tmp_path: Path, content: Literal["embed", "attach"]
) -> None:
    reqcard, har = Reqcard(tmp_path), tmp_path / "saved.har"
    await act(browser, site, record_har_path=har, record_har_content=content)
    done = imported(site, reqcard, har)
    assert done.returncode == 0, done.stderr
    card = CardStore(tmp_path / "cards.d").load("send_message")
    assert isinstance(card, SealedCard)
    assert list(card.contract.live) != []
    assert tried(site, reqcard)["ok"] is True
    assert CardStore(tmp_path / "cards.d").load("send_message").state == "promoted"


async def test_a_flow_file_of_mitmproxy_makes_a_card_that_a_trial_promotes(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    reqcard, port = Reqcard(tmp_path), free_port()
    flows = tmp_path / "saved.flow"
    with saving(flows, port):
        server = {"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"}
        await act(browser, site, proxy=server)
    done = imported(site, reqcard, flows)
    assert done.returncode == 0, done.stderr
    assert tried(site, reqcard)["ok"] is True


def secrets_of(har: Path) -> set[str]:
    """Cookies and tokens that the requests of a HAR carried, and the action's own random values."""
    requests = [entry["request"] for entry in json.loads(har.read_text())["log"]["entries"]]
    cookies = {cookie["value"] for request in requests for cookie in request["cookies"]}
    headers = [header for request in requests for header in request["headers"]]
    tokens = {header["value"] for header in headers if header["name"].lower() == "x-csrf-token"}
    sent = json.loads(requests[-1]["postData"]["text"])
    return cookies | tokens | {sent["client_id"], sent["nested"]["meta"]["source"]}


async def test_nothing_that_the_file_holds_is_in_the_card(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    reqcard, har = Reqcard(tmp_path), tmp_path / "saved.har"
    await act(browser, site, record_har_path=har)
    done = imported(site, reqcard, har)
    written = (tmp_path / "cards.d" / "send_message.json").read_text()
    held = secrets_of(har)
    assert len(held) > 2
    for secret in ("zebra 4711", *held):
        assert secret not in written + done.stdout + done.stderr
