import json
import os
import stat
from pathlib import Path

import pytest

from cards.card import seal
from cards.errors import BadCard, UnknownCard, UsageError
from cards.store import BrokenCard, CardStore, write_aside
from tests.support.builders import acontract


@pytest.fixture
def store(tmp_path: Path) -> CardStore:
    return CardStore(tmp_path / "cards.d")


def test_a_card_comes_back_as_it_was_written(store: CardStore) -> None:
    card = seal(acontract())
    store.write(card)
    assert store.load("send_message") == card


def test_an_empty_directory_has_no_cards(store: CardStore) -> None:
    assert store.all() == ()


def test_an_unknown_card_is_told_with_the_known_ones(store: CardStore) -> None:
    store.write(seal(acontract()))
    with pytest.raises(UnknownCard, match="send_message"):
        store.load("send_mesage")


@pytest.mark.parametrize("name", ["../secret", "a/b", "", ".hidden", "a.json", "x" * 80])
def test_a_name_that_leaves_the_directory_is_refused(store: CardStore, name: str) -> None:
    with pytest.raises(UnknownCard):
        store.load(name)


def test_a_contract_changed_by_hand_is_refused_with_the_reason(store: CardStore) -> None:
    path = store.write(seal(acontract()))
    path.write_text(path.read_text().replace('"POST"', '"PUT"'))
    with pytest.raises(BadCard, match="changed after its seal"):
        store.load("send_message")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"format": 2}', b"[" * 5000])
def test_a_broken_file_is_listed_with_its_reason(store: CardStore, content: bytes) -> None:
    store.write(seal(acontract()))
    (store.directory / "broken.json").write_bytes(content)
    broken, _ = store.all()
    assert isinstance(broken, BrokenCard)
    assert broken.reason


def test_a_refusal_does_not_show_what_the_file_holds(store: CardStore) -> None:
    path = store.write(seal(acontract()))
    file = json.loads(path.read_text())
    file["contract"]["body"]["content"]["object"]["text"] = "CANARY-4711"
    path.write_text(json.dumps(file))
    with pytest.raises(BadCard) as refusal:
        store.load("send_message")
    assert "CANARY" not in str(refusal.value)


def test_writing_leaves_nothing_beside_the_card(store: CardStore) -> None:
    store.write(seal(acontract()))
    assert [path.name for path in store.directory.iterdir()] == ["send_message.json"]


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="can't be written"):
        CardStore(tmp_path / "file" / "cards").write(seal(acontract()))


@pytest.mark.parametrize("failing", ["fsync", "fchmod"])
def test_a_failed_write_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "card.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fail)
        with pytest.raises(OSError, match="No space"):
            write_aside(path, b"new")
    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["card.json"]


def test_a_file_gets_the_mode_that_was_asked_for(tmp_path: Path) -> None:
    write_aside(tmp_path / "login.json", b"{}", mode=0o600)
    assert stat.S_IMODE((tmp_path / "login.json").stat().st_mode) == 0o600
