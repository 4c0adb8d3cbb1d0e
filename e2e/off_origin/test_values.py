"""Values that try to leave the path segment that their slot is."""

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from e2e.off_origin.cards import promoted, with_room
from e2e.off_origin.elsewhere import filled
from e2e.off_origin.replaying import ending, replay
from e2e.off_origin.site import CrossingSite, Stranger

ESCAPES = [
    *("..", ".", "../..", "../../api", "%2e%2e", "%2E", "\uff0e\uff0e", "..;"),
    *("//evil", "//{other}", "/\\evil", "\\\\evil", "\\\\{other}\\x", "/", "a/b", "a\\b"),
    *("%2f", "%2f%2f{other}", "%5c{other}", "%252f", "%00", "\u2215{other}"),
    *("@evil", "@{other}", "a@{other}", ":80@{other}", "http://{other}/", "?x=1", "#x", "a?b#c"),
    *("a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rb", " HTTP/1.1\r\nX-Evil: 1\r\n\r\n", "a b", "\t"),
    *("{text}", "${text}", "", " ", "ä", "😀"),
]


@pytest.mark.parametrize("value", ESCAPES, ids=repr)
async def test_a_value_does_not_leave_its_path_segment(
    site: CrossingSite, other: Stranger, tmp_path: Path, login: Path, value: str
) -> None:
    room = filled(value, site, other)
    card = promoted(tmp_path / "cards.d", with_room(site.origin))
    result = await replay(card, login, room=room)
    assert ending(result) in [("success", 0), ("not_applicable", 15)]
    assert len(site.writes) == (result.exit_code == 0)
    for request in site.arrived:
        before, api, rooms, segment, last = request.target.split("/")
        assert (before, api, rooms) == ("", "api", "rooms")
        assert last in ("items", "page")
        assert unquote(segment) == room
        assert unquote(segment) not in ("", ".", "..")
        assert "x-evil" not in request.headers
    assert other.connections == 0


@pytest.mark.parametrize("value", [".", "..", ""])
async def test_a_value_that_no_escaping_keeps_in_its_segment_is_refused(
    site: CrossingSite, tmp_path: Path, login: Path, value: str
) -> None:
    card = promoted(tmp_path / "cards.d", with_room(site.origin))
    result = await replay(card, login, room=value)
    assert ending(result) == ("not_applicable", 15)
    assert "room" in json.dumps(result.as_json())
    assert site.arrived == []
