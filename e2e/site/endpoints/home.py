"""The start page, and the small files that every page asks for."""

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from e2e.site.pages import FOLDER, show
from e2e.site.visits import Visit, page


@page
async def home(visit: Visit) -> Response:
    return show("home.html", user=visit.session.user)


async def icon(_request: Request) -> Response:
    return Response(status_code=204)


async def noise(_request: Request) -> Response:
    return FileResponse(FOLDER / "noise.js", media_type="text/javascript")


ROUTES = [
    Route("/", home),
    Route("/favicon.ico", icon),
    Route("/static/noise.js", noise),
]
