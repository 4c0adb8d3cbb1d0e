"""The main job, as a newcomer would do it: record one action, replay it, see it proved.

Every step is the command line itself, run against the fixture site on loopback.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from e2e.site import Site

READBACK = {
    "url": "/api/messages",
    "path": ["messages"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
}


def main() -> int:
    with Site() as site, tempfile.TemporaryDirectory(prefix="reqcard-demo-") as directory:
        login = Path(directory) / "login.json"
        login.touch(mode=0o600)
        login.write_text(json.dumps(site.storage_state()))
        demo = Demo(Path(directory))
        print(f"A site with a message page runs at {site.origin}; its login is in login.json.")
        demo.say("Record: Chromium types a message and clicks Send, once.")
        demo.run(
            f"record --origin {site.origin} --action send_message "
            "--slot 'message=zebra 4711' --slot room=random "
            f"--readback '{json.dumps(READBACK)}' --start-url {site.origin}/messages "
            "--login login.json --headless --drive e2e.acts:send_message"
        )
        demo.say("The card: names, types and sources; no token, no cookie, no captured value.")
        demo.run("show send_message")
        demo.say("Replay it with another message. The author's trial, proved, promotes the card.")
        demo.run(
            "replay send_message 'message=hello from a card' room=help --login login.json --trial"
        )
        demo.say("Now anyone may call it: once more, with JSON for programs.")
        demo.run(
            "replay send_message 'message=and once more' room=general --login login.json --json"
        )
        demo.say("Without a login nothing is sent, and the answer says what to do.")
        site.expire_logins()
        demo.run("replay send_message 'message=too late' room=help --login login.json", expected=10)
        demo.say("Every attempt was written down before it was made.")
        demo.run("audit")
        texts = [message["text"] for message in site.state.messages]
        print(f"\nThe server's own list: {texts}")
        print(f"Decisive requests that it counted: {site.decisive}")
        if demo.failed or site.decisive != 3:
            print("The demo did not go as it should.", file=sys.stderr)
            return 1
    return 0


class Demo:
    """Runs commands in one directory and shows them as they would be typed."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.failed = False
        root = Path(__file__).parents[1]
        self._environment = {
            **os.environ,
            "REQCARD_DB": f"sqlite:///{directory / 'audit.db'}",
            "PYTHONPATH": str(root),
        }

    def say(self, text: str) -> None:
        print(f"\n# {text}", flush=True)

    def run(self, arguments: str, expected: int = 0) -> None:
        print(f"$ reqcard {arguments}", flush=True)
        command = [str(Path(sys.executable).with_name("reqcard")), *shlex.split(arguments)]
        done = subprocess.run(command, cwd=self.directory, env=self._environment, check=False)
        print(f"(exit {done.returncode})", flush=True)
        self.failed |= done.returncode != expected


if __name__ == "__main__":
    sys.exit(main())
