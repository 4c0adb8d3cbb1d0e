"""A JSON document with a leaf that later requests must carry: random for each login."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site.visits import Visit, api


@api
async def config(visit: Visit) -> Response:
    meta = {"source": visit.session.source, "version": 3}
    return JSONResponse({"features": {"preview": True}, "client": {"meta": meta}})


ROUTES = [Route("/api/config", config)]
