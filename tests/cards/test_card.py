import pytest
from pydantic import ValidationError

from cards.card import (
    CardFile,
    ConfirmedCard,
    FallBack,
    PromotedCard,
    SealedCard,
    UiOnlyCard,
    card_of,
    seal,
    seal_ui_only,
)
from cards.shapes import OpaqueBody
from tests.support.builders import NOON, acontract, afile, aproof


def test_a_new_card_is_sealed() -> None:
    assert seal(acontract()).state == "sealed"


def test_proof_by_the_page_confirms() -> None:
    assert isinstance(card_of(afile(evidence=(aproof(),))), ConfirmedCard)


def test_proof_by_a_replay_promotes() -> None:
    assert isinstance(card_of(afile(evidence=(aproof(acted="replay"),))), PromotedCard)


def test_a_card_that_fell_back_is_confirmed() -> None:
    fallen = afile(fell_back=FallBack(reason="its source is gone", at=NOON))
    assert isinstance(card_of(fallen), ConfirmedCard)


def test_a_card_for_the_ui_path_stays_there_whatever_its_evidence() -> None:
    card = card_of(afile(ui_only="a signed body", evidence=(aproof(acted="replay"),)))
    assert isinstance(card, UiOnlyCard)
    assert card.reason == "a signed body"


def test_a_digest_that_does_not_match_is_refused() -> None:
    with pytest.raises(ValidationError, match="changed after its seal"):
        CardFile(format=1, digest="sha256:" + "0" * 64, contract=acontract())


def test_an_opaque_body_can_only_stay_on_the_ui_path() -> None:
    opaque = acontract(body=OpaqueBody(kind="opaque"))
    with pytest.raises(ValidationError, match="UI path"):
        seal(opaque)
    assert seal_ui_only(opaque, "an encrypted body").state == "ui_only"


def test_another_format_is_refused() -> None:
    with pytest.raises(ValidationError):
        afile(format=2)


def test_the_proofs_are_told_apart_by_who_acted() -> None:
    proofs = (aproof(), aproof(acted="replay"))
    card = SealedCard(afile(evidence=proofs))
    assert card.evidence_of("replay") == proofs[1]
