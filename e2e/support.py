"""The command line as tests call it: a process of its own, in a directory of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

from e2e.site import Site

ROOT = Path(__file__).parents[1]
REQCARD = Path(sys.executable).with_name("reqcard")
DEADLINE_S = 2.5
READBACK = {
    "url": "/api/messages",
    "path": ["messages"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
    "deadline": DEADLINE_S,
}


class Reqcard:
    """Runs ``reqcard`` with its cards, audit and logins in one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("REQCARD_D")},
            "REQCARD_DB": f"sqlite:///{directory / 'audit.db'}",
            "PYTHONPATH": str(ROOT),
        }

    def run(self, *arguments: str | Path, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [REQCARD, *arguments],
            cwd=self.directory,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """The same in the background; whoever starts it waits for its end."""
        return subprocess.Popen(
            [REQCARD, *arguments],
            cwd=self.directory,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def login(self, site: Site) -> Path:
        """A login file of a user who is logged in at the site."""
        path = self.directory / "login.state"
        path.touch(mode=0o600)
        path.write_text(json.dumps(site.storage_state()))
        return path

    def record(
        self, site: Site, *arguments: str | Path, page: str = "/messages"
    ) -> subprocess.CompletedProcess[str]:
        """Record in headless Chromium with the login of a new session."""
        return self.run(
            *("record", "--origin", site.origin, "--start-url", f"{site.origin}{page}"),
            *("--login", self.login(site), "--headless", *arguments),
        )
