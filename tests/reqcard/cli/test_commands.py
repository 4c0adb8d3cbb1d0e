import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cards.card import CardFile
from reqcard import __version__
from reqcard.cli import app, output
from tests.reqcard.cli.conftest import Line

COMMANDS = typer.main.get_command(app)
NAMES = sorted(getattr(COMMANDS, "commands", {}))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_teaches_and_answers_programs(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"])
    assert shown.exit_code == 0
    assert "--json" in shown.stdout
    assert len(shown.stdout.splitlines()) > 5


def test_the_help_shows_how_to_begin() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    assert "reqcard record --origin" in " ".join(shown.split())


def test_the_version_is_told() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"reqcard {__version__}\n"


@pytest.mark.parametrize("arguments", [["nonsense"], ["replay"], ["list", "--nonsense"]])
def test_a_wrong_argument_exits_with_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


def test_a_confirmed_card_is_not_replayed_without_a_trial(line: Line) -> None:
    line.has()
    ended = line("replay", "send_message", "message=hello")
    assert ended.code == 15
    assert "--trial" in ended.err


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["message"], "SLOT=VALUE"),
        (["message=a", "message=b"], "twice"),
        (["message=@/nowhere"], "can't be read"),
    ],
)
def test_values_that_are_written_wrongly_are_told(
    line: Line, promoted_file: CardFile, values: list[str], told: str
) -> None:
    line.has(promoted_file)
    ended = line("replay", "send_message", *values)
    assert ended.code == 2
    assert told in ended.err


def test_a_login_file_that_is_missing_is_told_by_name(line: Line, promoted_file: CardFile) -> None:
    line.has(promoted_file)
    ended = line("replay", "send_message", "message=hello", "--login", "nobody.json", "--json")
    assert ended.code == 15
    assert ended.content["error"] == "BAD_LOGIN"
    assert ended.content["sent"] == "no"


def test_an_empty_audit_says_so(line: Line) -> None:
    assert "Nothing was attempted yet" in line("audit").out
    assert line("audit", "--json").content["data"] == {"rows": []}


def test_a_fault_is_told_by_its_type_and_never_by_its_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def act() -> None:
        secret = "CANARY"
        raise ValueError(secret)

    monkeypatch.setenv("REQCARD_DEBUG", "1")
    with pytest.raises(typer.Exit) as end:
        output.run(act)
    told = capsys.readouterr().err
    assert end.value.exit_code == output.FAULT_EXIT
    assert "ValueError" in told
    assert "in act" in told
    assert "CANARY" not in told


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    reqcard = Path(sys.executable).with_name("reqcard")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [reqcard, "schema"], stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path, check=False
    )
    os.close(writing)
    assert done.stderr == b""


@pytest.mark.parametrize("text", ["\x1b[2J", "a\rb", "\u202egpj", "\x07", "\x00"])
def test_no_control_character_is_printed(text: str) -> None:
    assert not any(char in output.plain(text) for char in "\x1b\r\u202e\x07\x00")
