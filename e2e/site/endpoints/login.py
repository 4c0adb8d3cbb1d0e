"""Login by a form, with a token on it that proves nothing: it was made for nobody."""

import html

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from e2e.site.arrival import SID, sid_cookie
from e2e.site.forms import read_form
from e2e.site.pages import Markup, show
from e2e.site.sessions import token
from e2e.site.visits import state_of

USER = "ada"
PASSWORD = "lovelace"  # the only user there is


def login_page(error: str = "") -> Response:
    said = Markup(f'<p class="error">{html.escape(error)}</p>' if error else "")
    return show("login.html", token=token(), error=said)


async def form(_request: Request) -> Response:
    return login_page()


async def submit(request: Request) -> Response:
    filled = await read_form(request)
    if (filled.first("user"), filled.first("password")) != (USER, PASSWORD):
        return login_page("Wrong user or password.")
    answer = RedirectResponse("/", 303)
    answer.headers["set-cookie"] = sid_cookie(state_of(request).sessions.begin(USER))
    return answer


async def logout(request: Request) -> Response:
    state_of(request).sessions.end(request.cookies.get(SID))
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(SID)
    return answer


ROUTES = [
    Route("/login", form, methods=["GET"]),
    Route("/login", submit, methods=["POST"]),
    Route("/logout", logout, methods=["POST"]),
]
