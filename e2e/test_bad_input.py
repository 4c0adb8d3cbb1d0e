"""Bad input of a replay: one clear line with cause and way out, its exit code, nothing sent."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.place import GOOD, SAID, Place, a_place
from e2e.site import ReadbackBehaviour, Site


@pytest.fixture
def place(site: Site, tmp_path: Path) -> Place:
    return a_place(site, tmp_path)


def test_with_good_input_all_is_well(place: Place) -> None:
    done = place.reqcard.run("replay", "send_message", *GOOD, "--login", place.login)
    assert done.returncode == 0, done
    assert place.site.decisive == 1


@pytest.mark.parametrize("command", ["replay", "show"])
@pytest.mark.parametrize("name", ["send_massage", "../../etc/passwd", "send message", ""])
def test_an_unknown_card_is_told_with_the_known_ones(place: Place, command: str, name: str) -> None:
    told = place.run(command, name)
    told.line(15, "send_message" if name == "send_massage" else "name")
    place.run(command, name, "--json").envelope(15, "UNKNOWN_CARD")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((f"message={SAID}", "room=help", "approved=true"), ("approved", "message, room")),
        ((f"message={SAID}",), ("room", "general, help")),
        ((f"message={SAID}", "room=kitchen"), ("room", "general, help")),
        ((), ("message", "room")),
    ],
)
def test_a_wrong_slot_is_told_by_name_with_what_was_expected(
    place: Place, values: tuple[str, ...], words: tuple[str, ...]
) -> None:
    place.replay(*values).line(15, *words)
    place.replay(*values, "--json").envelope(15, "BAD_SLOT")


def test_a_value_without_a_name_is_a_usage_error(place: Place) -> None:
    place.replay(SAID).line(2, "SLOT=VALUE")


def test_a_slot_given_twice_is_a_usage_error(place: Place) -> None:
    place.replay("message=one", "message=two", "room=help").line(2, "message")


def test_a_card_edited_by_hand_is_refused_with_the_reason(place: Place) -> None:
    place.card.write_text(place.card.read_text().replace("csrf-token", "other-token"))
    place.replay(*GOOD).line(15, "digest", "version control")
    place.replay(*GOOD, "--json").envelope(15, "BAD_CARD")
    place.run("show", "send_message").line(15, "digest")


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"format": 1', '"format": 2'),
        lambda text: text.replace('"contract": {', '"contract": {"captured": "value", '),
        lambda text: "[]",
        lambda text: "\x00\xff",
    ],
    ids=["empty", "cut off", "of another format", "with a member more", "a list", "no text"],
)
def test_a_card_that_is_no_card_is_refused(place: Place, edit: Callable[[str], str]) -> None:
    place.card.write_bytes(edit(place.card.read_text()).encode("latin-1"))
    place.replay(*GOOD).line(15, "send_message")


def test_a_directory_in_the_place_of_a_card_is_refused(place: Place) -> None:
    place.card.unlink()
    place.card.mkdir()
    place.replay(*GOOD).line(15, "send_message")


def test_a_broken_card_is_listed_with_its_reason_beside_the_good_ones(place: Place) -> None:
    (place.card.parent / "broken.json").write_text("{}")
    done = place.reqcard.run("list")
    assert done.returncode == 0, done
    assert "broken" in done.stdout
    assert "promoted" in done.stdout


READBACKS = {
    ReadbackBehaviour.NOT_JSON: (15, "not JSON"),
    ReadbackBehaviour.NOT_A_COLLECTION: (15, "list"),
    ReadbackBehaviour.NO_MATCH_FIELD: (15, "match field"),
    ReadbackBehaviour.REDIRECT_OFF_ORIGIN: (15, "another origin"),
    ReadbackBehaviour.ERROR_500: (15, "500"),
    ReadbackBehaviour.NOT_MODIFIED_304: (15, "304"),
    ReadbackBehaviour.LOGIN_PAGE_200: (10, "login"),
    ReadbackBehaviour.HANG: (15, "1 s"),
}


@pytest.mark.parametrize("behaviour", ReadbackBehaviour)
def test_a_readback_that_gives_no_count_means_that_nothing_is_sent(
    place: Place, behaviour: ReadbackBehaviour
) -> None:
    if behaviour is ReadbackBehaviour.NORMAL:
        return
    code, word = READBACKS[behaviour]
    place.site.readback_behaviour = behaviour
    strangers = place.site.beacon_connections
    place.replay(*GOOD, "--timeout", "1").line(code, word)
    assert place.site.beacon_connections == strangers


def another_login(place: Place, text: str | bytes, mode: int = 0o600) -> Path:
    file = place.reqcard.directory / "other.state"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    file.chmod(mode)
    return file


def for_another(site: Site) -> str:
    state = site.storage_state()
    state["cookies"][0]["domain"] = "elsewhere.test"
    return json.dumps(state)


def test_a_login_that_is_missing_is_told(place: Place) -> None:
    missing = place.reqcard.directory / "nowhere.json"
    place.replay(*GOOD, login=missing).line(15, "nowhere.json", "reqcard login")
    place.replay(*GOOD, "--json", login=missing).envelope(15, "BAD_LOGIN")
    place.record("--login", missing, "--browser", "chromium").line(15, "nowhere.json")


def test_a_login_for_another_origin_is_told(place: Place) -> None:
    login = another_login(place, for_another(place.site))
    place.replay(*GOOD, login=login).line(15, place.site.origin)


def test_a_login_that_others_may_read_is_told(place: Place) -> None:
    login = another_login(place, json.dumps(place.site.storage_state()), 0o644)
    place.replay(*GOOD, login=login).line(15, "chmod 600")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"cookies": 3}',
        b'{"cookies": [{"name": 1}]}',
        b"\xff\xfe\x00",
        b"hello\n",
    ],
    ids=repr,
)
def test_a_login_that_is_none_is_told(place: Place, content: bytes) -> None:
    place.replay(*GOOD, login=another_login(place, content)).line(15, "other.state")


def test_a_directory_in_the_place_of_a_login_is_told(place: Place) -> None:
    folder = place.reqcard.directory / "folder"
    folder.mkdir()
    place.replay(*GOOD, login=folder).line(15, "folder")


def test_an_audit_that_cannot_be_kept_means_that_nothing_is_sent(place: Place) -> None:
    place.reqcard.environment["REQCARD_DB"] = "sqlite:////proc/nowhere/audit.db"
    place.replay(*GOOD).line(15, "audit", "--audit")


def test_an_audit_that_is_no_database_means_that_nothing_is_sent(place: Place) -> None:
    (place.reqcard.directory / "audit.db").write_text("this is no database, and never was" * 99)
    place.replay(*GOOD).line(15, "audit", "--audit")


@pytest.mark.parametrize("timeout", ["0", "-1", "soon", "nan"])
def test_a_wrong_timeout_is_a_usage_error(place: Place, timeout: str) -> None:
    told = place.replay(*GOOD, "--timeout", timeout)
    assert told.done.returncode == 2, told.done
    assert "Traceback" not in told.done.stderr


def test_a_file_in_the_place_of_the_cards_directory_is_told(place: Place) -> None:
    place.reqcard.environment["REQCARD_CARDS"] = str(place.login)
    place.replay(*GOOD).line(15, "send_message")


@pytest.mark.parametrize(
    ("pin", "words"),
    [("nobody=1", ("text, room",)), ("text=0b7a5a3e9f1d4c628a552f0c7d1e9b44aa", ("secret",))],
)
def test_a_wrong_pin_is_told(place: Place, pin: str, words: tuple[str, ...]) -> None:
    place.run("pin", "send_message", pin).line(2, *words)


def test_no_subcommand_shows_the_help(place: Place) -> None:
    done = place.reqcard.run()
    assert "replay" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
