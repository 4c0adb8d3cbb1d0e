"""Where the next page is: a member, the Link header, a numbered parameter, a cursor's parameter.

Rules:
1. A parameter is set in the place of one of the same name; everything else of a target stays byte
   for byte.
2. What should lead to the next page and does not is an error, never the end of the collection.
"""

import re
from typing import Any
from urllib.parse import quote, unquote_plus

from cards.origin import Origin
from cards.readback import PageParameter, Readback
from verifier.fetched import Fetched
from verifier.paths import MISSING, first

# RFC 8288 section 3; a parameter's name is any token.
_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PARAMETER = re.compile(rf';\s*({_WORD})\s*(?:=\s*(?:"([^"]*)"|([^;,"\s]*)))?\s*')
_LINK = re.compile(rf'<([^<>]*)>\s*((?:;\s*{_WORD}\s*(?:=\s*(?:"[^"]*"|[^;,"\s]*))?\s*)*)')


class NoTargetError(Exception):
    """What stands where the next page's URL or token should be is none."""


def with_param(target: str, name: str, value: str) -> str:
    """The target with that query parameter, in the place of all others of its name."""
    bare = without_param(target, name)
    joiner = "&" if "?" in bare else "?"
    return f"{bare}{joiner}{quote(name, safe='')}={quote(value, safe='')}"


def without_param(target: str, name: str) -> str:
    """The target without that query parameter."""
    path, _, query = target.partition("?")
    pairs = query.split("&") if query else []
    kept = [pair for pair in pairs if unquote_plus(pair.partition("=")[0]) != name]
    if len(kept) == len(pairs):
        return target
    return f"{path}?{'&'.join(kept)}" if kept else path


def with_page(target: str, page: PageParameter | None, index: int) -> str:
    """The target of the page with that index, from 0."""
    return target if page is None else with_param(target, page.param, str(page.start + index))


def next_target(
    readback: Readback, fetched: Fetched, document: Any, index: int, records: int, origin: Origin
) -> str | None:
    """The target of the page after this one, or none when it is the last.

    Raises:
        BadOrigin: the next page is on another origin, so that the collection can't be read whole.
        CannotFollowError: the path of its URL or token cannot be followed.
        NoTargetError: there is something else than a URL or token, likewise.
    """
    if readback.page is not None:
        return with_page(fetched.target, readback.page, index + 1) if records else None
    if readback.cursor is not None:
        token = _token(first(document, readback.cursor.path))
        return token and with_param(fetched.target, readback.cursor.param, token)
    if readback.next is None:
        return None
    link = _link(fetched) if readback.next == "link" else first(document, readback.next)
    if _is_none(link):
        return None
    if not isinstance(link, str):
        raise NoTargetError
    return origin.follow(link, fetched.target)


def _token(found: Any) -> str | None:
    if _is_none(found):
        return None
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise NoTargetError
    return str(found)


def _is_none(found: Any) -> bool:
    return found is MISSING or found is None or found is False or found == ""


def _link(fetched: Fetched) -> str | None:
    for target, parameters in _LINK.findall(fetched.headers.get("link", "")):
        for name, quoted, plain in _PARAMETER.findall(parameters):
            # The relation type is a space-separated list of words.
            if name.lower() == "rel" and "next" in (quoted or plain).lower().split():
                return str(target)
    return None
