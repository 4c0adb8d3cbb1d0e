"""Queries and forms taken apart, and their manner of escaping inferred.

Rules:
1. Order, duplicates, empty pieces and the difference between ``a`` and ``a=`` are kept.
2. Where one manner of escaping explains the whole raw text, encoding the same values again gives
   the same bytes. Where none does, the values are the same and the bytes are not.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from cards.shapes import Escaping
from cards.suspicion import carries_a_value
from recorder.decoding import percent_decoded

_FORM_SAFE = "*-._"  # WHATWG URL section 5.2
_COMPONENT_SAFE = "!'()*-._~"  # ECMAScript encodeURIComponent
_PUNCTUATION = re.compile(r"[!-,./:-@\[-`{-~-]")
# These separate pairs or begin an escape, so they can't be left as they are.
_NEVER_SAFE = frozenset("%&+#")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_STAMP = re.compile(r"[0-9]{10,}")


@dataclass(frozen=True, slots=True, repr=False)
class RawPair:
    """One pair, decoded; a bare value has no name, a name without an equals sign no value."""

    name: str | None
    value: str | None


@dataclass(frozen=True, slots=True, repr=False)
class RawPairs:
    """Every pair of a query or form, in order."""

    pairs: tuple[RawPair, ...]
    escaping: Escaping


def take_apart(raw: str, charset: str | None = None) -> RawPairs | None:
    """The pairs of a query (without its question mark) or form.

    Args:
        raw: the text as it stands on the wire.
        charset: the label of the encoding of its escaped bytes; UTF-8 unless given.

    Returns:
        none where the bytes are not of that encoding.
    """
    pairs = []
    for piece in raw.split("&"):
        raw_name, equals, raw_value = piece.partition("=")
        name = percent_decoded(raw_name, plus=True, charset=charset)
        value = percent_decoded(raw_value, plus=True, charset=charset)
        if name is None or value is None:
            return None
        if not equals and (_STAMP.fullmatch(name) or carries_a_value(name)):
            pairs.append(RawPair(None, name))
        else:
            pairs.append(RawPair(name, value if equals else None))
    escaping = infer(re.split("[&=]", raw), values=_values(raw))
    if charset is not None:
        escaping = escaping.model_copy(update={"charset": charset})
    return RawPairs(tuple(pairs), escaping)


def _values(raw: str) -> list[str]:
    return [piece.partition("=")[2] for piece in raw.split("&")]


def infer(texts: Iterable[str], values: Iterable[str] = ()) -> Escaping:
    """The manner of escaping that explains raw names and values.

    Args:
        texts: raw texts without their separators.
        values: raw values, in which an equals sign may stand as it is.
    """
    raw = "\n".join(texts)
    escaped = {chr(int(code, 16)) for code in _ESCAPE.findall(raw)}
    plain = set(_PUNCTUATION.findall(_ESCAPE.sub("", raw))) - _NEVER_SAFE
    if any("=" in value for value in values) and "=" not in escaped:
        plain.add("=")
    space: Literal["+", "%20"] = "%20" if " " in escaped and "+" not in raw else "+"
    usual = _COMPONENT_SAFE if space == "%20" else _FORM_SAFE
    safe = (set(usual) - escaped) | plain
    letters = [code for code in _ESCAPE.findall(raw) if re.search("[A-Fa-f]", code)]
    lower = bool(letters) and all(code == code.lower() for code in letters)
    return Escaping(space=space, safe="".join(sorted(safe)), lower=lower)
