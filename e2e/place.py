"""A directory with a promoted card and a login, and what a failed command there must look like."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cards.contract import Contract, StructuralHeaders
from cards.holes import LiveRef, Slot, SlotRef
from cards.readback import Match, Readback
from cards.shapes import JsonBody, ObjectShape, Target
from cards.sources import LiveValue, MetaSource
from e2e.off_origin.cards import promoted
from e2e.site import Site
from e2e.support import READBACK, Reqcard

SAID = "a text of the caller's own"
GOOD = (f"message={SAID}", "room=help")
PROGRESS = ("proxy: ", "CA to trust")


def card_of(origin: str) -> Contract:
    """A card of the message page, as small as the site takes it."""
    body = ObjectShape(object={"text": SlotRef(slot="message"), "room": SlotRef(slot="room")})
    page = Target(path=("messages",))
    return Contract(
        action="send_message",
        origin=origin,
        method="POST",
        target=Target(path=("api", "messages")),
        headers=StructuralHeaders(content_type="application/json", origin=True),
        custom_headers={"x-csrf-token": LiveRef(live="csrf")},
        body=JsonBody(kind="json", content=body),
        slots={"message": Slot(), "room": Slot(type="enum", choices=("general", "help"))},
        live={"csrf": LiveValue(source=MetaSource(kind="meta", page=page, name="csrf-token"))},
        readback=Readback(
            url="/api/messages",
            path=("messages",),
            match=Match(field="text", slot="message"),
            completes_task=True,
            deadline=1.0,
        ),
    )


@dataclass
class Place:
    """A directory with a promoted card and a login, and the site that they are for."""

    reqcard: Reqcard
    site: Site
    login: Path

    @property
    def card(self) -> Path:
        return self.reqcard.directory / "cards.d" / "send_message.json"

    def replay(self, *values: str, login: Path | None = None) -> "Told":
        return self.run("replay", "send_message", *values, "--login", login or self.login)

    def record(self, *more: str | Path) -> "Told":
        """Record without a browser, with what is given in place of the defaults."""
        given: dict[str, str | Path] = {
            "--origin": self.site.origin,
            "--action": "say_it",
            "--slot": f"message={SAID}",
            "--readback": json.dumps(READBACK),
            "--browser": "none",
            "--wait": "1",
        }
        given |= {str(name): value for name, value in zip(more[::2], more[1::2], strict=True)}
        arguments = [part for pair in given.items() for part in pair if part != ""]
        return self.run("record", *map(str, arguments))

    def run(self, *arguments: str | Path) -> "Told":
        before = self.files()
        told = Told(self.reqcard.run(*arguments))
        assert self.files() == before, "something was written"
        assert self.site.decisive == 0, "something was sent"
        return told

    def files(self) -> dict[str, bytes]:
        """Everything on disk but the audit and its locks."""
        return {
            str(path.relative_to(self.reqcard.directory)): path.read_bytes()
            for path in self.reqcard.directory.rglob("*")
            if path.is_file()
            and not path.name.startswith("audit.db")
            and ".locks" not in path.parts
        }


class Told:
    """What a failed command said."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.done = done

    def line(self, code: int, *words: str) -> None:
        """It ended with this code and one line that has these words."""
        assert self.done.returncode == code, self.done
        lines = [
            line
            for line in self.done.stderr.splitlines()
            if line.strip() and not line.startswith(PROGRESS)
        ]
        assert len(lines) == 1, self.done.stderr
        assert self.done.stdout == ""
        assert "Traceback" not in lines[0]
        assert SAID not in lines[0]
        for word in words:
            assert word in lines[0]

    def envelope(self, code: int, error: str) -> None:
        """It ended with this code and an error in the envelope."""
        assert self.done.returncode == code, self.done
        assert "Traceback" not in self.done.stderr
        answer = json.loads(self.done.stdout)
        assert answer["callId"]
        content = answer["content"]
        assert (content["ok"], content["error"]) == (False, error)
        assert content["message"]
        assert SAID not in self.done.stdout


def a_place(site: Site, directory: Path) -> Place:
    """A place in an empty directory."""
    reqcard = Reqcard(directory)
    promoted(directory / "cards.d", card_of(site.origin))
    return Place(reqcard, site, reqcard.login(site))
