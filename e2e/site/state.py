"""Everything that the site remembers, in one object that tests look into.

Rules:
1. Endpoints reach it by `request.app.state.site`; there are no module globals.
2. `clear` gives back the state of a fresh site, log and logins included.
"""

import datetime as dt
import secrets
from pathlib import Path

from e2e.site.records import Collection, Record
from e2e.site.seen import RequestLog
from e2e.site.sessions import Sessions
from e2e.site.silence import Silence
from e2e.site.switches import Switches


class State:
    """The site's memory.

    Args:
        beacon_origin: where off-origin beacons and redirects point.
        watch_cards: the directory to look into when a decisive request arrives.
    """

    def __init__(self, beacon_origin: str, watch_cards: Path | None = None) -> None:
        self.beacon_origin = beacon_origin
        self.log = RequestLog(watch_cards)
        self.sessions = Sessions()
        self.silence = Silence()
        self.switches = Switches()
        self.message_records = Collection()
        self.note_records = Collection()
        self.task_records = Collection()

    @property
    def messages(self) -> list[Record]:
        return self.message_records.visible()

    @property
    def notes(self) -> list[Record]:
        return self.note_records.visible()

    @property
    def tasks(self) -> list[Record]:
        return self.task_records.visible()

    def clear(self) -> None:
        self.switches = Switches()
        self.silence.release()
        self.log.clear()
        self.sessions.end_all()
        for records in (self.message_records, self.note_records, self.task_records):
            records.clear()


def new_id() -> str:
    """An identifier as document databases make them: 24 hexadecimal digits."""
    return secrets.token_hex(12)


def stamped(author: str, **fields: object) -> Record:
    """A record with an id, its author and the time."""
    created = dt.datetime.now(dt.UTC).isoformat()
    return {"id": new_id(), **fields, "author": author, "created": created}
