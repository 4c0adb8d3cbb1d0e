from dataclasses import replace
from typing import Any

import pytest

from cards.card import seal
from cards.errors import AmbiguousAction, NothingCaptured, UsageError
from cards.origin import Origin
from recorder.imports.deciding import Found, Trial, contenders, decide
from recorder.imports.passed import Spot
from recorder.tally import Tally
from tests.support.builders import acontract

APP = Origin.parse("https://app.example.test")


def found(number: int = 1, **changes: Any) -> Found:
    members = {"template": "POST /api/messages", "slots": 1, "status": 200, **changes}
    return Found(Spot(number, 0, 1), **members)


def likely(*several: Found, force: bool = False, tally: Tally | None = None) -> list[int]:
    given = tally or Tally()
    kept = contenders(several, force=force, origin=APP, tally=given, kind="HAR")
    return [one.spot.number for one in kept]


def trial(one: Found, action: str = "send_message") -> Trial:
    return Trial(one, seal(acontract(action=action)), (), (), ())


def test_the_one_with_the_most_slots_goes_first() -> None:
    assert likely(found(1, slots=1), found(2, slots=2)) == [2]


def test_telemetry_goes_last_however_many_slots_it_carries() -> None:
    assert likely(found(1), found(2, slots=3, hinted=True)) == [1]
    assert likely(found(2, hinted=True)) == [2]


def test_what_was_answered_goes_before_what_was_not() -> None:
    assert likely(found(1, status=0), found(2, status=500)) == [2]


def test_what_was_never_answered_needs_force() -> None:
    with pytest.raises(NothingCaptured, match="never answered"):
        likely(found(status=0))
    assert likely(found(1, status=0), force=True) == [1]


def test_what_cannot_be_imported_is_named_where_there_is_nothing_else() -> None:
    refused = found(1, refused="the HAR has no body for this request")
    assert likely(refused, found(2)) == [2]
    with pytest.raises(NothingCaptured, match="POST /api/messages: the HAR has no body"):
        likely(refused, refused)


def test_a_file_of_other_origins_is_the_users_mistake() -> None:
    tally = Tally()
    tally.elsewhere = 7
    with pytest.raises(UsageError, match="7 requests go elsewhere"):
        likely(tally=tally)


def test_a_file_without_the_action_says_what_was_seen() -> None:
    tally = Tally()
    tally.reads = 3
    tally.refused["it carries no declared slot value"] += 2
    with pytest.raises(NothingCaptured, match=r"5 requests .* 2 of them .*carries no declared"):
        likely(tally=tally)


def test_the_same_card_twice_is_one() -> None:
    assert decide([trial(found(1)), trial(found(2))]).found.spot.number == 2


def test_different_cards_are_listed_with_their_entries() -> None:
    other = replace(found(2), template="PUT /api/other")
    with pytest.raises(AmbiguousAction) as error:
        decide([trial(found(1)), trial(other, action="other")])
    assert "POST /api/messages (entry 1); PUT /api/other (entry 2)" in error.value.message


def test_the_same_request_that_failed_first_is_passed_over() -> None:
    failed = trial(found(1, status=422), action="other")
    assert decide([failed, trial(found(2))]).found.spot.number == 2


def test_another_request_that_failed_is_not_passed_over() -> None:
    failed = trial(found(1, status=422, template="PUT /api/other"), action="other")
    with pytest.raises(AmbiguousAction):
        decide([failed, trial(found(2))])
