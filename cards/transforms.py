"""The named shapes in which one typed value is sent: the recorder finds them, replay makes them.

Rules:
1. They are few, named, and a function of the slot's value alone.
"""

import html
import json
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import quote

from cards.holes import Transform


def transformed(value: str, transform: Transform) -> str:
    """A slot's value in one of the named shapes."""
    return _SHAPES[transform](value)


def _slug(value: str) -> str:
    plain = unicodedata.normalize("NFKD", value).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


_SHAPES: dict[Transform, Callable[[str], str]] = {
    "text": str,
    "strip": str.strip,
    "lower": str.lower,
    "html": lambda value: html.escape(value, quote=False),
    "url": lambda value: quote(value, safe="!'()*-._~", errors="replace"),
    "json": lambda value: json.dumps(value, ensure_ascii=False),
    "slug": _slug,
    # What a form makes of every line end of a text area (HTML section 4.10.22.4).
    "crlf": lambda value: value.replace("\r\n", "\n").replace("\n", "\r\n"),
}
