"""What counts as markup: text that can carry no value, so that a card may keep it.

Rules:
1. Tags without attributes, XML's declaration, the brackets of a CDATA section, block comments that
   hold a name, and white space. Whatever else stands around a slot is somebody's text.
2. A tag's name is a name: one that looks like a value is none.
"""

import re

from cards.suspicion import carries_a_value, looks_like_identifier

_PIECE = re.compile(
    r"\s+"
    r"|<\?xml version=(?:\"1\.[01]\"|'1\.[01]')"
    r"(?: encoding=(?:\"[A-Za-z][A-Za-z0-9-]{2,15}\"|'[A-Za-z][A-Za-z0-9-]{2,15}'))?"
    r"(?: standalone=(?:\"yes\"|\"no\"|'yes'|'no'))? ?\?>"
    r"|</?(?P<tag>[A-Za-z_][A-Za-z0-9_.:-]{0,40})\s?/?>"
    r"|<!\[CDATA\[|\]\]>"
    r"|<!--\s/?(?P<comment>[a-z]+:?[a-z/-]{0,40})\s/?-->"
)
_SHORT_TAG = re.compile(r"[a-z]{1,10}[1-6]?", re.IGNORECASE)


def is_markup(text: str) -> bool:
    """Whether a text is markup and nothing else (empty text is).

    >>> is_markup("<p><b>"), is_markup('<p class="a">'), is_markup("hello")
    (True, False, False)
    """
    at = 0
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None or not all(map(_is_word, filter(None, piece.groups()))):
            return False
        at = piece.end()
    return True


def _is_word(name: str) -> bool:
    if _SHORT_TAG.fullmatch(name):
        return True
    parts = re.split(r"[:/]", name)
    return not any(carries_a_value(part) or looks_like_identifier(part) for part in parts if part)
