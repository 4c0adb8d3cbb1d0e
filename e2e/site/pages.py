"""Pages are files in `pages/`; here their holes are filled.

Rules:
1. `{{name}}` is filled with escaped text. Markup made by an endpoint is `Markup`, and only that
   goes in as it is.
2. A hole without a value is an error, not an empty string.
"""

import html
import re
from functools import cache
from pathlib import Path

from starlette.responses import HTMLResponse, Response

FOLDER = Path(__file__).parent / "pages"


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


@cache
def _template(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def show(name: str, status: int = 200, /, **values: str) -> Response:
    """Answer with a page.

    Raises:
        KeyError: the page has a hole that no value fills.
    """

    def fill(hole: re.Match[str]) -> str:
        value = values[hole[1]]
        return value if isinstance(value, Markup) else html.escape(value)

    return HTMLResponse(re.sub(r"\{\{(\w+)\}\}", fill, _template(name)), status)


def items(texts: list[str]) -> Markup:
    """List items, escaped."""
    return Markup("".join(f"<li>{html.escape(text)}</li>" for text in texts))
