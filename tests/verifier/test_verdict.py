import inspect
from typing import Any, get_args

import httpx
import pytest

from tests.support.counting import acount
from tests.support.sites import aform
from verifier.answers import Answered, Kind, NoAnswer
from verifier.evidence import Evidence
from verifier.outcome import HttpError, Success, Uncertain, sent
from verifier.records import Count, CountFailed
from verifier.verdict import NO_ANSWERS, decide, no_answer_for, promotes

STATUS = {
    "accepted": 201,
    "login": 401,
    "application_error": 200,
    "client_error": 403,
    "server_error": 500,
}
TIMEOUT = NoAnswer("timeout", maybe_sent=True)
REFUSED = NoAnswer("connect", maybe_sent=False)
FAILED = CountFailed("not_json", "The readback's answer is not JSON.")
BEFORE = acount(0, 3)
AFTER: dict[str, Count | CountFailed] = {
    "rose": acount(1, 4),
    "same": acount(0, 3),
    "vanished": acount(1, 1),
    "replaced": acount(1, 3),
    "failed": FAILED,
}
ANSWERS: dict[str, Any] = {
    **{kind: Answered(STATUS[kind], kind) for kind in get_args(Kind)},
    "timeout": TIMEOUT,
    "refused": REFUSED,
}
TABLE = [
    # whatever the answer was, a rise is a success
    *((answer, "rose", "success") for answer in ANSWERS),
    *((answer, "replaced", "success") for answer in ANSWERS),
    *((answer, "vanished", "uncertain") for answer in ANSWERS),
    # without a rise the answer is told
    ("accepted", "same", "unconfirmed"),
    ("login", "same", "login_required"),
    ("application_error", "same", "application_error"),
    ("client_error", "same", "http_error"),
    ("server_error", "same", "uncertain"),
    ("timeout", "same", "uncertain"),
    ("refused", "same", "uncertain"),
    # without a count only a clear refusal is told
    ("accepted", "failed", "uncertain"),
    ("login", "failed", "login_required"),
    ("application_error", "failed", "uncertain"),
    ("client_error", "failed", "http_error"),
    ("server_error", "failed", "uncertain"),
    ("timeout", "failed", "uncertain"),
    ("refused", "failed", "uncertain"),
]


@pytest.mark.parametrize(("answer", "after", "expected"), TABLE)
def test_every_answer_and_count_has_its_outcome(answer: str, after: str, expected: str) -> None:
    outcome = decide(ANSWERS[answer], BEFORE, AFTER[after], aform())
    assert outcome.outcome == expected


def test_the_table_is_whole() -> None:
    rows = {(answer, after) for answer, after, _ in TABLE}
    assert rows == {(answer, after) for answer in ANSWERS for after in AFTER}


def test_a_replaced_record_is_reported() -> None:
    outcome = decide(ANSWERS["accepted"], BEFORE, AFTER["replaced"], aform())
    assert isinstance(outcome, Success)
    assert "a record was replaced" in outcome.notes[0]


def test_vanished_records_are_named() -> None:
    outcome = decide(ANSWERS["accepted"], BEFORE, AFTER["vanished"], aform())
    assert "other records vanished" in outcome.message


def test_a_rise_above_one_is_reported() -> None:
    outcome = decide(ANSWERS["accepted"], BEFORE, acount(3, 6), aform())
    assert isinstance(outcome, Success)
    assert "the count rose by 3" in outcome.notes


@pytest.mark.parametrize("answer", ["login", "application_error", "client_error", "server_error"])
def test_a_rise_beside_an_error_is_reported(answer: str) -> None:
    outcome = decide(ANSWERS[answer], BEFORE, AFTER["rose"], aform())
    assert isinstance(outcome, Success)
    assert "as an error" in outcome.notes[-1]


def test_a_refused_connection_sent_nothing() -> None:
    outcome = decide(REFUSED, BEFORE, AFTER["same"], aform())
    assert isinstance(outcome, Uncertain)
    assert sent(outcome) == "no"


def test_a_token_page_that_looks_cached_is_named_where_the_site_refused() -> None:
    outcome = decide(ANSWERS["client_error"], BEFORE, AFTER["same"], aform(), cached_s=300)
    assert isinstance(outcome, HttpError)
    assert "Age 300" in outcome.message


@pytest.mark.parametrize(
    ("answer", "after", "expected"),
    [
        ("accepted", (1, 4), True),
        ("accepted", (2, 5), False),
        ("accepted", (1, 3), False),
        ("accepted", (1, 1), False),
        ("accepted", (0, 3), False),
        ("login", (1, 4), False),
        ("application_error", (1, 4), False),
        ("client_error", (1, 4), False),
        ("server_error", (1, 4), False),
        ("timeout", (1, 4), False),
    ],
)
def test_only_one_new_record_and_an_accepting_answer_promote(
    answer: str, after: tuple[int, int], expected: bool
) -> None:
    evidence = Evidence.between(BEFORE, acount(*after), "replay")
    assert promotes(ANSWERS[answer], evidence) is expected


def test_an_answer_that_was_given_before_promotes_nothing() -> None:
    answer = Answered(201, "accepted", notes=("the server replayed an earlier answer",))
    assert not promotes(answer, Evidence.between(BEFORE, AFTER["rose"], "replay"))  # type: ignore[arg-type]


EXCEPTIONS = [
    value
    for name in httpx.__all__
    if inspect.isclass(value := getattr(httpx, name)) and issubclass(value, Exception)
]


@pytest.mark.parametrize("error", EXCEPTIONS)
def test_every_exception_of_the_client_has_a_row_of_its_own(error: type[Exception]) -> None:
    assert error in NO_ANSWERS


def test_an_exception_that_nobody_knows_may_have_been_sent() -> None:
    assert no_answer_for(RuntimeError()).maybe_sent
