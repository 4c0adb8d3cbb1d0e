"""A token that comes in a response header: read by one GET, sent back with the message."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site.pages import show
from e2e.site.sessions import token
from e2e.site.visits import Visit, api, page


@page
async def headers_page(_visit: Visit) -> Response:
    return show("headers.html")


@api
async def session(visit: Visit) -> Response:
    visit.session.header_token = token()
    headers = {"X-CSRF-Token": visit.session.header_token}
    return JSONResponse({"user": visit.session.user}, headers=headers)


ROUTES = [Route("/headers", headers_page), Route("/api/session", session)]
