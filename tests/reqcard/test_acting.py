"""What a program's drive function may be, and how its failure is told."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from cards.errors import UsageError
from reqcard.cli.acting import first_of, load_drive, stoppable, told_without


def test_a_drive_function_is_found_in_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_acts_of_this_test.py").write_text("async def go(page, values): ...\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert load_drive("my_acts_of_this_test:go").__name__ == "go"


@pytest.mark.parametrize(
    "name", ["nothing", "json:", ":dumps", "no_such_module:go", "json:no_such", "json:dumps"]
)
def test_what_is_no_drive_function_is_one_clear_line(name: str) -> None:
    with pytest.raises(UsageError, match="MODULE:FUNCTION"):
        load_drive(name)


@pytest.mark.parametrize(
    "message",
    [
        "the text zebra 4711 was not found",
        'locator("text=\\"zebra 4711\\"") was not found',
        "zebra%204711 and zebra+4711 were not found",
        "net::ERR_ABORTED at https://app.example.test/?q=CANARY",
        "first line\nzebra 4711 CANARY",
    ],
)
def test_a_failure_is_told_without_values_and_urls(message: str) -> None:
    told = told_without(["zebra 4711"], ValueError(message))
    assert told.startswith("ValueError: ")
    assert "zebra" not in told
    assert "CANARY" not in told


def test_a_failure_without_a_message_is_its_type() -> None:
    assert told_without([], KeyError()) == "KeyError"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_waiting_and_nothing_else(number: signal.Signals) -> None:
    async with stoppable() as stop:
        os.kill(os.getpid(), number)
        await first_of(stop.wait(), asyncio.Event().wait(), seconds=5)
        assert stop.is_set()


async def test_waiting_ends_in_time_without_anything() -> None:
    await first_of(asyncio.Event().wait(), seconds=0.01)
