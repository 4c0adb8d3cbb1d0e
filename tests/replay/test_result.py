from typing import Any

import pytest

from cards.errors import BadSlot
from replay.result import Result, envelope, error_envelope, refused
from verifier.outcome import (
    ApplicationError,
    HttpError,
    LoginRequired,
    NotApplicable,
    Outcome,
    Simulated,
    Uncertain,
    Unconfirmed,
    UserDenied,
)

ENDINGS: list[tuple[Outcome, str, str, str, int]] = [
    (Simulated(), "", "no", "done", 0),
    (LoginRequired("signed out"), "LOGIN_REQUIRED", "no", "sign_in", 10),
    (ApplicationError("no", 200), "APPLICATION_ERROR", "yes", "retry_allowed", 11),
    (HttpError("no", 404), "HTTP_ERROR", "yes", "retry_allowed", 12),
    (Unconfirmed("not seen"), "UNCONFIRMED", "yes", "look_first", 13),
    (Uncertain("who knows"), "UNCERTAIN", "unknown", "look_first", 14),
    (NotApplicable("no", code="SOURCE_GONE"), "SOURCE_GONE", "no", "use_ui", 15),
    (UserDenied("no"), "USER_DENIED", "no", "ask_person", 16),
]


@pytest.mark.parametrize(("outcome", "error", "sent", "next_step", "code"), ENDINGS)
def test_each_ending_says_what_was_sent_and_what_may_be_done(
    outcome: Outcome, error: str, sent: str, next_step: str, code: int
) -> None:
    result = Result("call-1", outcome, "send_message")
    told = result.as_json()
    content: dict[str, Any] = told["content"]
    inner = content["data"] if content["ok"] else content
    assert told["callId"] == "call-1"
    assert content.get("error", "") == error
    assert (inner["sent"], inner["next"]) == (sent, next_step)
    assert inner["lookFirst"] == (next_step == "look_first")
    assert result.exit_code == code


def test_a_rehearsal_says_so_in_its_own_body() -> None:
    result = Result("call-1", Simulated(), "send_message", dry_run=True)
    assert result.as_json()["content"]["data"]["dry_run"] is True


def test_a_mistake_has_the_same_envelope() -> None:
    told = error_envelope(BadSlot("Slot x is missing.", "Give x=VALUE."))
    assert told["callId"]
    assert told["content"]["error"] == "BAD_SLOT"
    assert told["content"]["sent"] == "no"


def test_a_mistake_of_a_replay_is_not_applicable() -> None:
    assert refused(BadSlot("Slot x is missing.")).code == "BAD_SLOT"


def test_an_answer_without_matches_is_an_empty_list() -> None:
    assert envelope({"cards": []})["content"] == {"ok": True, "data": {"cards": []}}
