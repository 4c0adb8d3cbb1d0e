"""Records that were stored, some of which show themselves late.

Rules:
1. A record with a delay is stored now and visible later: no timer, the clock decides when read.
2. Only copies leave; writers and readers are different threads.
"""

import threading
import time
from typing import Any

Record = dict[str, Any]


class Collection:
    """An ordered list of records, each a dict with an `id`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: list[tuple[float, Record]] = []

    def add(self, record: Record, delay: float = 0.0) -> None:
        """Store a record that readers see after `delay` seconds."""
        with self._lock:
            self._records.append((time.monotonic() + delay, dict(record)))

    def put(self, record: Record, delay: float = 0.0) -> None:
        """Overwrite the record of the same id where it stands, or add it."""
        entry = (time.monotonic() + delay, dict(record))
        with self._lock:
            for index, (_, known) in enumerate(self._records):
                if known["id"] == record["id"]:
                    self._records[index] = entry
                    return
            self._records.append(entry)

    def replace(self, records: list[Record], delay: float = 0.0) -> None:
        """Drop everything and store these."""
        visible_at = time.monotonic() + delay
        with self._lock:
            self._records = [(visible_at, dict(record)) for record in records]

    def has(self, identifier: str) -> bool:
        with self._lock:
            return any(record["id"] == identifier for _, record in self._records)

    def visible(self) -> list[Record]:
        now = time.monotonic()
        with self._lock:
            return [dict(record) for visible_at, record in self._records if visible_at <= now]

    def clear(self) -> None:
        with self._lock:
            self._records.clear()
