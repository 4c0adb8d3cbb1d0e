"""``reqcard import``: make a sealed card of traffic that was saved elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reqcard.cli import output

if TYPE_CHECKING:
    from recorder.imports.passed import Progress
    from recorder.recorded import Recorded


def import_(
    file: Annotated[
        Path, typer.Argument(help="A HAR (.har) or a flow file of mitmproxy (.flow, .mitm).")
    ],
    origin: Annotated[str, typer.Option(help="Origin whose action is imported.")],
    action: Annotated[str, typer.Option(help="Name of the action's card.")],
    slot: Annotated[
        list[str] | None,
        typer.Option(help="What was typed: name=value or name:type=value. Repeatable."),
    ] = None,
    readback: Annotated[
        str | None, typer.Option(help="Readback form: JSON, or the name of a file that holds it.")
    ] = None,
    pin: Annotated[
        list[str] | None,
        typer.Option(help="A constant: FIELD=VALUE, or FIELD to keep what was sent. Repeatable."),
    ] = None,
    cards: Annotated[Path, typer.Option(envvar="REQCARD_CARDS", help="Directory of cards.")] = Path(
        "cards.d"
    ),
    force: Annotated[
        bool, typer.Option("--force", help="Take a request that was never answered, too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in the JSON envelope.")] = False,
) -> None:
    """Make a sealed card of an action that a HAR or a flow file holds.

    The card starts as sealed: its first replay is a trial, after which you say whether the page
    shows the effect.
    """

    def act() -> "Recorded":
        from recorder.imports.importing import import_file
        from recorder.plan import make_plan, split_slots

        plan = make_plan(
            origin=origin,
            action=action,
            slots=split_slots(slot or ()),
            readback=readback,
            cards=cards,
            pins=pin or (),
        )
        with _progress(file, shown=output.is_watched() and not as_json) as progress:
            return import_file(file, plan, force=force, progress=progress)

    imported = output.run(act, json=as_json)
    if as_json:
        output.data(imported.as_json())
        return
    for line in _lines(imported):
        output.say(line)


def _lines(imported: "Recorded") -> Iterator[str]:
    from recorder.seal import template_of

    contract = imported.card.contract
    yield f"imported, {imported.card.state}: {template_of(contract)}"
    yield f"card: {imported.file}"
    if imported.reason:
        yield imported.reason
    if contract.unresolved:
        yield f"without a source, and not sent on replay: {', '.join(contract.unresolved)}"
    if imported.script_fields:
        yield (
            f"made by the page's script, now slots: {', '.join(imported.script_fields)}; where one "
            f"never changes: reqcard pin {imported.card.action} FIELD=VALUE"
        )


@contextmanager
def _progress(file: Path, *, shown: bool) -> Iterator["Progress"]:
    if not shown or not file.is_file():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("reading", total=file.stat().st_size)
        yield lambda done: bars.update(bar, completed=done)
