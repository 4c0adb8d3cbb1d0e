"""HAR import: a 100 MB file against ``orjson.loads`` of it.

``python -m bench.har_import 1000`` imports one of 1000 MB and prints its time and peak memory.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import orjson

from bench.comparison import Comparison, medians
from bench.har_files import ORIGIN, VALUE, write_har
from recorder.imports.importing import import_file
from recorder.plan import Plan, make_plan

MB = 1_000_000
SIZE = 100 * MB
ROUNDS = 5
_CHILD = (
    "import json, resource, sys, time\n"
    "from pathlib import Path\n"
    "from bench.har_import import imported\n"
    "begin = time.perf_counter()\n"
    "imported(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    "taken = time.perf_counter() - begin\n"
    "print(json.dumps([taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))\n"
)


async def compare() -> list[Comparison]:
    with tempfile.TemporaryDirectory() as directory:
        har, cards = Path(directory) / "large.har", Path(directory) / "cards.d"
        write_har(har, SIZE)
        raw = har.read_bytes()

        async def load() -> None:
            orjson.loads(raw)

        async def bring_in() -> None:
            imported(har, cards)

        whole, own = await medians(ROUNDS, load, bring_in)
    return [Comparison("import of a 100 MB HAR", "orjson.loads of it", own / whole, at_most=2)]


def imported(har: Path, cards: Path) -> None:
    import_file(har, _plan(cards))


def _plan(cards: Path) -> Plan:
    return make_plan(
        origin=ORIGIN, action="send_message", slots={"message": VALUE}, readback=None, cards=cards
    )


def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        har = Path(directory) / "large.har"
        write_har(har, megabytes * MB)
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, har, Path(directory) / "cards.d"],
            stdout=subprocess.PIPE,
            check=True,
        )
    seconds, peak = json.loads(done.stdout)
    print(f"{megabytes} MB: {seconds:.1f} s, peak {peak:.0f} MiB")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(int(sys.argv[1]))
    else:
        print(asyncio.run(compare())[0])
