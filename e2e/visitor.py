"""A visitor without a browser: asks the site what its pages would ask.

Rules:
1. It is a witness for the site, so it shares no code with the project's own client.
"""

import re
import uuid
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

import httpx
import orjson

ROOM = "5f2b1c9e8a7d4b3c2e1f0a9b"


class Visitor:
    """One kept client; redirects are not followed."""

    def __init__(
        self, origin: str, cookie: tuple[str, str] | None = None, proxy: str | None = None
    ) -> None:
        self.origin = origin
        # The witness must not be what it bears witness about. Reading the machine's certificates
        # would take longer than most of its tests.
        self.client = httpx.Client(  # noqa: TID251
            base_url=origin, timeout=15.0, verify=False, proxy=proxy
        )
        if cookie is not None:
            self.client.cookies.set(*cookie, domain="127.0.0.1", path="/")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.client.close()

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path)

    def json(self, path: str) -> Any:
        return self.client.get(path).json()

    def texts(self) -> list[str]:
        """What the readback shows."""
        return [message["text"] for message in self.json("/api/messages")["messages"]]

    def page_token(self) -> str:
        return _found(r'name="csrf-token" content="([^"]+)"', self.get("/messages").text)

    def form_tokens(self) -> list[str]:
        """The tokens of /notes/new, in the order of the page: newsletter, then note."""
        return re.findall(r'name="csrf_token" value="([^"]+)"', self.get("/notes/new").text)

    def task_token(self) -> str:
        self.get("/tasks")
        return unquote(self.client.cookies["XSRF-TOKEN"])

    def message(self, text: object, **other: object) -> dict[str, object]:
        """The body that the page /messages sends."""
        source = self.json("/api/config")["client"]["meta"]["source"]
        return {
            "text": text,
            "room": "general",
            "client_id": str(uuid.uuid4()),
            "nested": {"meta": {"source": source}},
            "payload": orjson.dumps({"text": text}).decode(),
        } | other

    def post_message(self, text: object = "hello", **other: object) -> httpx.Response:
        """Do what the page does, up to the decisive request."""
        return self.post_json("/api/messages", self.message(text, **other), self.page_token())

    def post_json(self, path: str, body: object, token: str = "") -> httpx.Response:
        return self.client.post(path, json=body, headers={"X-CSRF-Token": token})

    def post_note(self, **fields: object) -> httpx.Response:
        filled = {"csrf_token": self.form_tokens()[1], "next": "/notes", "title": "Milk"}
        return self.client.post("/notes", data=filled | {"_save": "Save"} | fields)

    def post_task(self, token: str | None = None, due: str = "2026-02-03") -> httpx.Response:
        sent = self.task_token() if token is None else token
        return self.client.post(
            "/api/tasks", data={"title": "Rest", "due": due}, headers={"X-XSRF-TOKEN": sent}
        )


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, f"the page has nothing like {pattern}"
    return match[1]
