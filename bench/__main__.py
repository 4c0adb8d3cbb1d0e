"""``make bench``: runs every comparison in turn and prints one table."""

import asyncio
import sys

from rich.console import Console
from rich.table import Table

from bench import har_import, proxying, replaying, starting
from bench.comparison import Comparison


def main() -> int:
    console = Console()
    rows: list[Comparison] = []
    for part in (starting, replaying, proxying, har_import):
        console.print(f"[dim]{(part.__doc__ or '').splitlines()[0]}[/dim]")
        rows.extend(asyncio.run(part.compare()))
    table = Table(title="One run, ratios of medians", title_justify="left")
    for heading in ("what", "against", "ratio", "goal", "met"):
        table.add_column(heading)
    for row in rows:
        table.add_row(row.what, row.against, f"{row.ratio:.2f}", row.goal, row.verdict)
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
