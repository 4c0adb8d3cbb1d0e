"""``reqcard replay``: fill a card, send it once, say what happened. Trials are granted here."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reqcard.cli import output

if TYPE_CHECKING:
    from replay import Result, Trial


def replay(
    name: Annotated[str, typer.Argument(help="The card's name, as reqcard list shows it.")],
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="SLOT=VALUE…", help="One for each slot; SLOT=@FILE reads a file."),
    ] = None,
    login: Annotated[
        Path | None,
        typer.Option(help="Login file: Playwright storage_state or Netscape cookies.txt."),
    ] = None,
    cards: Annotated[Path, typer.Option(envvar="REQCARD_CARDS", help="Directory of cards.")] = Path(
        "cards.d"
    ),
    trial: Annotated[
        bool, typer.Option("--trial", help="The author's leave for a card not yet promoted.")
    ] = False,
    effect_seen: Annotated[
        bool,
        typer.Option(
            "--effect-seen", help="With --trial of a sealed card: the page shows the effect."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Prepare everything and send nothing.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds for the send (default 30).")
    ] = None,
    audit: Annotated[
        str | None, typer.Option(envvar="REQCARD_DB", help="URL of the audit's database.")
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(help="PEM file of more certificate authorities to trust.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in the JSON envelope.")] = False,
) -> None:
    """Replay a card once with fresh values, and prove it by its readback."""

    def act() -> "Result":
        leave = _trial(effect_seen, asks=not as_json) if trial else None
        return asyncio.run(
            _replay(name, _values(values or []), login, cards, leave, dry_run, timeout, audit, ca)
        )

    result = output.run(act, json=as_json)
    if as_json:
        output.emit(result.as_json())
    else:
        _tell(result)
    raise typer.Exit(result.exit_code)


async def _replay(
    name: str,
    values: dict[str, str],
    login: Path | None,
    cards: Path,
    trial: "Trial | None",
    dry_run: bool,
    timeout: float | None,
    audit: str | None,
    ca: Path | None,
) -> "Result":
    from replay import Replayer

    def show(stage: str) -> None:
        if output.is_watched():
            typer.echo(f"{stage} …", err=True)

    async with Replayer(cards=cards, login=login, audit=audit, ca=ca, on_stage=show) as replayer:
        return await replayer.replay(name, values, dry_run=dry_run, timeout=timeout, trial=trial)


def _values(pairs: list[str]) -> dict[str, str]:
    from cards.errors import UsageError

    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(
                "A value was given without the name of its slot.", "Write it as SLOT=VALUE."
            )
        if name in values:
            raise UsageError(f"The slot {name[:64]} was given twice.", "Give it once.")
        values[name] = _from_file(value[1:]) if value.startswith("@") else value
    return values


def _from_file(path: str) -> str:
    from cards.errors import UsageError

    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"The value's file can't be read: {type(error).__name__}.",
            "Name a text file behind the @; a value that begins with @ goes into a file too.",
        ) from None


def _trial(effect_seen: bool, *, asks: bool) -> "Trial":
    from replay import Trial

    def sees_effect() -> bool:
        if effect_seen or not asks or not output.is_watched():
            return effect_seen
        return typer.confirm("Does the page show the effect?", default=False, err=True)

    return Trial(sees_effect)


def _tell(result: "Result") -> None:
    from verifier.outcome import Simulated, Success

    outcome = result.outcome
    line = f"{outcome.outcome}: {outcome.message}"
    if result.promoted:
        line += " The card is promoted."
    if outcome.way_out:
        line += f" {outcome.way_out}"
    fine = isinstance(outcome, Success | Simulated)
    output.say(line, err=not fine)
    notes = outcome.notes if isinstance(outcome, Success) else ()
    for note in (*notes, *result.warnings):
        output.say(f"note: {note}.", err=True)
