"""The command line: ``reqcard``. Each command's heavy imports wait until it runs."""

import os
import sys
from typing import Annotated

import typer

from reqcard.cli import audit, cards, output
from reqcard.cli.importing import import_
from reqcard.cli.login import login
from reqcard.cli.record import record
from reqcard.cli.replay import replay

_EPILOG = (
    "First: reqcard login --origin URL --login FILE. Then: reqcard record --origin URL "
    '--action send_message --slot message="zebra 4711" --readback FILE --login FILE. '
    "Then: reqcard replay send_message message=hello --login FILE --trial."
)

app = typer.Typer(
    name="reqcard",
    help=(
        "Record one web action as a request card, replay it once with fresh values, and believe "
        "it only when a readback shows the new record."
    ),
    epilog=_EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("login")(login)
app.command("record")(record)
app.command("import")(import_)
app.command("list")(cards.list_cards)
app.command("show")(cards.show)
app.command("pin")(cards.pin)
app.command("schema")(cards.schema)
app.command("replay")(replay)
app.command("audit")(audit.audit)


def _version(asked: bool) -> None:
    if asked:
        from reqcard import __version__

        typer.echo(f"reqcard {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    del version


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its status."""
    from reqcard import check_siblings

    try:
        check_siblings()
        app(args=arguments, prog_name="reqcard")
    except ImportError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(output.FAULT_EXIT)
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001  (no traceback reaches a person)
        output.fault(error)
        sys.exit(output.FAULT_EXIT)
