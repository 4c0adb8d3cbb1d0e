"""`CanarySite`: what tests hold in their hands."""

import contextlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from e2e.canary_site import form_case, json_case
from e2e.canary_site.stage import Failure, Stage, Write, stage_of
from e2e.markers import Marks
from e2e.site.second import SecondOrigin
from e2e.site.server import HOST, Server, bind, origin_of
from e2e.site.silence import Silence


class CanarySite:
    """The site on 127.0.0.1: `with CanarySite(marks) as site: …`.

    Args:
        marks: makes every value that the site says.
    """

    def __init__(self, marks: Marks) -> None:
        self.stage = Stage(marks)
        listener, second = bind(0), bind(0)
        self.origin = origin_of(listener)
        app = Starlette(routes=[*json_case.ROUTES, *form_case.ROUTES, Route("/login", _login)])
        app.state.stage = self.stage
        self._silence = Silence()
        app.state.silence = self._silence
        self._server = Server(app, listener, (SecondOrigin(), second), self._silence)
        self._server.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.stop()

    @property
    def marks(self) -> Marks:
        return self.stage.marks

    @property
    def writes(self) -> list[Write]:
        """Every decisive request that arrived."""
        with self.stage.lock:
            return list(self.stage.writes)

    @contextlib.contextmanager
    def failing(self, how: Failure) -> Iterator[None]:
        """Writes fail for as long as the block lasts."""
        self.stage.failure = how
        try:
            yield
        finally:
            self.stage.failure = None

    def storage_state(self) -> dict[str, Any]:
        """A new login in the form of Playwright's `storage_state`."""
        marks = self.stage.marks
        values = {"sid": self.stage.begin(), "prefs": marks.text("the preferences cookie")}
        cookies = [
            {
                "name": name,
                "value": value,
                "domain": HOST,
                "path": "/",
                "expires": -1,
                "httpOnly": name == "sid",
                "secure": False,
                "sameSite": "Lax",
            }
            for name, value in values.items()
        ]
        kept = [{"name": "hint", "value": marks.text("an item of the local storage")}]
        return {"cookies": cookies, "origins": [{"origin": self.origin, "localStorage": kept}]}


async def _login(request: Request) -> Response:
    return stage_of(request).show("login.html")
