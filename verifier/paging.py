"""Where the next page of a collection is: a member, the Link header, or a numbered parameter."""

import re
from typing import Any
from urllib.parse import quote

from cards.origin import Origin
from cards.readback import PageParameter, Readback
from verifier.http import Fetched
from verifier.paths import MISSING, at, find

_NEXT_LINK = re.compile(r'<([^<>]*)>\s*((?:;\s*[A-Za-z*]+\s*=\s*(?:"[^"]*"|[^;,"\s]*)\s*)*)')


class NoTargetError(Exception):
    """What stands where the next page's URL should be is none."""


def with_page(target: str, page: PageParameter | None, index: int) -> str:
    """The target of the page with that index, from 0."""
    if page is None:
        return target
    joiner = "&" if "?" in target else "?"
    return f"{target}{joiner}{quote(page.param, safe='')}={page.start + index}"


def next_target(
    readback: Readback, fetched: Fetched, document: Any, index: int, records: int, origin: Origin
) -> str | None:
    """The target of the page after this one, or none when it is the last.

    Raises:
        BadOrigin: the next page is on another origin, so that the collection can't be read whole.
        NoTargetError: there is something else than a URL, likewise.
    """
    if readback.page is not None:
        if records == 0:
            return None
        base = _without_page(fetched.target, readback.page, index)
        return with_page(base, readback.page, index + 1)
    link = _link(fetched) if readback.next == "link" else _member(document, readback)
    if link is MISSING or link is None or link is False or link == "":
        return None
    if not isinstance(link, str):
        raise NoTargetError
    return origin.follow(link, fetched.target)


def _without_page(target: str, page: PageParameter, index: int) -> str:
    added = f"{quote(page.param, safe='')}={page.start + index}"
    return re.sub(rf"[?&]{re.escape(added)}$", "", target)


def _link(fetched: Fetched) -> Any:
    # RFC 8288 section 3: the relation type is a space-separated list of words.
    for target, parameters in _NEXT_LINK.findall(fetched.headers.get("link", "")):
        relation = re.search(r'rel\s*=\s*"?([^";,]*)', parameters, re.IGNORECASE)
        if relation and "next" in relation[1].lower().split():
            return target
    return None


def _member(document: Any, readback: Readback) -> Any:
    if readback.next is None:
        return None
    if isinstance(readback.next, str):
        found = find(document, readback.next)
        return found[0] if found else None
    return at(document, readback.next)
