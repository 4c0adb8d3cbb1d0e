"""What ``reqcard record`` says of a recording: the card, and what each request was taken for."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from reqcard.cli import output

if TYPE_CHECKING:
    from recorder.explaining import Explained
    from recorder.recorded import Recorded
    from recorder.session import Recording

_WIDEST_PATH = 44


def tell(recorded: "Recorded", *, as_json: bool) -> None:
    """Print a recording that sealed a card."""
    if as_json:
        output.data(recorded.as_json())
        return
    for line in (*explained_lines(recorded.explained or ()), *_lines(recorded)):
        output.say(line)


@asynccontextmanager
async def explained_failure(recording: "Recording", *, as_json: bool) -> AsyncIterator[None]:
    """Say what each request was taken for also where that left no card."""
    from cards.errors import AmbiguousAction, NothingCaptured

    try:
        yield
    except (AmbiguousAction, NothingCaptured) as error:
        if as_json and recording.explains:
            error.details["explained"] = [one.as_json() for one in recording.explained]
        elif recording.explains:
            for line in explained_lines(recording.explained):
                output.say(line)
        raise


def explained_lines(explained: "Sequence[Explained]") -> list[str]:
    """One line for each request, in columns: method, path template, reason."""
    methods = max((len(one.method) for one in explained), default=0)
    paths = min(max((len(one.path) for one in explained), default=0), _WIDEST_PATH)
    return [f"{one.method:<{methods}} {one.path:<{paths}} {one.reason}" for one in explained]


def _lines(recorded: "Recorded") -> list[str]:
    lines = [recorded.line(), f"card: {recorded.file}"]
    if recorded.reason:
        lines.append(recorded.reason)
    if unresolved := recorded.card.contract.unresolved:
        lines.append(f"without a source, and not sent on replay: {', '.join(unresolved)}")
    if recorded.script_fields:
        lines.append(
            f"made by the page's script, now slots: {', '.join(recorded.script_fields)}; where one "
            f"never changes: reqcard pin {recorded.card.action} FIELD=VALUE"
        )
    return lines
