"""Which part of a browser's state is written to a login file, and how."""

import json
from pathlib import Path
from typing import Any

import pytest

from cards.errors import UsageError
from cards.origin import Origin
from reqcard.cli.login import _check_writable, _of_origin, _write

ORIGIN = Origin.parse("https://app.example.test")


def acookie(domain: str) -> dict[str, Any]:
    return {"name": "sid", "value": "S1", "domain": domain, "path": "/"}


@pytest.mark.parametrize(
    ("domain", "kept"),
    [
        # sent to the origin
        ("app.example.test", True),
        (".app.example.test", True),
        (".example.test", True),
        # sent elsewhere
        ("example.test", False),
        ("other.example.test", False),
        (".other.example.test", False),
        ("notapp.example.test", False),
    ],
)
def test_only_cookies_that_the_origin_is_sent_are_kept(domain: str, kept: bool) -> None:
    state = _of_origin({"cookies": [acookie(domain)], "origins": []}, ORIGIN)
    assert bool(state["cookies"]) is kept


def test_only_the_origins_own_storage_is_kept() -> None:
    own = {"origin": str(ORIGIN), "localStorage": []}
    other = {"origin": "https://sso.example.test", "localStorage": []}
    assert _of_origin({"cookies": [], "origins": [own, other]}, ORIGIN)["origins"] == [own]


def test_the_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "login.json"
    path.touch(mode=0o644)
    _write(path, {"cookies": [], "origins": []})
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text()) == {"cookies": [], "origins": []}


def test_a_missing_directory_is_told_before_a_browser_opens(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no directory"):
        _check_writable(tmp_path / "gone" / "login.json")
