"""``reqcard audit``: the newest rows of the trail."""

from typing import TYPE_CHECKING, Annotated

import typer

from reqcard.cli import output

if TYPE_CHECKING:
    from replay.audit import AuditRow


def audit(
    action: Annotated[str | None, typer.Option(help="Only the rows of this action.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Rows at most.")] = 50,
    database: Annotated[
        str | None, typer.Option("--audit", envvar="REQCARD_DB", help="URL of the database.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in the JSON envelope.")] = False,
) -> None:
    """List what was attempted and what came of it, newest last."""

    def act() -> "list[AuditRow]":
        from replay.audit import Trail

        with Trail(database) as trail:
            return trail.rows(action, limit)

    rows = output.run(act, json=as_json)
    if as_json:
        output.data({"rows": [row.as_json() for row in rows]})
    elif rows:
        _table(rows)
    else:
        typer.echo("Nothing was attempted yet.")


def _table(rows: "list[AuditRow]") -> None:
    output.table(
        ("time", "action", "kind", "outcome", "values"),
        (
            (
                row.at[:19].replace("T", " "),
                row.action,
                row.kind,
                row.outcome or "",
                ", ".join(f"{name}={value}" for name, value in row.params.items()),
            )
            for row in rows
        ),
    )
