"""HAR and flow files as exporters write them; a test changes only what it is about."""

import json
from pathlib import Path
from typing import Any

from mitmproxy.io import FlowWriter
from mitmproxy.test import tflow

from cards.readback import Readback
from recorder.plan import Plan, make_plan

ORIGIN = "https://app.example.test"
VALUE = "zebra 4711"
PAGE = '<html><meta name="csrf-token" content="CANARY-token-9f86d081884c7d65"></html>'
TOKEN = "CANARY-token-9f86d081884c7d65"


def anentry(
    target: str = "/api/messages",
    sent: Any = None,
    *,
    method: str = "POST",
    status: int = 201,
    answer: str = '{"id":1}',
    kind: str = "application/json",
    headers: dict[str, str] | None = None,
    answered: dict[str, str] | None = None,
    origin: str = ORIGIN,
    **request: Any,
) -> dict[str, Any]:
    post = {} if sent is None else {"postData": {"mimeType": kind, "text": json.dumps(sent)}}
    return {
        "startedDateTime": "2026-01-05T10:00:00.000Z",
        "request": {
            "method": method,
            "url": origin + target,
            "headers": pairs(headers or {}),
            "bodySize": -1,
            **post,
            **request,
        },
        "response": {
            "status": status,
            "headers": pairs(answered or {}),
            "content": {"mimeType": kind, "text": answer},
        },
    }


def apage(target: str = "/messages", html: str = PAGE, **changes: Any) -> dict[str, Any]:
    return anentry(target, method="GET", status=200, answer=html, kind="text/html", **changes)


def anaction(**changes: Any) -> dict[str, Any]:
    members: dict[str, Any] = {"sent": {"text": VALUE}, "headers": {"x-csrf-token": TOKEN}}
    return anentry(**{**members, **changes})


def pairs(headers: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]


def har(directory: Path, *entries: Any, name: str = "saved.har", creator: str = "x") -> Path:
    path = directory / name
    log = {"version": "1.2", "creator": {"name": creator}, "entries": entries}
    path.write_text(json.dumps({"log": log}))
    return path


def flows(directory: Path, *saved: Any, name: str = "saved.flow") -> Path:
    path = directory / name
    with path.open("wb") as file:
        writer = FlowWriter(file)  # type: ignore[no-untyped-call]
        for flow in saved:
            writer.add(flow)
    return path


def aflow(
    target: str = "/api/messages",
    sent: Any = None,
    *,
    method: str = "POST",
    answer: str = '{"id":1}',
    kind: str = "application/json",
    headers: dict[str, str] | None = None,
) -> Any:
    flow: Any = tflow.tflow(resp=True)
    flow.request.url = ORIGIN + target
    flow.request.method = method
    flow.request.headers.clear()
    flow.request.headers.update(headers or {})
    flow.request.text = ""
    if sent is not None:
        flow.request.headers["content-type"] = "application/json"
        flow.request.text = json.dumps(sent)
    flow.response.headers.clear()
    flow.response.headers["content-type"] = kind
    flow.response.text = answer
    return flow


def aplan(directory: Path, readback: Readback | None = None, **slots: str) -> Plan:
    return make_plan(
        origin=ORIGIN,
        action="send_message",
        slots=slots or {"message": VALUE},
        readback=readback,
        cards=directory / "cards.d",
    )
