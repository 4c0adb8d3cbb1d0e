"""`Site`: what tests, the demo and the bench hold in their hands.

Rules:
1. It only hands on: what it remembers is in `State`, what it does is in the endpoints.
2. Everything here may be called from any thread but the site's own.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from e2e.site.app import application
from e2e.site.arrival import SID
from e2e.site.endpoints.login import USER
from e2e.site.second import SecondOrigin
from e2e.site.seen import CardSeen, Seen
from e2e.site.server import HOST, Server, bind, origin_of
from e2e.site.state import State
from e2e.site.switches import Behaviour, ReadbackBehaviour


class Site:
    """The fixture site on 127.0.0.1: `with Site() as site: … site.origin …`.

    Args:
        port: 0 takes a free one.
        watch_cards: the directory whose `*.json` files are noted as a decisive request arrives.

    Raises:
        OSError: the port is in use.
    """

    def __init__(self, port: int = 0, watch_cards: Path | None = None) -> None:
        listener, second_listener = bind(port), bind(0)
        self.origin = origin_of(listener)
        self.beacon_origin = origin_of(second_listener)
        self._second = SecondOrigin()
        self.state = State(self.beacon_origin, watch_cards)
        self._server = Server(
            application(self.state), listener, (self._second, second_listener), self.state.silence
        )
        self._server.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Close every connection and end the thread; safe to call twice."""
        self._server.stop()

    def reset(self) -> None:
        """A fresh site on the same port. Logins end; `watch_cards` stays."""
        self.state.clear()
        self._second.clear()

    # What was seen.

    @property
    def requests(self) -> list[Seen]:
        return self.state.log.requests

    @property
    def decisive(self) -> int:
        """How many decisive requests arrived, whatever became of them."""
        return self.state.log.decisive

    @property
    def cards_seen(self) -> list[list[CardSeen]]:
        """For each decisive request, the card files that lay on disk as it arrived."""
        return self.state.log.cards_seen

    def count(self, method: str, path: str) -> int:
        return self.state.log.count(method, path)

    def wait_for(self, method: str, path: str, *, times: int = 1, seconds: float = 5.0) -> None:
        """Block until that many such requests arrived; `TimeoutError` when they do not."""
        self.state.log.wait_for(method, path, times, seconds)

    @property
    def beacon_count(self) -> int:
        """Requests that the second origin read."""
        return len(self._second.requests)

    @property
    def beacon_connections(self) -> int:
        """TCP connections that the second origin accepted."""
        return self._second.connections

    @property
    def beacon_requests(self) -> list[tuple[str, str]]:
        """Method and target of each request to the second origin."""
        return self._second.requests

    # Logins.

    def login_cookie(self) -> tuple[str, str]:
        """Log the user in without a browser; the answer is the cookie's name and value."""
        return SID, self.state.sessions.begin(USER)

    def storage_state(self) -> dict[str, Any]:
        """A new login in the form of Playwright's `storage_state`."""
        name, value = self.login_cookie()
        cookie = {
            "name": name,
            "value": value,
            "domain": HOST,
            "path": "/",
            "expires": -1,
            "httpOnly": True,
            "secure": False,
            "sameSite": "Lax",
        }
        return {"cookies": [cookie], "origins": []}

    def expire_logins(self) -> None:
        self.state.sessions.end_all()

    # Switches.

    @property
    def watch_cards(self) -> Path | None:
        return self.state.log.watch_cards

    @watch_cards.setter
    def watch_cards(self, folder: Path | None) -> None:
        self.state.log.watch_cards = folder

    @property
    def behaviour(self) -> Behaviour:
        return self.state.switches.behaviour

    @behaviour.setter
    def behaviour(self, wanted: Behaviour) -> None:
        self.state.switches.behaviour = wanted

    @property
    def readback_behaviour(self) -> ReadbackBehaviour:
        return self.state.switches.readback_behaviour

    @readback_behaviour.setter
    def readback_behaviour(self, wanted: ReadbackBehaviour) -> None:
        self.state.switches.readback_behaviour = wanted

    @property
    def readback_after_write(self) -> ReadbackBehaviour | None:
        """Becomes `readback_behaviour` as a decisive request arrives."""
        return self.state.switches.readback_after_write

    @readback_after_write.setter
    def readback_after_write(self, wanted: ReadbackBehaviour | None) -> None:
        self.state.switches.readback_after_write = wanted

    @property
    def rotate_cookie(self) -> bool:
        return self.state.switches.rotate_cookie

    @rotate_cookie.setter
    def rotate_cookie(self, wanted: bool) -> None:
        self.state.switches.rotate_cookie = wanted

    @property
    def redirect_api_to_login(self) -> bool:
        """Whether a logged-out API call is redirected to /login instead of answered 401."""
        return self.state.switches.redirect_api_to_login

    @redirect_api_to_login.setter
    def redirect_api_to_login(self, wanted: bool) -> None:
        self.state.switches.redirect_api_to_login = wanted

    @property
    def latency(self) -> float:
        """Seconds before each answer."""
        return self.state.switches.latency

    @latency.setter
    def latency(self, seconds: float) -> None:
        self.state.switches.latency = seconds
