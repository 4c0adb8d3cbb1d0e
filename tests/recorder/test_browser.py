"""Where Chromium is looked for; that it starts is shown end to end."""

import os
import tempfile
from pathlib import Path

import pytest

from cards.errors import NoBrowser
from recorder.browser import find_chromium, private_directory


def aprogram(path: Path, mtime: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    os.utime(path, (mtime, mtime))
    return path


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)


def test_the_named_one_is_taken_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    aprogram(tmp_path / "bin/chromium")
    named = aprogram(tmp_path / "my/chrome")
    monkeypatch.setenv("REQCARD_CHROMIUM", str(named))
    assert find_chromium() == named


def test_playwrights_newest_comes_before_the_path(tmp_path: Path) -> None:
    aprogram(tmp_path / "bin/chromium")
    cache = tmp_path / "home/.cache/ms-playwright"
    aprogram(cache / "chromium-1000/chrome-linux/chrome", mtime=1)
    newest = aprogram(cache / "chromium-1200/chrome-linux64/chrome", mtime=2)
    assert find_chromium() == newest


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_one_on_the_path_is_found(tmp_path: Path, name: str) -> None:
    program = aprogram(tmp_path / "bin" / name)
    assert find_chromium() == program


def test_none_is_one_clear_line_with_the_way_out() -> None:
    with pytest.raises(NoBrowser, match="REQCARD_CHROMIUM"):
        find_chromium()


def test_a_named_one_that_is_none_is_not_replaced_by_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    aprogram(tmp_path / "bin/chromium")
    monkeypatch.setenv("REQCARD_CHROMIUM", str(tmp_path / "gone"))
    with pytest.raises(NoBrowser, match="REQCARD_CHROMIUM"):
        find_chromium()


@pytest.mark.parametrize(("length", "moved"), [(20, False), (90, True)])
def test_a_long_directory_for_temporary_files_is_not_used_for_the_browser(
    monkeypatch: pytest.MonkeyPatch, length: int, moved: bool
) -> None:
    with tempfile.TemporaryDirectory(prefix="x" * length, dir="/tmp") as base:
        monkeypatch.setattr(tempfile, "tempdir", base)
        directory = Path(private_directory())
        try:
            assert (directory.parent == Path("/tmp")) is moved
            assert directory.stat().st_mode & 0o777 == 0o700
            assert moved == (list(Path(base).iterdir()) == [])
        finally:
            directory.rmdir()
