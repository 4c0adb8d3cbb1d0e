"""A recording that sealed nothing says what it saw and what to try."""

from cards.origin import Origin
from recorder.tally import BEFORE_SEAL, Tally

ORIGIN = Origin.parse("https://app.example.test")


def test_no_request_of_the_origin_points_to_the_origin() -> None:
    tally = Tally()
    tally.elsewhere = 7
    error = tally.nothing_captured(ORIGIN)
    assert "no request to https://app.example.test" in error.message
    assert "7 to other origins" in error.message
    assert "--origin" in error.way_out


def test_refused_requests_are_counted_by_reason() -> None:
    tally = Tally()
    tally.reads = 3
    tally.refused.update({"carries no slot's value": 2})
    error = tally.nothing_captured(ORIGIN)
    assert "5 requests" in error.message
    assert "2 of them state-changing (2 carries no slot's value)" in error.message
    assert "--slot" in error.way_out


def test_only_reads_point_to_the_missing_act() -> None:
    tally = Tally()
    tally.reads = 3
    assert "Act once" in tally.nothing_captured(ORIGIN).way_out


def test_a_request_before_the_seal_points_to_the_seal() -> None:
    tally = Tally()
    tally.refused[BEFORE_SEAL] += 1
    assert "Arm the seal" in tally.nothing_captured(ORIGIN).way_out
