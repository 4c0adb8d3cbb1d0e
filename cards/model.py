"""The pydantic base of everything that a card holds, and the names that it uses.

Rules:
1. Frozen and closed: an unknown member is an error, never carried along.
2. A name is a word that a person or a program chose, never a captured value.
"""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from cards.suspicion import carries_a_value


class Frozen(BaseModel):
    """A closed, immutable part of a card."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _no_value(name: str) -> str:
    if carries_a_value(name):
        raise ValueError("a name carries a value")
    return name


ActionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
"""One named thing that a user does once, also the stem of the card's file."""

SlotName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
"""A hole's name: an identifier, so that it can be a parameter of a tool or function."""

FieldName = Annotated[str, StringConstraints(max_length=200), AfterValidator(_no_value)]
"""The name of a JSON member, form field, cookie, header or meta tag, as the site wrote it."""
