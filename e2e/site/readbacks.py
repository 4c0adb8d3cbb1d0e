"""What a readback answers: the collection, or what the switch puts in its place.

Rules:
1. Each collection has its own shape; the switch works on all of them alike.
2. A broken readback is broken in one way only: the rest of the answer is what it always was.
"""

from collections.abc import Callable
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from e2e.site.endpoints.login import login_page
from e2e.site.records import Record
from e2e.site.silence import Hanging
from e2e.site.switches import ReadbackBehaviour
from e2e.site.visits import Visit, json_error

Shape = Callable[[Any, int], dict[str, Any]]
"""Puts the collection (or what stands in for it) and the total where this readback has them."""

ALWAYS_THERE = ("id", "author", "created")


def read_back(visit: Visit, records: list[Record], shape: Shape) -> Response:
    total = len(records)
    match visit.state.switches.readback_behaviour:
        case ReadbackBehaviour.NORMAL:
            return JSONResponse(shape(records, total))
        case ReadbackBehaviour.NOT_JSON:
            whole = JSONResponse(shape(records, total))
            return Response(bytes(whole.body)[:-1], media_type="application/json")
        case ReadbackBehaviour.NOT_A_COLLECTION:
            return JSONResponse(shape({"count": total}, total))
        case ReadbackBehaviour.NO_MATCH_FIELD:
            bare = [{name: record[name] for name in ALWAYS_THERE} for record in records]
            # An empty collection lacks no field; one record makes the lack visible.
            bare = bare or [dict.fromkeys(ALWAYS_THERE, "")]
            return JSONResponse(shape(bare, len(bare)))
        case ReadbackBehaviour.ERROR_500:
            return json_error(500, "the list broke")
        case ReadbackBehaviour.LOGIN_PAGE_200:
            return login_page()
        case ReadbackBehaviour.REDIRECT_OFF_ORIGIN:
            return RedirectResponse(f"{visit.state.beacon_origin}{visit.request.url.path}", 302)
        case ReadbackBehaviour.NOT_MODIFIED_304:
            return Response(status_code=304, headers={"ETag": '"as-you-have-it"'})
        case ReadbackBehaviour.HANG:
            return Hanging(visit.state.silence)


def messages(records: Any, total: int) -> dict[str, Any]:
    return {"messages": records, "total": total}


def notes(records: Any, _total: int) -> dict[str, Any]:
    return {"notes": records}


def tasks(records: Any, _total: int) -> dict[str, Any]:
    return {"data": {"items": records}}
