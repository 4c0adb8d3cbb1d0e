"""For each way in which the server can answer: outcome, exit code, requests, audit rows."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.site import Behaviour, Site
from e2e.support import READBACK, Reqcard

SWITCHES = [
    # the readback alone decides
    (Behaviour.NORMAL, "success", 0),
    (Behaviour.COMMIT_THEN_500, "success", 0),
    (Behaviour.COMMIT_THEN_HANG, "success", 0),
    (Behaviour.COMMIT_THEN_CLOSE, "success", 0),
    (Behaviour.COUNT_RISES_LATE, "success", 0),
    # the server said no
    (Behaviour.REDIRECT_TO_LOGIN, "login_required", 10),
    (Behaviour.UNAUTHORIZED_401, "login_required", 10),
    (Behaviour.ERROR_IN_200, "application_error", 11),
    (Behaviour.VALIDATION_422, "application_error", 11),
    (Behaviour.FORBIDDEN_403, "http_error", 12),
    (Behaviour.NOT_FOUND_404, "http_error", 12),
    (Behaviour.CONFLICT_409, "http_error", 12),
    # the server said yes, and nothing is there
    (Behaviour.COUNT_NEVER_RISES, "unconfirmed", 13),
    (Behaviour.REDIRECT_OFF_ORIGIN, "unconfirmed", 13),
    # nobody can tell
    (Behaviour.FAIL_500, "uncertain", 14),
    (Behaviour.HANG, "uncertain", 14),
    (Behaviour.CLOSE, "uncertain", 14),
]


@pytest.fixture(scope="module")
def standing() -> Iterator[Site]:
    """One site for all tests here, since a card belongs to its origin."""
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def promoted(standing: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cards of one recording in Chromium, promoted by one trial."""
    reqcard = Reqcard(tmp_path_factory.mktemp("promoted"))
    recorded = reqcard.record(
        standing,
        *("--action", "send_message", "--slot", "message=zebra 4711", "--slot", "room=random"),
        *("--readback", json.dumps(READBACK), "--drive", "e2e.acts:send_message"),
    )
    assert recorded.returncode == 0, recorded.stderr
    trial = reqcard.run(
        *("replay", "send_message", "message=a trial", "room=help", "--trial"),
        *("--login", reqcard.login(standing)),
    )
    assert trial.returncode == 0, trial.stderr
    return reqcard.directory / "cards.d"


@pytest.fixture
def site(standing: Site) -> Site:
    standing.reset()
    return standing


@pytest.fixture
def reqcard(promoted: Path, tmp_path: Path) -> Reqcard:
    shutil.copytree(promoted, tmp_path / "cards.d")
    return Reqcard(tmp_path)


@pytest.mark.parametrize(("behaviour", "outcome", "code"), SWITCHES, ids=str)
def test_each_switch_has_its_outcome_and_one_decisive_request(
    site: Site, reqcard: Reqcard, behaviour: Behaviour, outcome: str, code: int
) -> None:
    login = reqcard.login(site)
    site.behaviour = behaviour
    strangers = site.beacon_connections
    done = reqcard.run(
        *("replay", "send_message", "message=a switch is set", "room=help", "--login", login),
        *("--timeout", "2", "--json"),
    )
    content = json.loads(done.stdout)["content"]
    told = content["data"] if content["ok"] else content
    assert (told["outcome"], done.returncode) == (outcome, code), done.stderr
    assert site.decisive == 1
    assert site.beacon_connections == strangers
    rows = json.loads(reqcard.run("audit", "--json").stdout)["content"]["data"]["rows"]
    kinds = [row["kind"] for row in rows]
    assert sorted(kinds) == ["attempt", "outcome"]
    assert rows[kinds.index("outcome")]["outcome"] == outcome


def test_a_rehearsal_sends_nothing_and_is_marked(site: Site, reqcard: Reqcard) -> None:
    done = reqcard.run(
        *("replay", "send_message", "message=not yet", "room=help", "--login", reqcard.login(site)),
        *("--dry-run", "--json"),
    )
    assert json.loads(done.stdout)["content"]["data"]["outcome"] == "simulated"
    assert site.decisive == 0
    rows = json.loads(reqcard.run("audit", "--json").stdout)["content"]["data"]["rows"]
    assert [(row["kind"], row["dryRun"]) for row in rows] == [("rehearsal", True)]


def test_without_a_login_nothing_is_sent(site: Site, reqcard: Reqcard) -> None:
    login = reqcard.login(site)
    site.expire_logins()
    done = reqcard.run("replay", "send_message", "message=too late", "room=help", "--login", login)
    assert done.returncode == 10
    assert site.decisive == 0


def test_three_failed_verifications_take_the_promotion_away(site: Site, reqcard: Reqcard) -> None:
    login = reqcard.login(site)
    site.behaviour = Behaviour.COUNT_NEVER_RISES
    for _ in range(3):
        reqcard.run("replay", "send_message", "message=nothing", "room=help", "--login", login)
    shown = json.loads(reqcard.run("show", "send_message", "--json").stdout)
    assert shown["content"]["data"]["state"] == "confirmed"
    refused = reqcard.run("replay", "send_message", "message=again", "room=help", "--login", login)
    assert refused.returncode == 15
    assert site.decisive == 3
