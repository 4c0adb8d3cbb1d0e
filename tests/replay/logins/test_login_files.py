import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.errors import BadLogin
from cards.origin import Origin
from replay.logins import load_login, netscape, save_rotated, storage_state
from verifier.login import CookieRecord

APP = Origin.parse("https://app.example.test")
COOKIE: dict[str, Any] = {
    "name": "sid",
    "value": "CANARY",
    "domain": "app.example.test",
    "path": "/",
    "expires": -1,
    "httpOnly": True,
    "secure": True,
    "sameSite": "Lax",
}
TXT = "#HttpOnly_app.example.test\tFALSE\t/\tTRUE\t0\tsid\tCANARY\n"


def private(path: Path, content: str | bytes, mode: int = 0o600) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)
    return path


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    state = {"cookies": [COOKIE], "origins": [], "kept": {"by": "us"}}
    return private(tmp_path / "login.json", json.dumps(state))


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"cookies": [COOKIE], "origins": []}),
        "\ufeff" + json.dumps({"cookies": [COOKIE], "origins": []}),
        TXT,
        "# Netscape HTTP Cookie File\r\n\r\n" + TXT.replace("\n", "\r\n"),
        "\ufeff" + TXT,
    ],
)
def test_both_forms_are_told_by_their_content(tmp_path: Path, content: str) -> None:
    login = load_login(private(tmp_path / "login", content), APP)
    assert login.cookie_header(APP, "/api") == "sid=CANARY"


def test_stored_values_are_a_login_too(tmp_path: Path) -> None:
    items = [{"name": "token", "value": "CANARY"}]
    origins = [{"origin": "https://app.example.test", "localStorage": items}]
    file = private(tmp_path / "login", json.dumps({"cookies": [], "origins": origins}))
    assert load_login(file, APP).stored(APP) == {"token": "CANARY"}


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "{}",
        '{"cookies": 3}',
        '{"cookies": [{"name": "sid"}]}',
        '{"cookies": [null]}',
        "sid=CANARY",
        "a\tb\tc",
        "app.example.test\tFALSE\t/\tTRUE\tsoon\tsid\tCANARY",
        b"\xff\xfe\x00",
        '{"cookies": ' + "[" * 100_000,
    ],
)
def test_a_file_of_another_shape_is_refused_without_its_content(
    tmp_path: Path, content: str | bytes
) -> None:
    with pytest.raises(BadLogin) as refusal:
        load_login(private(tmp_path / "login", content), APP)
    assert "CANARY" not in str(refusal.value)


def test_a_missing_file_is_told_with_the_way_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadLogin) as refusal:
        load_login(tmp_path / "none", APP)
    assert "reqcard login --origin https://app.example.test" in refusal.value.way_out


def test_a_directory_is_no_login(tmp_path: Path) -> None:
    with pytest.raises(BadLogin, match="can't be read"):
        load_login(tmp_path, APP)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o666])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(BadLogin, match="by others") as refusal:
        load_login(private(tmp_path / "login", TXT, mode), APP)
    assert "chmod 600" in refusal.value.way_out


def test_a_login_for_other_origins_names_their_hosts_only(state_file: Path) -> None:
    with pytest.raises(BadLogin, match=r"app\.example\.test") as refusal:
        load_login(state_file, Origin.parse("https://other.example.test"))
    assert "CANARY" not in str(refusal.value)


def test_rotated_cookies_go_back_and_all_else_stays(state_file: Path) -> None:
    login = load_login(state_file, APP)
    login.absorb(APP, "/", ["sid=rotated; Path=/; Secure; HttpOnly", "new=1; Path=/"])
    save_rotated(state_file, login)
    state = json.loads(state_file.read_text())
    assert {cookie["name"]: cookie["value"] for cookie in state["cookies"]} == {
        "sid": "rotated",
        "new": "1",
    }
    assert state["kept"] == {"by": "us"}
    assert stat.S_IMODE(state_file.stat().st_mode) == 0o600


def test_a_cookie_that_the_site_deleted_is_gone_from_the_file(state_file: Path) -> None:
    login = load_login(state_file, APP)
    login.absorb(APP, "/", ["sid=x; Path=/; Max-Age=0"])
    save_rotated(state_file, login)
    assert json.loads(state_file.read_text())["cookies"] == []


def test_members_of_a_cookie_that_we_do_not_know_are_kept(tmp_path: Path) -> None:
    cookie = {**COOKIE, "partitionKey": "https://top.example.test"}
    file = private(tmp_path / "login", json.dumps({"cookies": [cookie], "origins": []}))
    login = load_login(file, APP)
    login.absorb(APP, "/", ["sid=rotated; Path=/; Secure; HttpOnly"])
    save_rotated(file, login)
    (kept,) = json.loads(file.read_text())["cookies"]
    assert kept["partitionKey"] == "https://top.example.test"


TEXT = st.text("abcXYZ019-_.%/+=", min_size=1, max_size=20)
COOKIES = st.builds(
    CookieRecord,
    name=TEXT,
    value=TEXT,
    domain=st.sampled_from(["app.example.test", "localhost", "127.0.0.1"]),
    path=st.sampled_from(["/", "/app"]),
    expires=st.none() | st.integers(2_000_000_000, 4_000_000_000).map(float),
    secure=st.booleans(),
    http_only=st.booleans(),
    same_site=st.none(),
    host_only=st.booleans(),
)


@given(st.lists(COOKIES, max_size=5))
def test_a_cookies_txt_comes_back_as_it_was_written(cookies: list[CookieRecord]) -> None:
    assert netscape.parse(netscape.merged("", cookies), "x") == cookies


@given(st.lists(COOKIES, max_size=5, unique_by=lambda c: (c.name, c.domain, c.path)))
def test_a_storage_state_comes_back_as_it_was_written(cookies: list[CookieRecord]) -> None:
    text = storage_state.merged('{"cookies": []}', cookies)
    back, _, _ = storage_state.parse(text, "x")
    assert [(c.name, c.value, c.domain, c.expires, c.host_only) for c in back] == [
        (c.name, c.value, c.domain, c.expires, c.host_only) for c in cookies
    ]
