"""Response headers that a script may copy into a request."""

import re
from collections.abc import Iterator

from recorder.naming import is_name
from recorder.sources.offers import Exchange, HeaderPlace, Offer

# What servers, caches and browsers say to each other; no page sends any of it back.
_TRANSPORT = re.compile(
    r"content-.*|set-cookie2?|date|server|connection|keep-alive|transfer-encoding|vary|expires|"
    r"cache-control|pragma|age|via|alt-svc|location|last-modified|accept-.*|access-control-.*|"
    r"strict-transport-security|referrer-policy|permissions-policy|cross-origin-.*|nel|report-to|"
    r"reporting-endpoints|server-timing|x-frame-options|x-content-type-options|x-xss-protection|"
    r"x-powered-by|x-dns-prefetch-control|link|allow|trailer|upgrade|timing-allow-origin"
)


def find_headers(exchange: Exchange) -> Iterator[Offer]:
    """Every header that says something of the application's own."""
    for raw_name, value in exchange.response.headers:
        name = raw_name.lower()
        if value and not _TRANSPORT.fullmatch(name) and is_name(name):
            asked = (exchange.request.header(name) or "").lower() == "fetch"
            yield Offer(value, HeaderPlace(name, ask=asked))
