"""The second origin: another port that only counts who came.

Rules:
1. It counts TCP connections as they are accepted, before a byte is read: a client that opened a
   socket and then thought better of it is counted too.
2. It answers every request the same way and remembers no body.
"""

import asyncio
import threading

ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 32\r\n"
    b"Connection: close\r\n\r\n<title>the second origin</title>"
)


class SecondOrigin:
    """Counters of the second origin, read from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connections = 0
        self._requests: list[tuple[str, str]] = []

    @property
    def connections(self) -> int:
        with self._lock:
            return self._connections

    @property
    def requests(self) -> list[tuple[str, str]]:
        """Method and target of each request."""
        with self._lock:
            return list(self._requests)

    def clear(self) -> None:
        with self._lock:
            self._connections = 0
            self._requests.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection, one request."""
        with self._lock:
            self._connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, target, _ = head.split("\r\n", 1)[0].split(" ", 2)
            await reader.readexactly(_content_length(head))
            with self._lock:
                self._requests.append((method, target))
            writer.write(ANSWER)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass  # a bare connection is what is being counted; it owes no request
        finally:
            writer.close()


def _content_length(head: str) -> int:
    for line in head.split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            return int(value)
    return 0
