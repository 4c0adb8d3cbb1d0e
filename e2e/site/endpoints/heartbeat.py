"""A POST that each open page sends several times a second."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site.visits import Visit, api


@api
async def beat(_visit: Visit) -> Response:
    return JSONResponse({"alive": True})


ROUTES = [Route("/api/heartbeat", beat, methods=["POST"])]
