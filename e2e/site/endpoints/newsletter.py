"""The other POST form on the page: it has a `csrf_token` of its own, good for nothing else."""

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from e2e.site.forms import read_form
from e2e.site.pages import show
from e2e.site.visits import Visit, page

ACTION = "/newsletter"


@page
async def subscribe(visit: Visit) -> Response:
    sent = (await read_form(visit.request)).first("csrf_token")
    if visit.session.form_tokens.get(sent) != ACTION:
        return show("refused.html", 403, message="This form is too old. Load the page again.")
    del visit.session.form_tokens[sent]
    return RedirectResponse("/notes", 303)


ROUTES = [Route(ACTION, subscribe, methods=["POST"])]
