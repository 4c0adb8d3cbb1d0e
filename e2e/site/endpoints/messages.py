"""Post a message by `fetch`: JSON, with the token of the latest page load in a header.

The site looks at each part that a stale or careless copy would get wrong: the token, the leaf from
/api/config, the JSON inside the JSON, and an id that the page makes up and that is taken once.
"""

import uuid
from typing import Any

import orjson
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site import readbacks
from e2e.site.pages import show
from e2e.site.sessions import token
from e2e.site.state import stamped
from e2e.site.visits import Visit, api, json_error, page
from e2e.site.writes import Plan, decide


@page
async def messages_page(visit: Visit) -> Response:
    visit.session.page_token = token()
    return show("messages.html", csrf=visit.session.page_token, beacon=visit.state.beacon_origin)


@api
async def read(visit: Visit) -> Response:
    return readbacks.read_back(visit, visit.state.messages, readbacks.messages)


@api
async def post(visit: Visit) -> Response:
    said = await visit.json()
    return decide(visit, lambda: _plan(visit, said))


def has_token(visit: Visit) -> bool:
    """Whether the request carries the token of the latest page load, or of GET /api/session."""
    sent = visit.request.headers.get("x-csrf-token")
    return sent in (visit.session.page_token, visit.session.header_token)


def _plan(visit: Visit, said: dict[str, Any]) -> Plan | Response:
    if not has_token(visit):
        return json_error(403, "the token is stale")
    text = said.get("text")
    if not isinstance(text, str) or not text.strip():
        return json_error(422, "a message needs a text")
    if "payload" in said and _inner_text(said["payload"]) != text:
        return json_error(422, "the payload says another text")
    if "nested" in said and said["nested"] != {"meta": {"source": visit.session.source}}:
        return json_error(403, "the source is not this login's")
    client_id = said.get("client_id")
    if client_id is not None:
        if not _is_uuid(client_id):
            return json_error(422, "client_id is not a UUID")
        if client_id in visit.session.client_ids:
            return json_error(409, "this client_id was used before")
    room = str(said.get("room", "general"))
    record = stamped(visit.session.user, text=text, room=room)

    def commit(delay: float) -> None:
        if client_id is not None:
            visit.session.client_ids.add(client_id)
        visit.state.message_records.add(record, delay)

    return Plan(commit, JSONResponse(record, 201))


def _inner_text(payload: object) -> object:
    try:
        inner = orjson.loads(payload) if isinstance(payload, str) else None
    except orjson.JSONDecodeError:
        return None
    return inner.get("text") if isinstance(inner, dict) else None


def _is_uuid(value: object) -> bool:
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value
    except ValueError:
        return False


ROUTES = [
    Route("/messages", messages_page),
    Route("/api/messages", read, methods=["GET"]),
    Route("/api/messages", post, methods=["POST"]),
]
