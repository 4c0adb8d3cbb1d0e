"""Plain text and XML bodies: the whole text is a slot, or slots stand between tags.

Rules:
1. Between the tags of XML each text is a value like any other, and becomes a slot.
2. Plain text around a slot is somebody's text, which no card holds.
"""

import html
import re

from cards.holes import SlotRef, Template
from cards.markup import is_markup
from cards.shapes import TextBody
from recorder.choosing import Chooser
from recorder.contents import TextContent

_TAGS = re.compile(r"(<\?.*?\?>|<!\[CDATA\[|\]\]>|<!--.*?-->|<[^<>]*>)", re.DOTALL)
PLAIN = "the text of the body is more than one slot"
ATTRIBUTES = "the XML of the body holds more than tags without attributes and texts between them"


def strip_text(content: TextContent, chooser: Chooser) -> TextBody | str:
    """The shape of a text, or why it has none: a sentence without values."""
    if content.xml:
        return _xml(content.text, chooser)
    whole = chooser.declared_slot("body", content.text, "text")
    if whole is not None:
        return TextBody(kind="text", content=whole)
    return PLAIN


def _xml(text: str, chooser: Chooser) -> TextBody | str:
    pieces = _TAGS.split(text)
    if not all(map(is_markup, pieces[1::2])):
        return ATTRIBUTES
    parts: list[str | SlotRef] = []
    raw = False
    open_tags: list[str] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            raw = piece == "<![CDATA[" or (raw and piece != "]]>")
            _follow(piece, open_tags)
        if index % 2 or not piece.strip():
            parts.append(piece)
            continue
        hole = _text(piece, open_tags, chooser, escaped=not raw)
        if hole is None:
            return ATTRIBUTES
        parts.append(hole)
    if not any(isinstance(part, SlotRef) for part in parts):
        return ATTRIBUTES
    kept = tuple(part for part in parts if part != "")
    return TextBody(kind="text", content=Template(template=kept))


def _follow(tag: str, open_tags: list[str]) -> None:
    name = tag.strip("</> ")
    if tag.startswith("</"):
        if open_tags:
            open_tags.pop()
    elif not tag.startswith(("<?", "<!", "]")) and not tag.endswith("/>"):
        open_tags.append(name)


def _text(piece: str, open_tags: list[str], chooser: Chooser, *, escaped: bool) -> SlotRef | None:
    plain = html.unescape(piece) if escaped else piece
    hole = chooser.choose(".".join(open_tags) or "body", plain, "text")
    if not isinstance(hole, SlotRef):
        return None
    return hole.model_copy(update={"transforms": (*hole.transforms, "html")}) if escaped else hole
