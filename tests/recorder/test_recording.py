"""The machine, as conversations: what happens, then what it wants done."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.events import (
    Answered,
    AnswerOverdue,
    AwaitAnswer,
    Command,
    EndAsked,
    Event,
    Hold,
    HoldOver,
    NotRisen,
    NotWritten,
    Offered,
    Release,
    Rose,
    Seal,
    SealAsked,
    Sealed,
    SealFailed,
    Settle,
    StopWatching,
    Watch,
    WriteUiOnly,
)
from recorder.recording import OVER, TRANSITIONS, IllegalEventError, Machine, State

A, B = "sha256:a", "sha256:b"


class Playbook:
    """Says each event and compares the commands that come back."""

    def __init__(self, *, automatic: bool = True) -> None:
        self.machine = Machine(automatic=automatic)

    def says(self, event: Event, *commands: Command) -> "Playbook":
        assert self.machine.send(event) == list(commands)
        return self

    def sealed(self, key: int, digest: str = A, *, hinted: bool = False) -> "Playbook":
        self.says(Offered(key, hinted), Seal(key))
        return self.says(Sealed(key, digest), Release(key), AwaitAnswer(key))

    def counting(self, key: int, digest: str = A, *, hinted: bool = False) -> "Playbook":
        return self.sealed(key, digest, hinted=hinted).says(Answered(key), Watch(key))


def test_a_candidate_is_released_only_after_its_seal() -> None:
    Playbook().says(Offered(0), Seal(0)).says(Sealed(0, A), Release(0), AwaitAnswer(0))


def test_a_rise_keeps_the_candidate() -> None:
    play = Playbook().counting(0)
    play.says(Rose(0), StopWatching(), Settle(0, confirmed=True))
    assert play.machine.state == State.DECIDED


def test_before_the_seal_is_armed_everything_passes() -> None:
    play = Playbook(automatic=False).says(Offered(0), Release(0))
    assert play.machine.missed == 1
    play.says(SealAsked()).says(Offered(1), Seal(1))


def test_the_next_candidate_is_held_while_the_first_is_out() -> None:
    Playbook().sealed(0).says(Offered(1), Hold(1)).says(Answered(0), Watch(0))


def test_a_rise_lets_the_held_candidate_go_unsealed() -> None:
    play = Playbook().counting(0).says(Offered(1), Hold(1))
    play.says(Rose(0), StopWatching(), Release(1), Settle(0, confirmed=True))


def test_without_a_rise_the_held_candidate_is_sealed_next() -> None:
    play = Playbook().counting(0).says(Offered(1), Hold(1)).says(NotRisen(0), Seal(1))
    assert not play.machine.overlapped


def test_a_hold_that_takes_too_long_ends_in_a_seal_of_its_own() -> None:
    play = Playbook().counting(0).says(Offered(1), Hold(1))
    play.says(HoldOver(1), StopWatching(), Seal(1, since=0))
    assert play.machine.overlapped


def test_a_hold_that_ends_during_another_seal_waits_for_it() -> None:
    play = Playbook().says(Offered(0), Seal(0)).says(Offered(1), Hold(1)).says(HoldOver(1))
    play.says(Sealed(0, A), Release(0), AwaitAnswer(0), StopWatching(), Seal(1, since=0))


def test_the_count_before_the_second_can_show_the_rise_of_the_first() -> None:
    play = Playbook().counting(0).says(Offered(1), Hold(1))
    play.says(HoldOver(1), StopWatching(), Seal(1, since=0))
    play.says(Rose(0), StopWatching(), Release(1), Settle(0, confirmed=True))


def test_the_second_is_kept_when_the_rise_comes_after_it() -> None:
    play = Playbook().counting(0).says(NotRisen(0)).counting(1, B)
    play.says(Rose(1), StopWatching(), Settle(1, confirmed=True, rivals=(0,)))


def test_telemetry_that_overlaps_is_not_believed_before_a_plain_candidate() -> None:
    play = Playbook().counting(0, A).says(Offered(1, hinted=True), Hold(1))
    play.says(HoldOver(1), StopWatching(), Seal(1, since=0))
    play.says(Sealed(1, B), Release(1), AwaitAnswer(1)).says(Answered(1), Watch(1))
    play.says(Rose(1), StopWatching(), Settle(0, confirmed=True, rivals=(1,)))


def test_a_plain_candidate_is_held_only_briefly_behind_telemetry() -> None:
    Playbook().counting(0, hinted=True).says(Offered(1), Hold(1, briefly=True))


def test_telemetry_in_the_line_goes_first_and_does_not_lengthen_the_wait() -> None:
    play = Playbook().counting(0, hinted=True).says(Offered(1, hinted=True), Hold(1))
    play.says(Offered(2), Hold(2, briefly=True))
    play.says(HoldOver(2), StopWatching(), Seal(1, since=0))
    play.says(Sealed(1, B), Release(1), AwaitAnswer(1), StopWatching(), Seal(2, since=1))


def test_a_candidate_that_was_counted_out_is_not_believed_any_more() -> None:
    play = Playbook().counting(0, A).says(NotRisen(0)).counting(1, B, hinted=True)
    play.says(Rose(1), StopWatching(), Settle(1, confirmed=True, rivals=(0,)))


def test_a_failed_seal_becomes_a_card_that_says_why() -> None:
    play = Playbook().says(Offered(0), Seal(0))
    play.says(SealFailed(0, "KeyError"), WriteUiOnly(0, "KeyError"))
    play.says(Sealed(0, A), Release(0), AwaitAnswer(0))


def test_when_nothing_can_be_written_everything_passes() -> None:
    play = Playbook().says(Offered(0), Seal(0)).says(Offered(1), Hold(1))
    play.says(SealFailed(0, "OSError"), WriteUiOnly(0, "OSError"))
    play.says(NotWritten(0), StopWatching(), Release(0), Release(1), Settle(None))
    play.says(Offered(2), Release(2))


def test_a_late_answer_does_not_keep_the_count_waiting() -> None:
    Playbook().sealed(0).says(AnswerOverdue(0), Watch(0)).says(Answered(0))


def test_one_candidate_without_a_rise_is_kept_unconfirmed() -> None:
    play = Playbook().counting(0).says(NotRisen(0))
    assert play.machine.waits_for_nothing
    play.says(EndAsked(), StopWatching(), Settle(0))


def test_two_candidates_without_a_rise_are_ambiguous() -> None:
    play = Playbook().counting(0, A).says(NotRisen(0)).counting(1, B)
    play.says(EndAsked(), StopWatching(), Settle(None))


def test_the_same_card_twice_is_not_ambiguous() -> None:
    play = Playbook().counting(0, A).says(NotRisen(0)).counting(1, A)
    play.says(EndAsked(), StopWatching(), Settle(1))


def test_telemetry_beside_one_plain_candidate_is_not_ambiguous() -> None:
    play = Playbook().counting(0, A).says(NotRisen(0)).counting(1, B, hinted=True)
    play.says(EndAsked(), StopWatching(), Settle(0, rivals=(1,)))


def test_an_end_with_nothing_sealed_keeps_nothing() -> None:
    Playbook().says(EndAsked(), StopWatching(), Settle(None))


def test_timers_and_answers_of_others_are_ignored() -> None:
    play = Playbook().counting(0).says(NotRisen(0))
    play.says(Answered(0)).says(AnswerOverdue(0)).says(HoldOver(0)).says(NotRisen(0))
    play.says(Sealed(7, B)).says(Rose(7))


def test_an_event_out_of_place_is_the_feeders_error() -> None:
    play = Playbook().says(Offered(0), Seal(0))
    with pytest.raises(IllegalEventError, match="EndAsked while sealing"):
        play.machine.send(EndAsked())


def test_every_state_has_its_row() -> None:
    assert set(TRANSITIONS) == set(State)


class Crew:
    """Carries out what the machine wants, at once, and notes who leaves."""

    def __init__(self, *, fails: bool) -> None:
        self.machine = Machine(automatic=True)
        self.fails = fails
        self.offered = 0
        self.sealed: set[int] = set()
        self.released: list[int] = []

    def step(self, step: str) -> None:
        latest = max(self.sealed, default=0)
        match step:
            case "offer" | "hinted":
                self.offered += 1
                self.run(Offered(self.offered - 1, step == "hinted"))
            case "tick":
                self.run(HoldOver(self.offered - 1))
            case "answer":
                self.run(Answered(latest))
            case _ if self.machine.state == State.COUNTING:
                self.run(Rose(latest) if step == "rise" else NotRisen(latest))

    def run(self, event: Event) -> None:
        for command in self.machine.send(event):
            match command:
                case Release(key):
                    assert key in self.sealed or self.machine.state in OVER
                    self.released.append(key)
                case Seal(key) if self.fails:
                    self.run(SealFailed(key, "it failed"))
                case Seal(key) | WriteUiOnly(key):
                    self.sealed.add(key)
                    self.run(Sealed(key, f"sha256:{key}"))


STEPS = st.lists(st.sampled_from(["offer", "hinted", "tick", "answer", "rise", "flat"]))


@given(STEPS, st.booleans())
def test_nobody_is_kept_for_ever_and_nobody_leaves_unsealed(steps: list[str], fails: bool) -> None:
    crew = Crew(fails=fails)
    for step in steps:
        crew.step(step)
    crew.run(EndAsked())
    assert sorted(crew.released) == list(range(crew.offered))
