"""Form bodies of type application/x-www-form-urlencoded, read with the standard library.

Rules:
1. Order and duplicate names are kept; an empty value is a value (WHATWG URL, section 5.1).
"""

from urllib.parse import parse_qsl

from starlette.requests import Request


class Form:
    """The pairs of a submitted form."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._pairs = pairs

    def all(self, name: str) -> list[str]:
        return [value for known, value in self._pairs if known == name]

    def first(self, name: str) -> str:
        """The first value of this name, or an empty string."""
        return next(iter(self.all(name)), "")

    def __contains__(self, name: str) -> bool:
        return any(known == name for known, _ in self._pairs)


async def read_form(request: Request) -> Form:
    body = (await request.body()).decode("utf-8", "replace")
    return Form(parse_qsl(body, keep_blank_values=True))
