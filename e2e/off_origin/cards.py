"""Cards for the crossing site, and files of them that somebody has edited."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rfc8785

from cards.card import CardFile, CountRecord, EvidenceRecord, card_of
from cards.contract import Contract, StructuralHeaders
from cards.holes import LiveRef, Slot, SlotRef
from cards.readback import Match, Readback
from cards.shapes import JsonBody, ObjectShape, PathShape, Target
from cards.sources import LiveValue, MetaSource, Prefix
from cards.store import CardStore

ACTION = "add_item"
DEADLINE_S = 0.2


def readback(url: str = "/api/items", **changes: Any) -> Readback:
    members: dict[str, Any] = {
        "url": url,
        "path": ("items",),
        "match": Match(field="text", slot="text"),
        "completes_task": True,
        "deadline": DEADLINE_S,
    }
    return Readback(**members | changes)


def contract(origin: str, **changes: Any) -> Contract:
    """A write with three live headers from one page: the three that other clients let slip."""

    def live(name: str, prefix: Prefix = "") -> LiveValue:
        page = Target(path=("page",))
        return LiveValue(source=MetaSource(kind="meta", page=page, name=name), prefix=prefix)

    members: dict[str, Any] = {
        "action": ACTION,
        "origin": origin,
        "method": "POST",
        "target": Target(path=("api", "items")),
        "headers": StructuralHeaders(content_type="application/json", origin=True, referer=True),
        "custom_headers": {
            "x-csrf-token": LiveRef(live="csrf"),
            "x-api-key": LiveRef(live="key"),
            "authorization": LiveRef(live="bearer"),
        },
        "body": JsonBody(kind="json", content=ObjectShape(object={"text": SlotRef(slot="text")})),
        "slots": {"text": Slot()},
        "live": {
            "csrf": live("csrf-token"),
            "key": live("api-key"),
            "bearer": live("bearer", "Bearer "),
        },
        "readback": readback(),
    }
    return Contract(**members | changes)


def with_room(origin: str) -> Contract:
    """The same with a slot in the paths of the request, its page and its readback."""
    room: PathShape = ("api", "rooms", SlotRef(slot="room"))
    page = Target(path=(*room, "page"))
    live = LiveValue(source=MetaSource(kind="meta", page=page, name="csrf-token"))
    return contract(
        origin,
        target=Target(path=(*room, "items")),
        custom_headers={"x-csrf-token": LiveRef(live="csrf")},
        live={"csrf": live},
        slots={"text": Slot(), "room": Slot()},
        readback=readback("/api/rooms/{room}/items"),
    )


def promoted(directory: Path, made: Contract) -> Path:
    """Write the card of a contract as one that was confirmed and promoted."""
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    counts = {
        "before": CountRecord(matching=0, total=0, at=noon),
        "after": CountRecord(matching=1, total=1, at=noon),
    }
    file = CardFile(
        format=1,
        digest=made.digest(),
        contract=made,
        evidence=(EvidenceRecord(acted="ui", **counts), EvidenceRecord(acted="replay", **counts)),
    )
    return CardStore(directory).write(card_of(file))


def edited(file: Path, *at: str | int, value: Any) -> None:
    """Change one member of a card's contract by hand, and its digest so that it matches again."""
    card = json.loads(file.read_bytes())
    place = card["contract"]
    for step in at[:-1]:
        place = place[step]
    place[at[-1]] = value
    card["digest"] = f"sha256:{hashlib.sha256(rfc8785.dumps(card['contract'])).hexdigest()}"
    file.write_text(json.dumps(card))
