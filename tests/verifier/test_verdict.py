import inspect
from typing import Any, get_args

import httpx
import pytest

from tests.support.counting import acount
from tests.support.sites import APP, aform
from verifier.answers import Answered, Kind, NoAnswer
from verifier.evidence import Evidence
from verifier.http import OffOriginError
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
    # whatever the answer was, a rise is a success, unless nothing was sent
    *((answer, "rose", "success") for answer in ANSWERS if answer != "refused"),
    *((answer, "replaced", "success") for answer in ANSWERS if answer != "refused"),
    ("refused", "rose", "uncertain"),
    ("refused", "replaced", "uncertain"),
    *((answer, "vanished", "uncertain") for answer in ANSWERS),
    # without a rise the answer is told
    ("accepted", "same", "unconfirmed"),
    ("login", "same", "login_required"),
    ("application_error", "same", "application_error"),
    ("client_error", "same", "http_error"),
    ("server_error", "same", "uncertain"),
    ("timeout", "same", "uncertain"),
    ("refused", "same", "uncertain"),
    # without a count nobody has seen that it did not rise; a login can be told all the same
    ("accepted", "failed", "uncertain"),
    ("login", "failed", "login_required"),
    ("application_error", "failed", "uncertain"),
    ("client_error", "failed", "uncertain"),
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


@pytest.mark.parametrize("after", AFTER)
def test_a_refused_connection_sent_nothing_whatever_was_counted(after: str) -> None:
    outcome = decide(REFUSED, BEFORE, AFTER[after], aform())
    assert isinstance(outcome, Uncertain)
    assert sent(outcome) == "no"
    assert "nothing was sent" in outcome.message


def test_a_request_for_another_origin_was_refused_before_it_left() -> None:
    answer = no_answer_for(OffOriginError("x"))
    outcome = decide(answer, BEFORE, AFTER["same"], aform())
    assert sent(outcome) == "no"
    assert "before it left (off_origin)" in outcome.message


def test_an_uncertain_ending_tells_what_was_seen() -> None:
    outcome = decide(ANSWERS["client_error"], BEFORE, FAILED, aform())
    assert isinstance(outcome, Uncertain)
    assert "403" in outcome.message
    assert FAILED.message in outcome.message


def test_the_sites_own_words_are_in_no_message() -> None:
    for kind in get_args(Kind):
        answer = Answered(STATUS[kind], kind, detail="CANARY")
        for after in AFTER.values():
            assert "CANARY" not in decide(answer, BEFORE, after, aform()).message


# The next ones are endings that other tools got wrong.


def test_a_write_that_comes_after_the_timeout_is_a_success_once_it_is_seen() -> None:
    assert decide(TIMEOUT, acount(0, 0), acount(1, 1), aform()).outcome == "success"
    assert decide(TIMEOUT, acount(0, 0), acount(0, 0), aform()).outcome == "uncertain"


def test_a_redirect_of_the_write_is_its_answer_and_proves_nothing() -> None:
    answer = Answered.of(301, {"location": "/items/"}, b"", origin=APP)
    assert decide(answer, BEFORE, AFTER["same"], aform()).outcome == "unconfirmed"


@pytest.mark.parametrize("before", [(0, 0), (1, 3)])
def test_a_rise_beside_a_failed_write_is_reported_and_promotes_nothing(
    before: tuple[int, int],
) -> None:
    counted = acount(*before)
    after = acount(before[0] + 1, before[1] + 1)
    outcome = decide(ANSWERS["server_error"], counted, after, aform())
    assert isinstance(outcome, Success)
    assert "as an error" in outcome.notes[-1]
    assert not promotes(ANSWERS["server_error"], outcome.evidence)


def test_a_record_that_waits_for_approval_is_named() -> None:
    answer = Answered.of(
        201, {"content-type": "application/json"}, b'{"status":"pending"}', origin=APP
    )
    outcome = decide(answer, BEFORE, AFTER["same"], aform())
    assert outcome.outcome == "unconfirmed"
    assert "pending" in outcome.message


# Where a fall is expected, everything is told the other way round.


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ((0, 3), "success"),
        ((0, 4), "success"),
        ((1, 4), "unconfirmed"),
        ((2, 5), "unconfirmed"),
        ((0, 1), "uncertain"),
    ],
)
def test_a_fall_that_is_expected_is_judged_like_a_rise(
    after: tuple[int, int], expected: str
) -> None:
    readback = aform(expect="decrease")
    outcome = decide(ANSWERS["accepted"], acount(1, 4), acount(*after), readback)
    assert outcome.outcome == expected


def test_a_fall_is_told_as_a_fall() -> None:
    readback = aform(expect="decrease")
    gone = decide(TIMEOUT, acount(2, 4), acount(0, 2), readback)
    assert isinstance(gone, Success)
    assert gone.notes == ("the count fell by 2", "no answer came (timeout), and the record is gone")
    stayed = decide(ANSWERS["accepted"], acount(1, 4), acount(1, 4), readback)
    assert "did not fall" in stayed.message
    swept = decide(ANSWERS["accepted"], acount(1, 4), acount(0, 0), readback)
    assert "The record is gone, and other records vanished" in swept.message


# Where a change is expected, the number of all records stays as it was.


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ((2, 4), "success"),
        ((2, 5), "success"),
        ((1, 4), "unconfirmed"),
        ((0, 4), "unconfirmed"),
        ((2, 3), "uncertain"),
        ((3, 4), "uncertain"),
    ],
)
def test_a_change_that_is_expected_is_one_record_that_takes_the_value(
    after: tuple[int, int], expected: str
) -> None:
    readback = aform(expect="change")
    outcome = decide(ANSWERS["accepted"], acount(1, 4), acount(*after), readback)
    assert outcome.outcome == expected


def test_a_change_is_told_as_a_change() -> None:
    readback = aform(expect="change")
    changed = decide(ANSWERS["accepted"], acount(0, 4), acount(1, 4), readback)
    assert isinstance(changed, Success)
    assert changed.notes == ()
    assert changed.message == "One record changed: 0 → 1 matching records (4 → 4 in all)."
    added = decide(ANSWERS["accepted"], acount(0, 4), acount(1, 5), readback)
    assert isinstance(added, Success)
    assert added.notes == ("it may be a new record: the number of all records rose",)
    assert not added.message.startswith("One record changed")
    spread = decide(ANSWERS["accepted"], acount(0, 4), acount(4, 4), readback)
    assert spread.message.startswith("4 records took the value, where one should")


@pytest.mark.parametrize(
    ("after", "expected"), [((1, 3), True), ((1, 4), False), ((1, 2), False), ((2, 3), False)]
)
def test_only_one_changed_record_promotes_where_a_change_is_expected(
    after: tuple[int, int], expected: bool
) -> None:
    evidence = Evidence.between(BEFORE, acount(*after), "replay", expect="change")
    assert promotes(ANSWERS["accepted"], evidence) is expected


def test_a_rise_beside_an_error_may_be_somebody_elses_where_the_value_was_there_before() -> None:
    before, after = acount(1, 3), acount(2, 4)
    failed = decide(ANSWERS["server_error"], before, after, aform())
    assert isinstance(failed, Success)
    assert "may be somebody else's" in failed.notes[0]
    accepted = decide(ANSWERS["accepted"], before, after, aform())
    assert isinstance(accepted, Success)
    assert accepted.notes == ()


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


@pytest.mark.parametrize(
    ("error", "maybe_sent"),
    [
        (httpx.ConnectError("x"), False),
        (httpx.ConnectTimeout("x"), False),
        (httpx.PoolTimeout("x"), False),
        (httpx.ReadTimeout("x"), True),
        (httpx.WriteTimeout("x"), True),
        (httpx.RemoteProtocolError("x"), True),
        (httpx.ReadError("x"), True),
        (TimeoutError(), True),
        (ConnectionResetError(), True),
        (KeyboardInterrupt(), True),
        (OffOriginError("x"), False),
    ],
)
def test_nothing_is_called_unsent_that_may_have_left(
    error: BaseException, maybe_sent: bool
) -> None:
    assert no_answer_for(error).maybe_sent is maybe_sent


def test_a_subclass_that_nobody_knows_is_read_as_its_parent() -> None:
    assert no_answer_for(type("NewError", (httpx.ReadTimeout,), {})("x")).reason == "timeout"


def test_an_exception_that_nobody_knows_may_have_been_sent() -> None:
    assert no_answer_for(RuntimeError()).maybe_sent
