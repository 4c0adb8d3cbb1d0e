"""The command line in this process, in a directory of its own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cards.card import CardFile, card_of, seal
from cards.store import CardStore
from reqcard.cli import app
from tests.support.builders import acontract, afile, aproof


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def content(self) -> Any:
        return json.loads(self.out)["content"]


class Line:
    def __init__(self, directory: Path) -> None:
        self.store = CardStore(directory / "cards.d")

    def __call__(self, *arguments: str) -> Ended:
        result = CliRunner().invoke(app, list(arguments))
        return Ended(result.exit_code, result.stdout, result.stderr)

    def has(self, file: CardFile | None = None) -> None:
        self.store.write(seal(acontract()) if file is None else card_of(file))


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REQCARD_DB", f"sqlite:///{tmp_path / 'audit.db'}")
    return Line(tmp_path)


@pytest.fixture
def promoted_file() -> CardFile:
    return afile(evidence=(aproof(), aproof(acted="replay")))
