"""Redirects of the action, of a live value's page, of the readback and of its next page."""

import json
import socket
from pathlib import Path

import pytest

from e2e.off_origin.cards import contract, promoted, readback
from e2e.off_origin.elsewhere import ELSEWHERE, elsewhere
from e2e.off_origin.replaying import ending, replay
from e2e.off_origin.site import CrossingSite, Stranger

STATUSES = (301, 302, 303, 307, 308)
CROSSINGS = [(302, name) for name in ELSEWHERE] + [
    (status, name)
    for status in STATUSES
    for name in ("another port", "another scheme", "protocol-relative")
    if status != 302
]
POST, PAGE, LIST = ("POST", "/api/items"), ("GET", "/page"), ("GET", "/api/items")
crossings = pytest.mark.parametrize(("status", "how"), CROSSINGS)


def test_the_stranger_counts_a_connection_that_says_nothing(other: Stranger) -> None:
    assert other.connections == 0
    socket.create_connection(("127.0.0.1", other.port)).close()
    assert other.connections == 1


async def test_a_redirect_inside_the_origin_is_followed_for_reads(
    site: CrossingSite, card: Path, login: Path
) -> None:
    site.crossing.redirects = {PAGE: (302, "/other/page"), LIST: (307, "/other/items")}
    assert ending(await replay(card, login)) == ("success", 0)
    assert len(site.writes) == 1


@crossings
async def test_a_redirect_of_the_action_is_its_answer(
    site: CrossingSite, other: Stranger, card: Path, login: Path, status: int, how: str
) -> None:
    site.crossing.redirects = {POST: (status, elsewhere(how, site, other))}
    result = await replay(card, login)
    assert ending(result) == ("unconfirmed", 13)
    assert len(site.writes) == 1
    assert other.connections == 0


@crossings
async def test_a_redirect_of_a_live_values_page_means_that_nothing_is_sent(
    site: CrossingSite, other: Stranger, card: Path, login: Path, status: int, how: str
) -> None:
    site.crossing.redirects = {PAGE: (status, elsewhere(how, site, other))}
    assert ending(await replay(card, login)) == ("not_applicable", 15)
    assert site.writes == []
    assert other.connections == 0


@crossings
async def test_a_redirect_of_the_readback_means_that_nothing_is_sent(
    site: CrossingSite, other: Stranger, card: Path, login: Path, status: int, how: str
) -> None:
    site.crossing.redirects = {LIST: (status, elsewhere(how, site, other))}
    assert ending(await replay(card, login)) == ("not_applicable", 15)
    assert site.writes == []
    assert other.connections == 0


@crossings
async def test_a_redirect_of_the_readback_after_the_write_leaves_it_uncertain(
    site: CrossingSite, other: Stranger, card: Path, login: Path, status: int, how: str
) -> None:
    site.crossing.after_write = {LIST: (status, elsewhere(how, site, other))}
    assert ending(await replay(card, login)) == ("uncertain", 14)
    assert len(site.writes) == 1
    assert other.connections == 0


@pytest.mark.parametrize("status", STATUSES)
async def test_a_write_that_is_stored_and_redirected_away_is_a_success_by_readback_alone(
    site: CrossingSite, other: Stranger, card: Path, login: Path, status: int
) -> None:
    site.crossing.redirects = {POST: (status, f"http://{other.authority}/land")}
    site.crossing.commits = True
    result = await replay(card, login)
    assert ending(result) == ("success", 0)
    assert "the answer leads to another origin" in json.dumps(result.as_json())
    assert other.connections == 0


@pytest.mark.parametrize("status", STATUSES)
async def test_a_redirect_of_the_action_is_not_followed_inside_the_origin_either(
    site: CrossingSite, card: Path, login: Path, status: int
) -> None:
    site.crossing.redirects = {POST: (status, "/api/items/")}
    assert ending(await replay(card, login)) == ("unconfirmed", 13)
    assert [request.target for request in site.writes] == ["/api/items"]
    assert "/api/items/" not in [request.target for request in site.arrived]


@pytest.mark.parametrize("how", ["another port", "protocol-relative", "user-info"])
@pytest.mark.parametrize("where", ["next", "link"])
async def test_a_next_page_elsewhere_is_no_count(
    site: CrossingSite, other: Stranger, tmp_path: Path, login: Path, where: str, how: str
) -> None:
    paged = readback(next=("next",) if where == "next" else "link")
    card = promoted(tmp_path / "cards.d", contract(site.origin, readback=paged))
    target = elsewhere(how, site, other)
    site.items.append({"text": "there already"})
    site.crossing.next = target
    site.crossing.link = f'<{target}>; rel="next"'
    assert ending(await replay(card, login)) == ("not_applicable", 15)
    assert site.writes == []
    assert other.connections == 0


async def test_a_netscape_login_obeys_the_same_rule(
    site: CrossingSite, other: Stranger, card: Path, tmp_path: Path
) -> None:
    login = tmp_path / "cookies.txt"
    login.touch(mode=0o600)
    fields = ("127.0.0.1", "FALSE", "/", "FALSE", "0", "sid", "CROSSING-4f1d0c")
    login.write_text("# Netscape HTTP Cookie File\n" + "\t".join(fields) + "\n")
    site.crossing.redirects = {POST: (307, f"http://{other.authority}/land")}
    assert ending(await replay(card, login)) == ("unconfirmed", 13)
    assert "sid=CROSSING-4f1d0c" in site.writes[0].headers["cookie"]
    assert other.connections == 0
