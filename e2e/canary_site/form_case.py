"""A classic form: hidden fields, a repeated name, a query in its action, POST-redirect-GET."""

from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from e2e.canary_site.stage import stage_of


async def page(request: Request) -> Response:
    stage = stage_of(request)
    return stage.show("form.html") if stage.is_known(request) else stage.go("/login")


async def done(request: Request) -> Response:
    return stage_of(request).show("done.html")


async def read(request: Request) -> Response:
    stage = stage_of(request)
    if not stage.is_known(request):
        return stage.said({"error": "login required"}, 401)
    return stage.said({"forms": stage.forms})


async def post(request: Request) -> Response:
    stage = stage_of(request)
    text = (await request.body()).decode()
    filled = dict(parse_qsl(text, keep_blank_values=True))
    refused = "" if stage.is_known(request) else "the login"
    for name, what in (("csrf_token", "the form's token"), ("origin_note", "the form's note")):
        if filled.get(name) != stage.fixed[what]:
            refused = what
    stage.note_write(request, text, refused)
    if refused:
        return stage.dressed("<p>This form is too old.</p>", "text/html", 403)
    failed = stage.fail(text)
    if failed is not None:
        return failed
    stage.forms.append(stage.record(title=filled["title"], echo=filled))
    return stage.go("/form/done")


ROUTES = [
    Route("/form", page, methods=["GET"]),
    Route("/form", post, methods=["POST"]),
    Route("/form/done", done),
    Route("/api/forms", read),
]
