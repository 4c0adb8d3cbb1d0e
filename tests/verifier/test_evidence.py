import copy
import dataclasses
import pickle  # noqa: TID251  (to see it refused)
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.readback import Expect
from tests.support.counting import acount, anevidence
from verifier.evidence import Evidence

COUNTS = {(m, rest): acount(m, m + rest) for m in range(4) for rest in range(4)}


@pytest.mark.parametrize(
    ("before", "after", "rose", "vanished", "replaced"),
    [
        ((0, 3), (1, 4), True, False, False),
        ((2, 3), (5, 6), True, False, False),
        ((0, 0), (1, 1), True, False, False),
        ((1, 3), (1, 4), False, False, False),
        ((1, 3), (0, 2), False, False, False),
        ((0, 3), (1, 3), True, False, True),
        ((0, 9), (1, 1), True, True, False),
    ],
)
def test_the_counts_say_what_happened(
    before: tuple[int, int], after: tuple[int, int], rose: bool, vanished: bool, replaced: bool
) -> None:
    evidence = anevidence(before, after)
    assert (evidence.rose, evidence.vanished, evidence.replaced) == (rose, vanished, replaced)
    assert evidence.proves == (rose and not vanished and not replaced)


@pytest.mark.parametrize("after", [(1, 3), (1, 2)])
def test_a_window_says_nothing_by_its_total(after: tuple[int, int]) -> None:
    assert anevidence((0, 3), after, window=True).proves


def test_where_a_decrease_is_expected_a_fall_proves() -> None:
    evidence = Evidence.between(acount(1, 4), acount(0, 3), "replay", expect="decrease")
    assert evidence.proves
    assert evidence.rise == 1


@pytest.mark.parametrize(
    ("after", "vanished", "replaced"),
    [
        ((1, 3), False, False),
        ((0, 2), False, False),
        ((0, 1), True, False),
        ((1, 1), True, False),
        ((1, 4), False, True),
        ((1, 6), False, True),
        ((2, 1), False, False),
    ],
)
def test_a_fall_of_more_than_the_record_took_others_with_it(
    after: tuple[int, int], vanished: bool, replaced: bool
) -> None:
    evidence = Evidence.between(acount(2, 4), acount(*after), "replay", expect="decrease")
    assert (evidence.vanished, evidence.replaced) == (vanished, replaced)


@pytest.mark.parametrize(
    ("after", "vanished", "added", "spread", "proves"),
    [
        ((2, 4), False, False, False, True),
        ((1, 4), False, False, False, False),
        ((0, 4), False, False, False, False),
        ((2, 3), True, False, False, False),
        ((2, 5), False, True, False, False),
        ((3, 4), False, False, True, False),
        ((3, 5), False, True, True, False),
        ((1, 5), False, False, False, False),
    ],
)
def test_a_change_is_one_record_that_takes_the_value_among_as_many_as_before(
    after: tuple[int, int], vanished: bool, added: bool, spread: bool, proves: bool
) -> None:
    evidence = Evidence.between(acount(1, 4), acount(*after), "replay", expect="change")
    assert (evidence.vanished, evidence.added, evidence.spread) == (vanished, added, spread)
    assert not evidence.replaced
    assert evidence.proves is proves


PAIRS = st.sampled_from(sorted(COUNTS))


@given(PAIRS, PAIRS, st.booleans(), st.sampled_from(get_args(Expect)))
def test_evidence_proves_only_a_change_that_was_expected(
    before: tuple[int, int], after: tuple[int, int], window: bool, expect: Expect
) -> None:
    evidence = Evidence.between(COUNTS[before], COUNTS[after], "ui", window=window, expect=expect)
    assert not (evidence.vanished and evidence.replaced)
    assert not evidence.proves or (evidence.rose and not evidence.vanished)
    assert not evidence.proves or not evidence.replaced
    change = after[0] - before[0]
    assert not evidence.proves or (change < 0 if expect == "decrease" else change > 0)
    if expect == "change":
        assert evidence.proves == (change == 1 and sum(after) == sum(before))


def test_the_counts_are_written_out() -> None:
    assert anevidence((0, 3), (2, 5)).as_json() == {
        "acted": "replay",
        "before": {"matching": 0, "total": 3},
        "after": {"matching": 2, "total": 5},
        "rise": 2,
        "expect": "increase",
    }


def test_evidence_is_made_from_two_counts_and_nothing_else() -> None:
    with pytest.raises(TypeError):
        Evidence(acount(0, 0), acount(1, 1), "ui", False, "increase", object())


def test_evidence_is_not_made_over() -> None:
    with pytest.raises((TypeError, ValueError)):
        dataclasses.replace(anevidence(), after=acount(9, 9))  # type: ignore[call-arg]


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps])
def test_evidence_is_not_copied(act: object) -> None:
    with pytest.raises(TypeError):
        act(anevidence())  # type: ignore[operator]


def test_the_record_keeps_all_counts() -> None:
    record = anevidence((0, 3), (1, 4), "ui").record()
    assert (record.acted, record.before.matching, record.after.total) == ("ui", 0, 4)
