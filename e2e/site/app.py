"""The application: which endpoint answers which path, and nothing else."""

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from e2e.site.arrival import Arrival
from e2e.site.endpoints import (
    config,
    edit,
    headers,
    heartbeat,
    home,
    login,
    messages,
    newsletter,
    notes,
    preview,
    replace_all,
    rooms,
    search,
    tasks,
    telemetry,
)
from e2e.site.state import State

ENDPOINTS = (
    home,
    login,
    config,
    telemetry,
    heartbeat,
    preview,
    headers,
    edit,
    replace_all,
    messages,
    rooms,
    search,
    newsletter,
    notes,
    tasks,
)


def application(state: State) -> ASGIApp:
    """The site as one ASGI application over this state."""
    routes: list[Route] = [route for endpoint in ENDPOINTS for route in endpoint.ROUTES]
    app = Starlette(routes=routes)
    app.state.site = state
    return Arrival(app, state)
