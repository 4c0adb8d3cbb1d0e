import copy
import dataclasses
import pickle  # noqa: TID251  (to see it refused)

import pytest

from tests.support.counting import acount, anevidence
from verifier.evidence import Evidence


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
