"""The search form that stands on every classic page: a GET with what was typed in its query."""

from starlette.responses import Response
from starlette.routing import Route

from e2e.site.pages import items, show
from e2e.site.visits import Visit, page


@page
async def search(visit: Visit) -> Response:
    wanted = visit.request.query_params.get("q", "")
    found = [note["title"] for note in visit.state.notes if wanted in note["title"]]
    return show("search.html", q=wanted, found=items(found))


ROUTES = [Route("/search", search)]
