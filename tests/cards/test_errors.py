import pytest

from cards import errors
from cards.errors import UserError

LEAVES = UserError.__subclasses__()


def test_the_root_refuses_to_be_raised() -> None:
    with pytest.raises(TypeError):
        UserError("something")


@pytest.mark.parametrize("leaf", LEAVES)
def test_every_leaf_has_a_code_of_its_own(leaf: type[UserError]) -> None:
    assert leaf.code
    assert sum(other.code == leaf.code for other in LEAVES) == 1


@pytest.mark.parametrize("leaf", LEAVES)
def test_every_leaf_stands_in_the_drawn_tree(leaf: type[UserError]) -> None:
    assert leaf.__name__ in (errors.__doc__ or "")


def test_an_error_reads_as_its_message_and_its_way_out() -> None:
    assert str(errors.BadSlot("Slot x is missing.", "Give x=VALUE.")) == (
        "Slot x is missing. Give x=VALUE."
    )
