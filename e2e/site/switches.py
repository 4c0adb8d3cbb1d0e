"""The switches that make the site misbehave, and nothing that acts on them.

Rules:
1. `Behaviour` is about decisive requests, `ReadbackBehaviour` about the reads that count records.
2. Every switch is plain data with an honest default: a fresh `Switches()` is a good site.
"""

from dataclasses import dataclass
from enum import StrEnum


class Behaviour(StrEnum):
    """What happens to a decisive request. "COMMIT" in the name: the record is stored first."""

    NORMAL = "normal"
    ERROR_IN_200 = "error_in_200"
    FORBIDDEN_403 = "forbidden_403"
    NOT_FOUND_404 = "not_found_404"
    COMMIT_THEN_500 = "commit_then_500"
    FAIL_500 = "fail_500"
    COMMIT_THEN_HANG = "commit_then_hang"
    HANG = "hang"
    COMMIT_THEN_CLOSE = "commit_then_close"
    CLOSE = "close"
    REDIRECT_TO_LOGIN = "redirect_to_login"
    REDIRECT_OFF_ORIGIN = "redirect_off_origin"
    COUNT_RISES_LATE = "count_rises_late"
    COUNT_NEVER_RISES = "count_never_rises"
    VALIDATION_422 = "validation_422"
    UNAUTHORIZED_401 = "unauthorized_401"
    CONFLICT_409 = "conflict_409"


class ReadbackBehaviour(StrEnum):
    """What a readback answers instead of the collection."""

    NORMAL = "normal"
    NOT_JSON = "not_json"
    NOT_A_COLLECTION = "not_a_collection"
    NO_MATCH_FIELD = "no_match_field"
    ERROR_500 = "error_500"
    LOGIN_PAGE_200 = "login_page_200"
    REDIRECT_OFF_ORIGIN = "redirect_off_origin"
    NOT_MODIFIED_304 = "not_modified_304"
    HANG = "hang"


@dataclass
class Switches:
    """All switches of one site.

    Attributes:
        behaviour: what a decisive request meets.
        readback_behaviour: what a readback meets.
        readback_after_write: if set, becomes `readback_behaviour` as a decisive request arrives,
            for the case of a readback that worked before the write and fails after it.
        rotate_cookie: each answer brings a new `sid`; the old one is good for 5 more seconds.
        redirect_api_to_login: a logged-out API call is redirected to /login, not answered 401.
        latency: seconds awaited before each answer.
    """

    behaviour: Behaviour = Behaviour.NORMAL
    readback_behaviour: ReadbackBehaviour = ReadbackBehaviour.NORMAL
    readback_after_write: ReadbackBehaviour | None = None
    rotate_cookie: bool = False
    redirect_api_to_login: bool = False
    latency: float = 0.0
