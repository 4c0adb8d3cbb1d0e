"""A write that overwrites: the page fetches an id once, then puts every text under it."""

from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site.pages import show
from e2e.site.state import new_id, stamped
from e2e.site.visits import Visit, api, json_error, page
from e2e.site.writes import Plan, decide


@page
async def edit_page(_visit: Visit) -> Response:
    return show("edit.html")


@api
async def fresh_id(_visit: Visit) -> Response:
    return JSONResponse({"id": new_id()})


@api
async def put(visit: Visit) -> Response:
    said = await visit.json()
    return decide(visit, lambda: _plan(visit, said))


def _plan(visit: Visit, said: dict[str, Any]) -> Plan | Response:
    text = said.get("text")
    if not isinstance(text, str) or not text.strip():
        return json_error(422, "a message needs a text")
    identifier = str(visit.request.path_params["identifier"])
    record = stamped(visit.session.user, text=text, room="general") | {"id": identifier}
    known = visit.state.message_records.has(identifier)
    return Plan(
        lambda delay: visit.state.message_records.put(record, delay),
        JSONResponse(record, 200 if known else 201),
    )


ROUTES = [
    Route("/edit", edit_page),
    Route("/api/messages/new-id", fresh_id),
    Route("/api/messages/by-id/{identifier}", put, methods=["PUT"]),
]
