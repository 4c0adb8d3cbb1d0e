"""The machine's own settings: proxies in the environment, passwords in ``.netrc``."""

import json
from pathlib import Path

import pytest

from e2e.acts import send_message
from e2e.off_origin.cards import ACTION
from e2e.off_origin.site import CrossingSite, Stranger
from e2e.site import ReadbackBehaviour, Site
from e2e.support import READBACK, Reqcard

NOTES = READBACK | {
    "url": "/api/notes",
    "path": ["notes"],
    "match": {"field": "title", "slot": "title"},
}
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")


@pytest.fixture
def reqcard(tmp_path: Path, other: Stranger) -> Reqcard:
    """The command line on a machine whose proxies lead to the stranger, password included."""
    program = Reqcard(tmp_path)
    proxy = f"http://machine:CROSSING-4f1d0c@{other.authority}"
    for name in PROXIES:
        program.environment |= {name: proxy, name.upper(): proxy}
    program.environment |= {"no_proxy": "", "NO_PROXY": "", "HOME": str(tmp_path)}
    netrc = tmp_path / ".netrc"
    netrc.touch(mode=0o600)
    netrc.write_text("machine 127.0.0.1 login machine password CROSSING-4f1d0c\n")
    return program


def test_proxies_and_netrc_take_no_part_in_a_replay(
    site: CrossingSite, other: Stranger, reqcard: Reqcard, card: Path, login: Path
) -> None:
    done = reqcard.run(
        *("replay", ACTION, "text=straight", "--login", login, "--cards", card.parent)
    )
    assert done.returncode == 0, done
    assert other.connections == 0
    for request in site.arrived:
        given = request.headers.get("authorization", "")
        assert given == "" or given.startswith("Bearer ")
        assert "proxy-authorization" not in request.headers
        assert request.target.startswith("/")


def test_proxies_and_netrc_take_no_part_in_a_recording(
    fixture_site: Site, other: Stranger, reqcard: Reqcard
) -> None:
    done = reqcard.record(
        fixture_site,
        *("--action", "send_message", "--slot", "message=zebra 4711", "--slot", "room=random"),
        *("--readback", json.dumps(READBACK), "--json"),
        *("--drive", f"{send_message.__module__}:{send_message.__name__}"),
    )
    assert done.returncode == 0, done
    assert json.loads(done.stdout)["content"]["data"]["state"] == "confirmed"
    assert other.connections == 0
    for request in fixture_site.requests:
        names = {name for name, _ in request.headers}
        assert not names & {"authorization", "proxy-authorization"}


def test_a_readback_that_leads_elsewhere_confirms_no_recording(
    fixture_site: Site, tmp_path: Path
) -> None:
    fixture_site.readback_behaviour = ReadbackBehaviour.REDIRECT_OFF_ORIGIN
    done = Reqcard(tmp_path).record(
        fixture_site,
        *("--action", "write_note", "--slot", "title=zebra 4711", "--slot", "body=stripes"),
        *("--readback", json.dumps(NOTES), "--drive", "e2e.acts:write_note", "--json"),
        page="/notes/new",
    )
    assert done.returncode == 0, done
    told = json.loads(done.stdout)["content"]["data"]
    assert told["state"] == "sealed"
    assert "another origin" in told["reason"]
    assert fixture_site.decisive == 1
    assert fixture_site.beacon_connections == 0
