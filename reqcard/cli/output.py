"""How every command speaks: one line for a person, one envelope for a program.

Rules:
1. A user's mistake is one line with its cause and the way out, never a traceback.
2. A fault of the program is told by its type. Its message may hold a value, so it is shown
   nowhere, not even under ``REQCARD_DEBUG``, which adds where it happened.
"""

import json as json_format
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import typer

# Control, format (bidirectional marks), surrogate and private characters (Unicode section 4.5).
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co"})
FAULT_EXIT = 70  # EX_SOFTWARE of sysexits(3)
INTERRUPTED_EXIT = 130


def run[T](act: Callable[[], T], *, json: bool = False) -> T:
    """Do a command's work, and turn what goes wrong into words and an exit status.

    Args:
        act: the work.
        json: whether an error is told as an envelope.
    """
    from cards.errors import UserError

    try:
        return act()
    except UserError as error:
        if json:
            from replay.result import error_envelope

            emit(error_envelope(error))
        else:
            say(f"error: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED_EXIT) from None
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise
    except Exception as error:  # noqa: BLE001  (rule 2)
        fault(error)
        raise typer.Exit(FAULT_EXIT) from None


def say(text: str, *, err: bool = False) -> None:
    """Print a line for a person; no control character of a card or a site reaches the terminal."""
    typer.echo(plain(text), err=err)


def plain(text: str) -> str:
    """The text with its control and formatting characters made visible as a dot."""
    return "".join("·" if unicodedata.category(char) in _UNSEEN else char for char in text)


def table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows under headings, folded to the terminal's width, markup taken literally."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False)
    for heading in headings:
        grid.add_column(heading, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(plain(cell)) for cell in row))
    Console().print(grid)


def data(value: Any) -> None:
    """Print a command's answer in the envelope."""
    from replay.result import envelope

    emit(envelope(value))


def emit(envelope: Any) -> None:
    """Print an envelope."""
    typer.echo(json_format.dumps(envelope, ensure_ascii=False))


def fault(error: BaseException) -> None:
    """Tell of a fault of the program, without its message."""
    typer.echo(
        f"fault: reqcard met an error that it did not expect ({type(error).__name__}). "
        "Set REQCARD_DEBUG=1 to see where.",
        err=True,
    )
    if os.environ.get("REQCARD_DEBUG"):
        for line in places(error):
            typer.echo(line, err=True)


def places(error: BaseException) -> list[str]:
    """Where an error happened: types, files and lines, and nothing that could hold a value."""
    import traceback

    lines = []
    chain: BaseException | None = error
    while chain is not None:
        lines.append(f"{type(chain).__name__} at")
        lines.extend(
            f"  {frame.f_code.co_filename}:{number} in {frame.f_code.co_name}"
            for frame, number in traceback.walk_tb(chain.__traceback__)
        )
        chain = chain.__cause__ or chain.__context__
    return lines


def is_watched() -> bool:
    """Whether a person sees the error stream, so that progress is worth showing."""
    return sys.stderr.isatty()
