"""What becomes of a decisive request: the behaviours, as two tables.

Rules:
1. BEFORE answers without looking at the request; nothing is stored.
2. Every other behaviour first asks the endpoint for its plan: a wrong token is refused under
   "commit, then …" as it is under normal.
3. The endpoint plans and words its refusals; only `decide` commits.
"""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import JSONResponse, RedirectResponse, Response

from e2e.site.silence import Closed, Hanging
from e2e.site.switches import Behaviour
from e2e.site.visits import Visit, json_error, to_login

LATE = 1.5
"""Seconds until a late record shows itself."""

Say = Callable[[int, str], Response]
"""How an endpoint words an error: the status, and the sentence for the user."""


@dataclass(frozen=True)
class Plan:
    """A write that the endpoint found in order.

    Attributes:
        commit: stores it, to be visible after so many seconds.
        answer: what the site says when all is well.
        accepted: what it says when it only promises; the answer when None.
    """

    commit: Callable[[float], None]
    answer: Response
    accepted: Response | None = None


BEFORE: dict[Behaviour, Callable[[Visit, Say], Response]] = {
    Behaviour.ERROR_IN_200: lambda _, say: say(200, "this was refused"),
    Behaviour.UNAUTHORIZED_401: lambda _, say: say(401, "login required"),
    Behaviour.FORBIDDEN_403: lambda _, say: say(403, "not allowed"),
    Behaviour.NOT_FOUND_404: lambda _, say: say(404, "no such thing"),
    Behaviour.CONFLICT_409: lambda _, say: say(409, "somebody was faster"),
    Behaviour.VALIDATION_422: lambda _, say: say(422, "this is too short"),
    Behaviour.FAIL_500: lambda _, say: say(500, "something broke"),
    Behaviour.HANG: lambda visit, _: Hanging(visit.state.silence),
    Behaviour.CLOSE: lambda visit, _: Closed(visit.state.silence),
    Behaviour.REDIRECT_TO_LOGIN: lambda *_: to_login(),
    # 307: a client that follows it would send the whole request to the other origin.
    Behaviour.REDIRECT_OFF_ORIGIN: lambda visit, _: RedirectResponse(
        f"{visit.state.beacon_origin}/elsewhere", 307
    ),
}

AFTER: dict[Behaviour, Callable[[Visit, Say], Response]] = {
    Behaviour.COMMIT_THEN_500: lambda _, say: say(500, "something broke"),
    Behaviour.COMMIT_THEN_HANG: lambda visit, _: Hanging(visit.state.silence),
    Behaviour.COMMIT_THEN_CLOSE: lambda visit, _: Closed(visit.state.silence),
}


def decide(visit: Visit, plan: Callable[[], Plan | Response], say: Say = json_error) -> Response:
    """Answer a decisive request as the switch says; `plan` is a refusal when it is a response."""
    behaviour = visit.state.switches.behaviour
    if behaviour in BEFORE:
        return BEFORE[behaviour](visit, say)
    made = plan()
    if isinstance(made, Response):
        return made
    if behaviour is Behaviour.COUNT_NEVER_RISES:
        return made.accepted or JSONResponse({"accepted": True}, 202)
    made.commit(LATE if behaviour is Behaviour.COUNT_RISES_LATE else 0.0)
    if behaviour in AFTER:
        return AFTER[behaviour](visit, say)
    return made.answer
