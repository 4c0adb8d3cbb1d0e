"""Cookies that an answer sets (RFC 6265 section 5.2)."""

from collections.abc import Iterator

from recorder.naming import is_name
from recorder.sources.offers import CookiePlace, Exchange, Offer
from recorder.traffic import RawRequest


def find_cookies(exchange: Exchange) -> Iterator[Offer]:
    """Every cookie of every ``Set-Cookie``."""
    for name, line in exchange.response.headers:
        if name.lower() == "set-cookie":
            key, equals, value = line.partition(";")[0].partition("=")
            if equals and is_name(key.strip()):
                yield Offer(_unquoted(value.strip()), CookiePlace(key.strip()))


def sent_cookies(request: RawRequest) -> Iterator[tuple[str, str]]:
    """Name and value of every cookie that the request sent, from every ``Cookie`` header.

    HTTP/2 splits the header (RFC 9113 section 8.2.3), so there may be several.
    """
    for name, line in request.headers:
        if name == "cookie":
            for pair in line.split(";"):
                key, equals, value = pair.strip().partition("=")
                if equals and is_name(key):
                    yield key, _unquoted(value)


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1]
    return value
