"""A token from a cookie to a header (double submit), with a form body built by the script.

The cookie's value holds +, / and =, so it stands there URL-encoded and is sent back decoded.
"""

import base64
import datetime as dt
import secrets
from urllib.parse import quote, unquote

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site import readbacks
from e2e.site.forms import Form, read_form
from e2e.site.pages import show
from e2e.site.state import stamped
from e2e.site.visits import Visit, api, json_error, page
from e2e.site.writes import Plan, decide

COOKIE = "XSRF-TOKEN"


def _awkward_token() -> str:
    while True:
        made = base64.b64encode(secrets.token_bytes(31)).decode("ascii")
        if "+" in made and "/" in made:
            return made


@page
async def tasks_page(_visit: Visit) -> Response:
    answer = show("tasks.html")
    value = quote(_awkward_token(), safe="")
    answer.headers["set-cookie"] = f"{COOKIE}={value}; Path=/; SameSite=Lax"
    return answer


@api
async def read(visit: Visit) -> Response:
    return readbacks.read_back(visit, visit.state.tasks, readbacks.tasks)


@api
async def post(visit: Visit) -> Response:
    filled = await read_form(visit.request)
    return decide(visit, lambda: _plan(visit, filled))


def _plan(visit: Visit, filled: Form) -> Plan | Response:
    cookie = unquote(visit.request.cookies.get(COOKIE, ""))
    if not cookie or visit.request.headers.get("x-xsrf-token") != cookie:
        return json_error(403, "the token is not the cookie's")
    if not filled.first("title").strip():
        return json_error(422, "a task needs a title")
    try:
        due = dt.date.fromisoformat(filled.first("due"))
    except ValueError:
        return json_error(422, "due is a date")
    record = stamped(visit.session.user, title=filled.first("title"), due=due.isoformat())
    return Plan(
        lambda delay: visit.state.task_records.add(record, delay), JSONResponse(record, 201)
    )


ROUTES = [
    Route("/tasks", tasks_page),
    Route("/api/tasks", read, methods=["GET"]),
    Route("/api/tasks", post, methods=["POST"]),
]
