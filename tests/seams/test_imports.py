"""The import contracts hold, and each catches the wrong import that it is there for."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("cards", "verifier", "recorder", "replay", "reqcard")


def lint(directory: Path) -> subprocess.CompletedProcess[str]:
    tool = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [tool, "--no-cache"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(directory), "PATH": ""},
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in PACKAGES:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("file", "planted"),
    [
        ("cards/card.py", "import verifier.login"),
        ("verifier/records.py", "import replay.slots"),
        ("recorder/seal.py", "import replay.building"),
        ("recorder/seal.py", "import replay.send"),
        ("replay/prepare.py", "import replay.send"),
        ("replay/prepare.py", "import replay.run"),
        ("replay/settle.py", "import replay.wire"),
        ("replay/result.py", "import replay.send"),
        ("replay/send.py", "import stamina"),
        ("replay/wire.py", "import stamina"),
        ("replay/run.py", "import verifier.evidence"),
        ("recorder/session.py", "import cards.transitions"),
        ("replay/run.py", "import mitmproxy"),
        ("verifier/http.py", "import playwright"),
    ],
)
def test_a_planted_import_is_caught(copy: Path, file: str, planted: str) -> None:
    with (copy / file).open("a") as module:
        module.write(f"\n{planted}\n")
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout
