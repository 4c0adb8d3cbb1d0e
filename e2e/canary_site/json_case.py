"""A write by `fetch`: JSON at three depths, four custom headers, a query, three cookies."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from e2e.canary_site.stage import Stage, stage_of
from e2e.site.silence import Hanging


async def page(request: Request) -> Response:
    stage = stage_of(request)
    return stage.show("compose.html") if stage.is_known(request) else stage.go("/login")


async def config(request: Request) -> Response:
    stage = stage_of(request)
    if not stage.is_known(request):
        return stage.said({"error": "login required"}, 401)
    names = ("trace", "key", "inner", "code", "bearer")
    made = {name: stage.fresh(f"the leaf {name}") for name in names}
    serial = stage.marks.number("the number of /api/config")
    return stage.said({"client": {"meta": made}, "serial": serial})


async def session(request: Request) -> Response:
    stage = stage_of(request)
    answer = stage.said({"user": stage.marks.words("the user's name")})
    answer.headers["X-Stamp"] = stage.fresh("the stamp header")
    return answer


async def read(request: Request) -> Response:
    stage = stage_of(request)
    if not stage.is_known(request):
        return stage.said({"error": "login required"}, 401)
    if "typed" in request.query_params:
        stage.held.set()
    return stage.said({"entries": stage.entries, "total": len(stage.entries)})


async def post(request: Request) -> Response:
    stage = stage_of(request)
    text = (await request.body()).decode()
    refused = _refusal(stage, request, text)
    stage.note_write(request, text, refused)
    if stage.hold:
        return Hanging(request.app.state.silence)
    if refused:
        return stage.said({"error": "stale", "which": refused}, 403)
    failed = stage.fail(text)
    if failed is not None:
        return failed
    said = json.loads(text)
    stage.marks.note("the id that the page made", said["request_id"])
    record = stage.record(text=said["text"], echo=said)
    stage.entries.append(record)
    answer = stage.said(record, 201)
    answer.headers.append("set-cookie", f"last={stage.marks.text('the last cookie')}; Path=/")
    return answer


def _refusal(stage: Stage, request: Request, text: str) -> str:
    """Which live value is not the latest page's, or an empty string."""
    said: dict[str, Any] = json.loads(text)
    payload = json.loads(said["payload"])
    sent = {
        "the meta tag": request.headers.get("x-csrf-token"),
        "the double submit cookie": request.headers.get("x-double"),
        "the stamp header": request.headers.get("x-stamp"),
        "the leaf bearer": (request.headers.get("authorization") or "").removeprefix("Bearer "),
        "the leaf trace": request.query_params.get("trace"),
        "the hidden field": said["origin_note"],
        "the leaf key": said["nested"]["list"][0]["key"],
        "the leaf inner": payload["inner"],
        "the leaf code": json.loads(payload["again"])["code"],
    }
    if not stage.is_known(request):
        return "the login"
    if request.cookies.get("double") != stage.fixed["the double submit cookie"]:
        return "the double submit cookie"
    if payload["text"] != said["text"]:
        return "the text in the payload"
    return next((name for name, value in sent.items() if value != stage.fixed[name]), "")


ROUTES = [
    Route("/compose", page),
    Route("/api/config", config),
    Route("/api/session", session),
    Route("/api/entries", read, methods=["GET"]),
    Route("/api/entries", post, methods=["POST"]),
]
