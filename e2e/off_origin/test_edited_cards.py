"""Cards edited by hand, digest and all, to ask elsewhere."""

from pathlib import Path

import pytest

from e2e.off_origin.cards import edited
from e2e.off_origin.elsewhere import ELSEWHERE, filled
from e2e.off_origin.replaying import ending, replay
from e2e.off_origin.site import CrossingSite, Stranger

READBACK_URLS = [
    *ELSEWHERE.values(),
    "..//{other}",
    "//{other}/list",
    "/%09/{other}/../..\\x",
    "{text}",
    "/{text}\\x",
]
SEGMENTS = [
    ["", "{other}"],
    ["", "localhost:{port}", "land"],
    ["", "evil"],
    ["\\{other}"],
    ["\\", "{other}"],
    ["/{other}"],
    ["@{other}"],
    ["a\r\nhost: {other}"],
    ["a b"],
    ["a\tb"],
]


@pytest.mark.parametrize("url", READBACK_URLS)
async def test_a_card_edited_to_read_back_elsewhere_is_not_replayed(
    site: CrossingSite, other: Stranger, card: Path, login: Path, url: str
) -> None:
    edited(card, "readback", "url", value=filled(url, site, other))
    assert ending(await replay(card, login)) == ("not_applicable", 15)
    assert site.writes == []
    assert other.connections == 0


@pytest.mark.parametrize("segments", SEGMENTS, ids=repr)
@pytest.mark.parametrize("at", [("target",), ("live", "csrf", "source", "page")], ids="/".join)
async def test_a_card_edited_to_ask_elsewhere_is_not_replayed(
    site: CrossingSite,
    other: Stranger,
    card: Path,
    login: Path,
    at: tuple[str, ...],
    segments: list[str],
) -> None:
    path = [filled(part, site, other) for part in segments]
    edited(card, *at, "path", value=path)
    assert ending(await replay(card, login)) == ("not_applicable", 15)
    assert site.writes == []
    assert other.connections == 0


@pytest.mark.parametrize(
    "origin",
    [
        "http://{own}@{other}",
        "http://{own}\\@{other}",
        "http://{own}/",
        "HTTP://{own}",
        "http://{own}#@{other}",
        "http://localhost.:{port}",
        "//{other}",
    ],
)
async def test_a_card_edited_to_an_origin_with_two_readings_is_refused(
    site: CrossingSite, other: Stranger, card: Path, login: Path, origin: str
) -> None:
    edited(card, "origin", value=filled(origin, site, other))
    assert ending(await replay(card, login)) == ("not_applicable", 15)
    assert site.arrived == []
    assert other.connections == 0
