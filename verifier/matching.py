"""Whether a record's field shows a slot's value, in the ways that sites keep what was typed."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from cards.readback import Compare

Scalar = str | int | float | bool
SlotValue = Scalar | PurePath | tuple[Scalar, ...]
"""What a caller fills a slot with: a scalar, a file, or a list."""
# A bracket alone is text: "a < b" has no tag. A quoted attribute may hold the closing bracket.
# Neither search goes on past the next opening bracket, so that both stay linear.
_END = r"""(?:(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|[^<>]*>)"""
_TAG = re.compile(rf"</?[A-Za-z]{_END}")
_BREAK = re.compile(
    r"</?(?:address|article|blockquote|br|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|table|"
    rf"td|th|tr|ul)\b{_END}",
    re.IGNORECASE,
)
_NUMBERS = frozenset({int, float, bool})


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


class Comparison:
    """Whether what a record shows is a value; the value is prepared once.

    Args:
        value: the slot's value.
        compare: ``exact``; ``strip`` (white space around, and how lines end); ``html`` (tags and
            entities removed, white space folded, a new block or line being white space);
            ``contains``.
    """

    def __init__(self, value: SlotValue, compare: Compare) -> None:
        self._exact = compare == "exact"
        self._wanted = text_of(value)
        self._shows = _COMPARE[compare](self._wanted)

    def __call__(self, shown: object) -> bool:
        """Whether a field, as parsed from JSON, shows the value."""
        return isinstance(shown, str | int | float) and self._shows(text_of(shown))

    def count(self, column: Sequence[object]) -> int:
        """How many of these fields show the value."""
        if not self._exact:
            return sum(map(self, column))
        if _NUMBERS.isdisjoint(map(type, column)):
            return column.count(self._wanted)
        return sum(map(self, column))


def matches(shown: object, value: SlotValue, compare: Compare) -> bool:
    """Whether what one record shows is the value; see ``Comparison``."""
    return Comparison(value, compare)(shown)


Shows = Callable[[str], bool]


def _exact(wanted: str) -> Shows:
    return lambda seen: seen == wanted


def _contains(wanted: str) -> Shows:
    return lambda seen: bool(wanted) and wanted in seen


def _strip(wanted: str) -> Shows:
    bare = _bare(wanted)
    return lambda seen: bool(bare) and _bare(seen) == bare


def _html(wanted: str) -> Shows:
    # What has no text of its own would match every empty record.
    plain = {_plain(wanted), _folded(wanted)} - {""}
    return lambda seen: _plain(seen) in plain


_COMPARE: Mapping[Compare, Callable[[str], Shows]] = {
    "exact": _exact,
    "strip": _strip,
    "html": _html,
    "contains": _contains,
}


def _bare(text: str) -> str:
    # A text area sends its lines with both characters (HTML section 4.10.21.4).
    return text.strip().replace("\r\n", "\n")


def _plain(text: str) -> str:
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(" ", _without_comments(text)))
    return _folded(html.unescape(text) if "&" in text else text)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _without_comments(text: str) -> str:
    kept, start = [], 0
    while (begin := text.find("<!--", start)) >= 0:
        end = text.find("-->", begin + 4)
        if end < 0:
            break
        kept.append(text[start:begin])
        start = end + 3
    return "".join((*kept, text[start:]))
