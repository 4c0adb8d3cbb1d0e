"""``reqcard record`` and ``login`` as they are typed: endings, exit codes, nothing left behind."""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from e2e.site import Site
from e2e.support import READBACK, REQCARD, Reqcard


@pytest.fixture
def reqcard(tmp_path: Path) -> Reqcard:
    return Reqcard(tmp_path)


def options(site: Site, **changes: str) -> list[str]:
    members = {
        "origin": site.origin,
        "action": "send_message",
        "slot": "message=zebra 4711",
        "readback": json.dumps(READBACK),
    }
    return [word for name, value in {**members, **changes}.items() for word in (f"--{name}", value)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"origin": "app.example.test"}, "http or https"),
        ({"origin": "http://127.0.0.1:1"}, "Nothing answers"),
        ({"action": "a b"}, "is not a name"),
        ({"slot": "zebra 4711"}, "without a value"),
        ({"readback": "{"}, "not JSON"),
        ({"readback": json.dumps({**READBACK, "url": "https://else.example.test/"})}, "origin"),
        ({"drive": "nowhere:act"}, "can't be imported"),
        ({"listen": "8080"}, "HOST:PORT"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    site: Site, reqcard: Reqcard, changes: dict[str, str], told: str
) -> None:
    done = reqcard.run("record", *options(site, **changes), "--headless")
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "zebra" not in done.stderr
    assert list(reqcard.directory.iterdir()) == []


def test_a_port_in_use_is_one_line(site: Site, reqcard: Reqcard) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        done = reqcard.run("record", *options(site, listen=listen, browser="none"))
    assert (done.returncode, listen in done.stderr) == (2, True)


def test_no_chromium_is_one_line(site: Site, reqcard: Reqcard) -> None:
    reqcard.environment["REQCARD_CHROMIUM"] = "/no/such/chromium"
    done = reqcard.run("record", *options(site), "--headless")
    assert done.returncode == 2
    assert "REQCARD_CHROMIUM" in done.stderr


def test_nothing_captured_is_exit_15_and_an_envelope(site: Site, reqcard: Reqcard) -> None:
    done = reqcard.run("record", *options(site, browser="none", wait="0.2"), "--json")
    assert done.returncode == 15
    content = json.loads(done.stdout)["content"]
    assert (content["ok"], content["error"]) == (False, "NOTHING_CAPTURED")


def test_a_drive_function_that_fails_is_told_without_the_value(
    site: Site, reqcard: Reqcard
) -> None:
    (reqcard.directory / "acts.py").write_text(
        "async def go(page, values):\n    raise ValueError('no ' + values['message'])\n"
    )
    done = reqcard.record(site, *options(site, drive="acts:go")[2:])
    assert done.returncode == 15
    assert "ValueError: no …" in done.stderr
    assert "zebra" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_leaves_no_trace(
    site: Site, reqcard: Reqcard, number: signal.Signals
) -> None:
    temporary = reqcard.directory / "tmp"
    temporary.mkdir()
    with subprocess.Popen(
        [REQCARD, "record", *options(site), "--headless"],
        cwd=reqcard.directory,
        env={**reqcard.environment, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        site.wait_for("GET", "/", seconds=30)
        os.killpg(process.pid, number)
        said, _ = process.communicate(timeout=30)
    assert process.returncode == 15
    assert "Traceback" not in said
    assert list(temporary.iterdir()) == []


def test_a_login_is_written_for_its_owner_alone(site: Site, reqcard: Reqcard) -> None:
    (reqcard.directory / "acts.py").write_text(
        "from e2e.site.endpoints.login import PASSWORD, USER\n"
        "async def sign_in(page, values):\n"
        "    await page.fill('[name=user]', USER)\n"
        "    await page.fill('[name=password]', PASSWORD)\n"
        "    await page.press('[name=password]', 'Enter')\n"
        "    await page.wait_for_url('**/')\n"
    )
    login = reqcard.directory / "login.json"
    done = reqcard.run(
        *("login", "--origin", site.origin, "--start-url", "/login", "--login", login),
        *("--headless", "--drive", "acts:sign_in"),
    )
    assert done.returncode == 0, done.stderr
    assert login.stat().st_mode & 0o777 == 0o600
    state = json.loads(login.read_text())
    assert "sid" in {cookie["name"] for cookie in state["cookies"]}
    assert not any(cookie["value"] in done.stdout + done.stderr for cookie in state["cookies"])


def test_without_a_sign_in_no_login_is_written(site: Site, reqcard: Reqcard) -> None:
    login = reqcard.directory / "login.json"
    done = reqcard.run(
        *("login", "--origin", site.origin, "--login", login, "--headless", "--wait", "0.5")
    )
    assert done.returncode == 15
    assert not login.exists()


def explained(site: Site, reqcard: Reqcard, *options_: str) -> subprocess.CompletedProcess[str]:
    return reqcard.record(site, *options(site)[2:], "--explain", *options_)


def test_explain_says_of_each_request_what_it_was_taken_for(site: Site, reqcard: Reqcard) -> None:
    done = explained(site, reqcard, "--drive", "e2e.acts:send_in_random")
    assert done.returncode == 0, done.stderr
    told = {tuple(line.split(None, 2)) for line in done.stdout.splitlines()}
    assert {
        ("GET", "/messages", "a navigation: it changes nothing"),
        ("POST", "/api/heartbeat", "it carries no declared slot value"),
        ("POST", "/telemetry", "it carries no declared slot value"),
    } <= told
    (action,) = {line for line in told if line[:2] == ("POST", "/api/messages")}
    assert action[2].startswith("the action: carries message; the readback rose after it")
    assert "zebra" not in done.stdout + done.stderr


def test_explain_says_it_also_where_nothing_was_captured(site: Site, reqcard: Reqcard) -> None:
    (reqcard.directory / "acts.py").write_text("async def go(page, values):\n    pass\n")
    done = explained(site, reqcard, "--drive", "acts:go", "--json")
    assert done.returncode == 15
    content = json.loads(done.stdout)["content"]
    assert content["error"] == "NOTHING_CAPTURED"
    read = {"method": "GET", "path": "/messages", "reason": "a navigation: it changes nothing"}
    assert read in content["explained"]
