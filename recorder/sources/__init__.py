"""One finder for each kind of place that a live value is issued at.

Rules:
1. A finder reads one exchange and yields what that answer offered; it knows nothing of what is
   sent later.
2. A place that fits twice is no place: where one page holds two values that a source could not
   tell apart, neither is offered as fetchable.
3. A finder never raises for what a site wrote.
"""

from recorder.sources.cookies import find_cookies
from recorder.sources.headers import find_headers
from recorder.sources.html import find_html
from recorder.sources.json_leaves import find_json_leaves
from recorder.sources.offers import (
    CookiePlace,
    Exchange,
    Finder,
    FormPlace,
    HeaderPlace,
    JsonPlace,
    MetaPlace,
    Offer,
    Place,
    ScriptPlace,
    StoragePlace,
    TextPlace,
)
from recorder.sources.scripts import find_scripts
from recorder.sources.texts import find_texts

FINDERS: tuple[Finder, ...] = (
    find_cookies,
    find_headers,
    find_html,
    find_json_leaves,
    find_scripts,
    find_texts,
)

__all__ = [
    "FINDERS",
    "CookiePlace",
    "Exchange",
    "Finder",
    "FormPlace",
    "HeaderPlace",
    "JsonPlace",
    "MetaPlace",
    "Offer",
    "Place",
    "ScriptPlace",
    "StoragePlace",
    "TextPlace",
]
