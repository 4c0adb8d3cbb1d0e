import pytest

from cards.card import ConfirmedCard, PromotedCard, card_of, seal
from tests.support.builders import NOON, acontract, afile, aproof
from tests.support.counting import anevidence
from verifier.promotion import confirm, fall_back, note_failure, promote


def confirmed() -> ConfirmedCard:
    card = card_of(afile(evidence=(aproof(),)))
    assert isinstance(card, ConfirmedCard)
    return card


def test_the_page_confirms_a_sealed_card() -> None:
    card = confirm(seal(acontract()), anevidence(acted="ui"))
    assert card.state == "confirmed"


def test_a_replay_promotes_a_confirmed_card() -> None:
    assert promote(confirmed(), anevidence()).state == "promoted"


@pytest.mark.parametrize(
    ("before", "after"), [((0, 3), (0, 3)), ((0, 3), (1, 3)), ((0, 3), (1, 2)), ((1, 3), (0, 2))]
)
def test_evidence_that_does_not_prove_moves_nothing(
    before: tuple[int, int], after: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="prove"):
        promote(confirmed(), anevidence(before, after))
    with pytest.raises(ValueError, match="prove"):
        confirm(seal(acontract()), anevidence(before, after, "ui"))


def test_the_page_does_not_promote_and_a_replay_does_not_confirm() -> None:
    with pytest.raises(ValueError, match="prove"):
        promote(confirmed(), anevidence(acted="ui"))
    with pytest.raises(ValueError, match="prove"):
        confirm(seal(acontract()), anevidence(acted="replay"))


def test_a_window_proves_without_its_total() -> None:
    assert promote(confirmed(), anevidence((0, 3), (1, 3), window=True)).state == "promoted"


def test_a_promotion_keeps_both_proofs_and_the_digest() -> None:
    card = confirmed()
    raised = promote(promote(card, anevidence()), anevidence((1, 4), (2, 5)))
    assert [proof.acted for proof in raised.file.evidence] == ["ui", "replay"]
    assert raised.file.evidence[1].after.matching == 2
    assert raised.digest == card.digest


def test_the_third_failure_running_takes_the_promotion_away() -> None:
    card: ConfirmedCard | PromotedCard = promote(confirmed(), anevidence())
    for state in ("promoted", "promoted", "confirmed"):
        assert isinstance(card, PromotedCard)
        card = note_failure(card, "not seen", NOON)
        assert card.state == state
    assert card.evidence_of("replay") is None


def test_a_proof_between_begins_the_count_anew() -> None:
    card = note_failure(promote(confirmed(), anevidence()), "not seen", NOON)
    assert isinstance(card, PromotedCard)
    assert promote(card, anevidence()).file.failures == 0


def test_a_promoted_card_falls_back_with_its_reason() -> None:
    card = fall_back(promote(confirmed(), anevidence()), "its source is gone", NOON)
    assert card.file.fell_back is not None
    assert card.file.fell_back.reason == "its source is gone"


def test_failures_are_noted() -> None:
    card = note_failure(promote(confirmed(), anevidence()), "not seen", NOON)
    assert isinstance(card, PromotedCard)
    assert card.file.failures == 1
