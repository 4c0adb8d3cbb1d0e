"""Valid-by-default parts of a card; a test changes only what it is about."""

from datetime import UTC, datetime
from typing import Any

from cards.card import CardFile, CountRecord, EvidenceRecord
from cards.contract import Contract, StructuralHeaders
from cards.holes import LiveRef, Slot, SlotRef
from cards.readback import Match, Readback
from cards.shapes import JsonBody, ObjectShape, Target
from cards.sources import LiveValue, MetaSource

ORIGIN = "https://app.example.test"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def areadback(**changes: Any) -> Readback:
    members: dict[str, Any] = {
        "url": "/api/messages",
        "path": ("messages",),
        "match": Match(field="text", slot="message"),
        "completes_task": True,
    }
    return Readback(**{**members, **changes})


def acontract(**changes: Any) -> Contract:
    members: dict[str, Any] = {
        "action": "send_message",
        "origin": ORIGIN,
        "method": "POST",
        "target": Target(path=("api", "messages")),
        "headers": StructuralHeaders(content_type="application/json", accept="*/*"),
        "custom_headers": {"x-csrf-token": LiveRef(live="csrf_token")},
        "body": JsonBody(
            kind="json", content=ObjectShape(object={"text": SlotRef(slot="message")})
        ),
        "slots": {"message": Slot()},
        "live": {
            "csrf_token": LiveValue(
                source=MetaSource(kind="meta", page=Target(path=("messages",)), name="csrf-token")
            )
        },
        "readback": areadback(),
    }
    return Contract(**{**members, **changes})


def aproof(**changes: Any) -> EvidenceRecord:
    members: dict[str, Any] = {
        "acted": "ui",
        "before": CountRecord(matching=0, total=3, at=NOON),
        "after": CountRecord(matching=1, total=4, at=NOON),
    }
    return EvidenceRecord(**{**members, **changes})


def afile(**changes: Any) -> CardFile:
    contract = changes.pop("contract", None) or acontract()
    members = {"format": 1, "digest": contract.digest(), "contract": contract}
    return CardFile(**{**members, **changes})
