import dataclasses
from types import SimpleNamespace
from typing import get_args

import pytest

from tests.support.counting import acount, anevidence
from verifier.evidence import Evidence
from verifier.outcome import (
    ApplicationError,
    HttpError,
    LoginRequired,
    NotApplicable,
    Outcome,
    Simulated,
    Success,
    Uncertain,
    Unconfirmed,
    UserDenied,
    error_code,
    evidence_of,
    exit_code,
    look_first,
    next_step,
    sent,
)

ALL: list[Outcome] = [
    Success(anevidence()),
    Simulated(),
    LoginRequired("x"),
    ApplicationError("x", 200),
    HttpError("x", 404),
    Unconfirmed("x"),
    Uncertain("x"),
    NotApplicable("x"),
    UserDenied("x"),
]


def test_every_outcome_is_here() -> None:
    assert {type(outcome) for outcome in ALL} == set(get_args(Outcome))


@pytest.mark.parametrize(
    ("outcome", "code"), [*zip(ALL, (0, 0, 10, 11, 12, 13, 14, 15, 16), strict=True)]
)
def test_each_outcome_has_its_exit_code(outcome: Outcome, code: int) -> None:
    assert exit_code(outcome) == code


@pytest.mark.parametrize("outcome", ALL)
def test_an_outcome_names_itself_its_code_and_the_next_step(outcome: Outcome) -> None:
    assert outcome.message
    assert error_code(outcome).isupper()
    assert next_step(outcome)
    assert sent(outcome) in {"yes", "no", "unknown"}


def test_only_success_claims_an_effect() -> None:
    assert [o.outcome for o in ALL if next_step(o) == "done"] == ["success", "simulated"]
    assert [o.outcome for o in ALL if evidence_of(o) is not None] == ["success"]


def test_after_the_unsure_endings_the_caller_looks_first() -> None:
    assert [o.outcome for o in ALL if look_first(o)] == ["unconfirmed", "uncertain"]


def test_evidence_that_did_not_rise_makes_no_success() -> None:
    with pytest.raises(ValueError, match="rose"):
        Success(anevidence((1, 3), (1, 3)))


def test_a_success_is_refused_where_other_records_vanished() -> None:
    with pytest.raises(ValueError, match="vanished"):
        Success(anevidence((0, 3), (1, 2)))


def test_a_success_is_refused_where_other_records_were_written_over() -> None:
    spread = Evidence.between(acount(0, 3), acount(2, 3), "replay", expect="change")
    with pytest.raises(ValueError, match="written over"):
        Success(spread)


@pytest.mark.parametrize(
    "lookalike", ["http 200", None, True, SimpleNamespace(rose=True, vanished=False)]
)
def test_what_is_no_evidence_makes_no_success(lookalike: object) -> None:
    with pytest.raises(TypeError):
        Success(lookalike)  # type: ignore[arg-type]


def test_an_outcome_takes_no_other_name() -> None:
    with pytest.raises(TypeError):
        Unconfirmed("x", outcome="success")  # type: ignore[call-arg]
    with pytest.raises((TypeError, ValueError)):
        dataclasses.replace(Unconfirmed("x"), outcome="success")  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", ALL)
def test_an_outcome_does_not_change(outcome: Outcome) -> None:
    with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
        outcome.outcome = "success"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [*zip(ALL, ("yes", "no", "no", "yes", "yes", "yes", "unknown", "no", "no"), strict=True)],
)
def test_each_outcome_says_whether_the_request_was_sent(outcome: Outcome, expected: str) -> None:
    assert sent(outcome) == expected


@pytest.mark.parametrize("outcome", ALL[:-2])
def test_a_code_is_the_outcomes_name(outcome: Outcome) -> None:
    assert error_code(outcome) == outcome.outcome.upper()


def test_a_reason_of_its_own_has_a_code_of_its_own() -> None:
    assert error_code(NotApplicable("x", code="SOURCE_GONE")) == "SOURCE_GONE"
    assert error_code(UserDenied("x", code="EXPIRED")) == "EXPIRED"


def test_evidence_is_kept_where_it_was_counted() -> None:
    evidence = anevidence((1, 3), (1, 3))
    assert evidence_of(Unconfirmed("x", evidence=evidence)) is evidence
    assert evidence_of(HttpError("x", 404, evidence=evidence)) is evidence


def test_a_success_tells_its_counts() -> None:
    assert Success(anevidence()).message == "0 → 1 matching records (3 → 4 in all)."
