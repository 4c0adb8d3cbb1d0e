"""A message to a room: an identifier in the path, a choice in the query.

A room exists as soon as somebody goes there, so that a test may make up its identifier.
"""

import re
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site import readbacks
from e2e.site.pages import show
from e2e.site.state import stamped
from e2e.site.visits import Visit, api, json_error, page
from e2e.site.writes import Plan, decide

LANGUAGES = ("en", "de", "fr")


def _room(visit: Visit) -> str | None:
    room = str(visit.request.path_params["room"])
    return room if re.fullmatch(r"[0-9a-f]{24}", room) else None


@page
async def room_page(visit: Visit) -> Response:
    room = _room(visit)
    if room is None:
        return show("refused.html", 404, message="There is no such room.")
    return show("room.html", room=room)


@api
async def read(visit: Visit) -> Response:
    room = _room(visit)
    if room is None:
        return json_error(404, "there is no such room")
    here = [record for record in visit.state.messages if record["room"] == room]
    return readbacks.read_back(visit, here, readbacks.messages)


@api
async def post(visit: Visit) -> Response:
    said = await visit.json()
    return decide(visit, lambda: _plan(visit, said))


def _plan(visit: Visit, said: dict[str, Any]) -> Plan | Response:
    room = _room(visit)
    if room is None:
        return json_error(404, "there is no such room")
    lang = visit.request.query_params.get("lang")
    if lang not in LANGUAGES:
        return json_error(422, "lang is one of en, de, fr")
    text = said.get("text")
    if not isinstance(text, str) or not text.strip():
        return json_error(422, "a message needs a text")
    record = stamped(visit.session.user, text=text, room=room, lang=lang)
    return Plan(
        lambda delay: visit.state.message_records.add(record, delay), JSONResponse(record, 201)
    )


ROUTES = [
    Route("/rooms/{room}", room_page),
    Route("/api/rooms/{room}/messages", read, methods=["GET"]),
    Route("/api/rooms/{room}/messages", post, methods=["POST"]),
]
