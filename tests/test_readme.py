"""What the README shows is true of the program."""

import ast
import json
import re
from pathlib import Path

import pytest
import typer

from cards.card import SealedCard
from cards.origin import Origin
from cards.readback import parse_readback
from cards.store import CardStore
from reqcard.cli import app
from tests.verifier.test_outcome import ALL
from verifier.outcome import Outcome, exit_code

README = (Path(__file__).parents[1] / "README.md").read_text()
COMMANDS = set(getattr(typer.main.get_command(app), "commands", {}))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_two_commands_come_first() -> None:
    console = blocks("console")[0]
    assert "make demo" in console
    assert "make test" in console


def test_the_card_that_is_shown_is_one(tmp_path: Path) -> None:
    (shown,) = (block for block in blocks("json") if '"format"' in block)
    (tmp_path / "send_message.json").write_text(shown)
    assert isinstance(CardStore(tmp_path).load("send_message"), SealedCard)


def test_the_readback_that_is_shown_is_one() -> None:
    (shown,) = (block for block in blocks("json") if '"format"' not in block)
    parse_readback(json.dumps(json.loads(shown)), Origin.parse("https://app.example.test"))


def test_every_command_that_is_shown_exists() -> None:
    shown = set(re.findall(r"reqcard ([a-z]+)\b", "\n".join(blocks("console"))))
    shown |= set(re.findall(r"`reqcard ([a-z]+)", README))
    assert shown <= COMMANDS


@pytest.mark.parametrize("outcome", ALL)
def test_the_table_gives_each_outcome_its_exit_code(outcome: Outcome) -> None:
    row = re.search(rf"\| `{outcome.outcome}` \|[^|]*\| (\d+) \|", README)
    assert row is not None
    assert int(row[1]) == exit_code(outcome)


def test_the_python_that_is_shown_parses_and_its_names_exist() -> None:
    (shown,) = blocks("python")
    for node in ast.walk(ast.parse(shown)):
        if isinstance(node, ast.ImportFrom):
            module = __import__(str(node.module), fromlist=["x"])
            assert all(hasattr(module, name.name) for name in node.names)


def test_every_document_that_is_linked_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists() or "://" in target
