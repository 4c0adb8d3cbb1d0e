"""Values that replay makes by itself, afresh for each run."""

import secrets
import string
import time
import uuid
from datetime import UTC, datetime
from typing import assert_never

from cards.contract import Contract
from cards.holes import GeneratedValue

_BASE62 = string.digits + string.ascii_letters


def generate(contract: Contract) -> dict[str, str | int]:
    """One new value for each generated value of the card, by name."""
    return {name: _make(kind) for name, kind in contract.generated.items()}


def _make(value: GeneratedValue) -> str | int:
    made = _shape(value)
    return str(made) if value.as_text else made


def _shape(value: GeneratedValue) -> str | int:
    length = value.length or 0
    match value.kind:
        case "uuid":
            return str(uuid.uuid4())
        case "epoch_seconds":
            return int(time.time())
        case "epoch_milliseconds":
            return time.time_ns() // 1_000_000
        case "iso_datetime":
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            return now.replace("+00:00", "Z")
        case "hex":
            return secrets.token_hex((length + 1) // 2)[:length]
        case "base62":
            return "".join(secrets.choice(_BASE62) for _ in range(length))
        case _:
            assert_never(value.kind)
