"""A write that replaces the whole collection: what was there before is gone."""

from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site.pages import show
from e2e.site.state import stamped
from e2e.site.visits import Visit, api, json_error, page
from e2e.site.writes import Plan, decide


@page
async def replace_page(_visit: Visit) -> Response:
    return show("replace_all.html")


@api
async def put(visit: Visit) -> Response:
    said = await visit.json()
    return decide(visit, lambda: _plan(visit, said))


def _plan(visit: Visit, said: dict[str, Any]) -> Plan | Response:
    entries = said.get("messages")
    if not isinstance(entries, list) or not all(_has_text(entry) for entry in entries):
        return json_error(422, "messages is a list of objects with a text")
    user = visit.session.user
    records = [stamped(user, text=entry["text"], room="general") for entry in entries]
    return Plan(
        lambda delay: visit.state.message_records.replace(records, delay),
        JSONResponse({"messages": records, "total": len(records)}),
    )


def _has_text(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("text"), str)


ROUTES = [
    Route("/replace-all", replace_page),
    Route("/api/messages/all", put, methods=["PUT"]),
]
