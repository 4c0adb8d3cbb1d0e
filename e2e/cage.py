"""A directory in which the command line lives as in a machine of its own, at its most talkative.

Rules:
1. Home, temporary files, state, cache and working directory all lie below one directory, so that
   whatever is written anywhere is found by looking there.
2. Its name is short: the path of a Unix socket has 107 bytes (unix(7)), and Chromium keeps one
   below the directory for temporary files.
3. Python's logging is at DEBUG for every logger, and the program's own debugging is on.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_PROGRAM = """
import logging, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, force=True)
for name in ("asyncio", "httpx", "httpcore", "mitmproxy", "sqlalchemy", "playwright", "reqcard"):
    logging.getLogger(name).setLevel(logging.DEBUG)
{before}
from reqcard.cli import main
main(sys.argv[1:])
"""


class Cage:
    """Runs ``reqcard`` in one directory.

    Attributes:
        root: everything that is written is below it.
        work: the working directory, with the cards.
        login: the login file.
        said: what each finished command printed, by a name for it.
    """

    def __init__(self, root: Path, login: Mapping[str, Any]) -> None:
        self.root = root
        self.work = root / "work"
        self.login = self.work / "login.json"
        self.said: list[tuple[str, str]] = []
        folders = {"HOME": root / "home", "TMPDIR": root / "tmp"} | {
            f"XDG_{name}_HOME": root / "xdg" / name.lower()
            for name in ("STATE", "CACHE", "CONFIG", "DATA")
        }
        for folder in (self.work, *folders.values()):
            folder.mkdir(parents=True)
        self.login.touch(mode=0o600)
        self.login.write_text(json.dumps(login))
        self.environment = {
            **{key: os.environ[key] for key in ("PATH", "REQCARD_CHROMIUM") if key in os.environ},
            **{key: str(folder) for key, folder in folders.items()},
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "REQCARD_DEBUG": "1",
        }

    def command(self, *arguments: str | Path, before: str = "") -> list[str]:
        """The command line of a process; ``before`` is run in it first."""
        program = _PROGRAM.format(before=before)
        return [sys.executable, "-c", program, *map(str, arguments)]

    def run(
        self, *arguments: str | Path, before: str = "", name: str = "", timeout: float = 90
    ) -> subprocess.CompletedProcess[str]:
        """Run one command to its end and keep what it said."""
        done = subprocess.run(
            self.command(*arguments, before=before),
            cwd=self.work,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        told = name or str(arguments[0])
        self.said += [(f"stdout of {told}", done.stdout), (f"stderr of {told}", done.stderr)]
        return done

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Start one command in a session of its own; the caller ends it."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.work,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def cards(self) -> Path:
        return self.work / "cards.d"

    @property
    def databases(self) -> list[Path]:
        """The audit's database with what lies beside it."""
        return [path for path in self.root.rglob("*.db*") if path.is_file()]


@contextmanager
def cage(login: Mapping[str, Any]) -> Iterator[Cage]:
    """A cage with a login, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="cage-", dir="/tmp") as root:
        yield Cage(Path(root), login)


def descendants(pid: int) -> list[int]:
    """The processes below this one, in Linux's ``/proc``."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(after_name[1]), []).append(int(stat.parent.name))
    found, waiting = [], [pid]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def alive(pids: list[int]) -> list[int]:
    """Those of the processes that still run."""
    running = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            running.append(pid)
    return running


def await_end(pids: list[int], seconds: float) -> list[int]:
    """Wait for processes that are no children of ours; those that still run at the end."""
    end = time.monotonic() + seconds
    while (left := alive(pids)) and time.monotonic() < end:
        time.sleep(0.05)  # /proc tells no events, and these are not our children
    return left
