"""One request of a logged-in user, and the door that lets only such requests in.

Rules:
1. A page without a login is a redirect to /login; an API call is a 401 in JSON, or the redirect
   when the switch says so.
2. An error of the API has one form: `{"errors": [{"message": …}]}`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from e2e.site.arrival import SID
from e2e.site.sessions import Session
from e2e.site.state import State

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Visit:
    """A request with the login behind it."""

    request: Request
    state: State
    session: Session

    async def json(self) -> dict[str, Any]:
        """The body's JSON object; empty when it is not one, as a lenient site would take it."""
        try:
            found = orjson.loads(await self.request.body())
        except orjson.JSONDecodeError:
            return {}
        return found if isinstance(found, dict) else {}


Handler = Callable[[Visit], Awaitable[Response]]


def state_of(request: Request) -> State:
    state = request.app.state.site
    assert isinstance(state, State)
    return state


def page(handler: Handler) -> Endpoint:
    """An endpoint for people: without a login it redirects to /login."""

    async def endpoint(request: Request) -> Response:
        return await _enter(request, handler, lambda _: to_login())

    return endpoint


def api(handler: Handler) -> Endpoint:
    """An endpoint for scripts: without a login it answers 401."""

    def turned_away(state: State) -> Response:
        if state.switches.redirect_api_to_login:
            return to_login()
        return json_error(401, "login required")

    async def endpoint(request: Request) -> Response:
        return await _enter(request, handler, turned_away)

    return endpoint


async def _enter(
    request: Request, handler: Handler, turned_away: Callable[[State], Response]
) -> Response:
    state = state_of(request)
    session = state.sessions.find(request.cookies.get(SID))
    if session is None:
        return turned_away(state)
    return await handler(Visit(request, state, session))


def to_login() -> Response:
    return RedirectResponse("/login", 303)


def json_error(status: int, message: str) -> Response:
    return JSONResponse({"errors": [{"message": message}]}, status)
