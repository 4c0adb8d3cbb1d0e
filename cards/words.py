"""Leaves that stand for words of a protocol, never for a captured value.

Rules:
1. A word is one of a closed list that the protocol's own specification gives.
2. What an operation is called is written once, in the contract; the body refers to it.
"""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, StrictInt

from cards.model import Frozen
from cards.suspicion import carries_a_value, looks_like_identifier

OperationPart = Literal["name", "document", "persisted_hash", "persisted_version", "protocol"]


class OperationRef(Frozen):
    """Here a part of the contract's operation stands."""

    operation: OperationPart


# RFC 6902 section 4.
PATCH_WORDS = frozenset({"add", "remove", "replace", "move", "copy", "test"})
# The node types and marks of ProseMirror, Lexical, Slate, Editor.js and Draft.js documents.
RICH_TEXT_WORDS = frozenset(
    {"doc", "document", "root", "block", "inline", "leaf", "span", "header", "unstyled"}
    | {"paragraph", "p", "div", "text", "linebreak", "hardBreak", "hard_break", "link"}
    | {"heading", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "quote"}
    | {"bulletList", "orderedList", "listItem", "bullet_list", "ordered_list", "list_item"}
    | {"list", "listitem", "li", "ul", "ol", "code", "codeBlock", "code_block"}
    | {"strong", "em", "bold", "italic", "underline", "normal", "ltr", "rtl", "left", "start"}
)
_WORDS = PATCH_WORDS | RICH_TEXT_WORDS
WORD_NUMBERS = (0, 1)
"""Numbers that say format, indentation or version in such documents."""


def _is_listed(word: str | int) -> str | int:
    if word not in (_WORDS if isinstance(word, str) else WORD_NUMBERS):
        raise ValueError("the word is none of the protocols' own")
    return word


class Word(Frozen):
    """A word of JSON Patch or of a rich-text document (``add``, ``paragraph``)."""

    word: Annotated[StrictInt | str, AfterValidator(_is_listed)]


_PLACE = re.compile(r"[A-Za-z_/][A-Za-z0-9_./~-]{0,199}")
_INDEX = re.compile(r"[0-9]{1,2}|-")


def is_place(text: str) -> bool:
    """Whether a path into a document holds names, ends and small indexes only.

    >>> is_place("/items/-"), is_place("variables.files.0"), is_place("/users/4711/name")
    (True, True, False)
    """
    parts = [part for part in re.split(r"[./]", text) if part]
    return bool(_PLACE.fullmatch(text)) and all(
        _INDEX.fullmatch(part) or not (carries_a_value(part) or looks_like_identifier(part))
        for part in parts
    )


def _place(text: str) -> str:
    if not is_place(text):
        raise ValueError("the path into the document carries a value")
    return text


class Place(Frozen):
    """A path into the document itself.

    A JSON Pointer (RFC 6901), or the dotted path of a multipart GraphQL request's ``map``.
    """

    place: Annotated[str, AfterValidator(_place)]
