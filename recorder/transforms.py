"""One typed value in several shapes: which transform of a slot's value was sent?

Rules:
1. A transform counts only when the whole sent text is the whole transformed value; inside markup
   the slot's value stands between tags without attributes and nothing else.
"""

import re
from collections.abc import Iterable

from cards.holes import SlotRef, Template, Transform
from cards.markup import is_markup
from cards.transforms import transformed

_CHAINS: tuple[tuple[Transform, ...], ...] = (
    (),
    ("strip",),
    ("lower",),
    ("strip", "lower"),
    ("html",),
    ("url",),
    ("json",),
    ("slug",),
    ("crlf",),
    ("strip", "crlf"),
)
_SHORTEST = 2
_MAX_MARKUP = 100_000


def chain_between(value: str, sent: str) -> tuple[Transform, ...] | None:
    """The transforms that make ``sent`` of a slot's value, or none.

    >>> chain_between("Zebra 4711", "zebra-4711")
    ('slug',)
    """
    for chain in _CHAINS:
        text = value
        for transform in chain:
            text = transformed(text, transform)
        if text == sent and len(text) >= _SHORTEST:
            return chain
    return None


def template_of(sent: str, slots: Iterable[tuple[str, str]]) -> Template | None:
    """The template of a text in which slots' values stand between tags, or none.

    Args:
        sent: the text.
        slots: names and values.
    """
    if "<" not in sent or len(sent) > _MAX_MARKUP:
        return None
    forms: dict[str, SlotRef] = {}
    for name, value in slots:
        if len(value) >= _SHORTEST:
            forms.setdefault(transformed(value, "html"), SlotRef(slot=name, transforms=("html",)))
            forms.setdefault(value, SlotRef(slot=name))
    if not forms:
        return None
    longest_first = sorted(forms, key=len, reverse=True)
    pieces = re.split(f"({'|'.join(map(re.escape, longest_first))})", sent)
    literals, values = pieces[0::2], pieces[1::2]
    if not values or not all(map(is_markup, literals)):
        return None
    parts = [forms.get(piece, piece) if i % 2 else piece for i, piece in enumerate(pieces)]
    return Template(template=tuple(part for part in parts if part != ""))
