"""Whether a record's field shows a slot's value, in the ways that sites keep what was typed."""

import html
import re
from pathlib import PurePath

from cards.readback import Compare

Scalar = str | int | float | bool
SlotValue = Scalar | PurePath | tuple[Scalar, ...]
"""What a caller fills a slot with: a scalar, a file, or a list."""
# A bracket alone is text: "a < b" has no tag.
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)
_BREAK = re.compile(
    r"</?(?:address|article|blockquote|br|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|table|"
    r"td|th|tr|ul)\b[^<>]*>",
    re.IGNORECASE,
)


def text_of(value: SlotValue) -> str:
    """The text by which values of any type are compared; JSON's own words for booleans.

    A file is known by its name, as sites show it; a list by its items, one a line.
    """
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, tuple):
        return "\n".join(map(text_of, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def matches(shown: object, value: SlotValue, compare: Compare) -> bool:
    """Whether what a record shows is the value.

    Args:
        shown: the field of the record, as parsed from JSON.
        value: the slot's value.
        compare: ``exact``; ``strip`` (white space around); ``html`` (tags and entities removed,
            white space folded, a new block or line being white space); ``contains``.
    """
    if not isinstance(shown, str | int | float):
        return False
    seen, wanted = text_of(shown), text_of(value)
    match compare:
        case "exact":
            return seen == wanted
        case "strip":
            return bool(wanted.strip()) and seen.strip() == wanted.strip()
        case "html":
            # What has no text of its own would match every empty record.
            return _plain(seen) in {_plain(wanted), " ".join(wanted.split())} - {""}
        case "contains":
            return bool(wanted) and wanted in seen


def _plain(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", _BREAK.sub(" ", text))).split())
