from cards.card import ConfirmedCard, PromotedCard, card_of, seal
from cards.transitions import fallen_back, with_failure, with_proof
from tests.support.builders import NOON, acontract, afile, aproof


def promoted() -> PromotedCard:
    card = card_of(afile(evidence=(aproof(), aproof(acted="replay"))))
    assert isinstance(card, PromotedCard)
    return card


def test_a_proof_moves_a_card_and_keeps_its_digest() -> None:
    card = seal(acontract())
    confirmed = with_proof(card, aproof())
    assert isinstance(confirmed, ConfirmedCard)
    assert confirmed.digest == card.digest


def test_a_newer_proof_takes_the_place_of_the_last_one_by_the_same_actor() -> None:
    newer = aproof(acted="replay", after=aproof().before.model_copy(update={"matching": 7}))
    card = with_proof(promoted(), newer)
    assert card.evidence_of("replay") == newer
    assert len(card.file.evidence) == 2


def test_two_failures_do_not_take_the_promotion_away() -> None:
    card = with_failure(promoted(), "the count did not rise", NOON)
    assert isinstance(card, PromotedCard)
    card = with_failure(card, "the count did not rise", NOON)
    assert isinstance(card, PromotedCard)


def test_the_third_failure_running_takes_the_promotion_away_and_says_why() -> None:
    card: ConfirmedCard | PromotedCard = promoted()
    for _ in range(3):
        assert isinstance(card, PromotedCard)
        card = with_failure(card, "the count did not rise", NOON)
    assert isinstance(card, ConfirmedCard)
    assert card.file.fell_back is not None
    assert "did not rise" in card.file.fell_back.reason


def test_a_success_between_failures_begins_the_count_anew() -> None:
    failed = with_failure(promoted(), "the count did not rise", NOON)
    assert isinstance(failed, PromotedCard)
    assert with_proof(failed, aproof(acted="replay")).file.failures == 0


def test_a_card_that_fell_back_is_promoted_again_by_a_new_proof() -> None:
    fallen = fallen_back(promoted(), "its source is gone", NOON)
    again = with_proof(fallen, aproof(acted="replay"))
    assert isinstance(again, PromotedCard)
    assert again.file.fell_back is None
