"""A POST with the same text as the message's, sent while typing: it stores nothing."""

import html

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from e2e.site.endpoints.messages import has_token
from e2e.site.visits import Visit, api, json_error


@api
async def preview(visit: Visit) -> Response:
    if not has_token(visit):
        return json_error(403, "the token is stale")
    text = (await visit.json()).get("text", "")
    return JSONResponse({"html": f"<p>{html.escape(str(text))}</p>"})


ROUTES = [Route("/api/messages/preview", preview, methods=["POST"])]
