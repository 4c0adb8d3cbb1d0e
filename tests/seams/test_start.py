"""Cheap start: heavy libraries are loaded by what needs them, and by nothing before."""

import subprocess
import sys

import pytest

HEAVY = ("mitmproxy", "playwright", "mcp", "dbos")
SLOW = (*HEAVY, "sqlalchemy", "httpx", "pydantic", "graphql", "rich.table")


def loaded_after(source: str, watched: tuple[str, ...]) -> str:
    program = f"import sys\n{source}\nprint(*[name for name in {watched!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def test_help_loads_nothing_heavy() -> None:
    source = (
        "from reqcard.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    )
    assert loaded_after(source, SLOW) == ""


@pytest.mark.parametrize("module", ["replay", "replay.run", "verifier", "cards", "reqcard"])
def test_replaying_loads_no_browser_and_no_proxy(module: str) -> None:
    assert loaded_after(f"import {module}", HEAVY) == ""
