"""A same-origin beacon that carries what was typed and changes nothing."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def collect(_request: Request) -> Response:
    return Response(status_code=204)


ROUTES = [Route("/telemetry", collect, methods=["POST"])]
