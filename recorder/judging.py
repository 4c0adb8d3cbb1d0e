"""What a value's shape and a name's spelling say about each other."""

import re

from cards.holes import infer_slot_type
from cards.suspicion import looks_like_secret, looks_random

_LONG = 8
_FEW_WORDS = 3
_PLAIN_TYPES = ("date", "date-time", "email")
_PLAIN_WORDS = re.compile(r"[A-Za-z]+(?:[ _.-][a-z]+)*")


def distinctive(value: str) -> bool:
    """Whether two equal values of this shape can't be equal by accident.

    >>> distinctive("a1b2c3d4e5"), distinctive("general"), distinctive("Save and continue")
    (True, False, False)
    """
    return len(value) >= _LONG and not (_PLAIN_WORDS.fullmatch(value) and not _mixed(value))


def _mixed(value: str) -> bool:
    return len(re.findall(r"[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])", value)) > 3  # noqa: PLR2004


def bare(name: str) -> str:
    """A name without what spellings of one name differ in: ``X-CSRF-Token`` is ``csrftoken``."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"^(?:x-|_)+", "", name.lower()))


def mirrors(sent: str, issued: str) -> bool:
    """Whether a field's or header's name is another spelling of the place's name."""
    last = re.split(r"[.\[\]]", sent.rstrip("]"))[-1]
    return bare(last) == bare(issued) != ""


def is_token(value: str) -> bool:
    """Whether a value is random rather than written by a person or a program."""
    if len(value.split()) > _FEW_WORDS or infer_slot_type(value) in _PLAIN_TYPES:
        return False
    single = not any(character.isspace() for character in value)
    return (single and looks_random(value)) or looks_like_secret(value)
