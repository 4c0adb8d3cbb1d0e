"""Live values, fetched: each source's page once, with the login, by GET.

Rules:
1. What is not found is ``Missing`` with its reason: never guessed, never taken from another place.
2. A page that asks for a login instead is ``SignedOut``: a token there would prove nothing.
3. ``gone`` is said of what the site itself shows to be gone; an error that may pass, a page that
   this login may not see and a page that leads elsewhere say nothing of the card.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Literal

from cards.shapes import Target
from cards.sources import CookieSource, HeaderSource, JsonSource, Source, StorageSource
from replay.building import fill_target
from replay.expiry import has_expired
from replay.filling import Filling
from replay.finding import Finder, Missing, as_sent, asks_for_password, stored
from verifier.http import Fetched, FetchFailed, Reader
from verifier.login import Login

# RFC 9110 section 15.5 and RFC 6585: what may be another answer in a moment.
_LATER = frozenset({408, 425, 429})
_GONE = frozenset({404, 405, 410})
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SignedOut:
    """The site asked for a login where a live value should be."""

    message: str


@dataclass(frozen=True, slots=True)
class LiveValues:
    """Everything that was found.

    Attributes:
        values: by name.
        oldest_s: the greatest ``Age`` of a page that they came from, in seconds.
    """

    values: Mapping[str, str] = field(repr=False)
    oldest_s: int = 0


async def fetch_live(
    reader: Reader, login: Login, filling: Filling, *, timeout: float
) -> LiveValues | Missing | SignedOut:
    """Every live value of the card, its pages fetched side by side.

    Args:
        reader: of the card's origin.
        login: whose cookies are read.
        filling: the caller's values, which pages' URLs may use.
        timeout: seconds for each page.
    """
    finder = Finder(filling, reader.origin)
    sources = _sources_by_page(filling)
    pages = await _fetch_pages(reader, sources, timeout)
    values: dict[str, str] = {}
    for name, live in filling.contract.live.items():
        key = None if live.source.page is None else _key(live.source, filling)
        answer = None if key is None else pages[key]
        if isinstance(answer, FetchFailed):
            return _unreachable(name, answer)
        if key is not None and answer is not None and finder.is_login(answer, sources[key]):
            return SignedOut(f"The page that issues {name} asked for a login.")
        found = _find(live.source, answer, login, finder)
        value = found if isinstance(found, Missing) else as_sent(live, found)
        if value is None or isinstance(value, Missing):
            return _explain(name, live.source, answer, value)
        if has_expired(value):
            return SignedOut(f"The token of {name} has expired.")
        values[name] = value
    fetched = [page for page in pages.values() if isinstance(page, Fetched)]
    return LiveValues(values, max((_age(page) for page in fetched), default=0))


def with_cookies_of_now(
    found: LiveValues, login: Login, filling: Filling, reader: Reader
) -> LiveValues | SignedOut:
    """The values again, those made from cookies as the login has them by now.

    The count beside them may have been answered with a new cookie, which is the one that is sent;
    a site that compares the two would refuse the older value.
    """
    finder = Finder(filling, reader.origin)
    values = dict(found.values)
    for name, live in filling.contract.live.items():
        if isinstance(live.source, CookieSource):
            value = as_sent(
                live, login.cookie(reader.origin, finder.action_path(), live.source.name)
            )
            if value is None:
                return SignedOut(f"The login lost the cookie from which {name} is made.")
            values[name] = value
    return replace(found, values=values)


def _sources_by_page(filling: Filling) -> dict[_Key, list[Source]]:
    sources: dict[_Key, list[Source]] = {}
    for live in filling.contract.live.values():
        if live.source.page is not None:
            sources.setdefault(_key(live.source, filling), []).append(live.source)
    return sources


async def _fetch_pages(
    reader: Reader, sources: Mapping[_Key, list[Source]], timeout: float
) -> dict[_Key, Fetched | FetchFailed]:
    answers = await asyncio.gather(
        *(_fetch(reader, key[0], found[0], timeout) for key, found in sources.items())
    )
    return dict(zip(sources, answers, strict=True))


def _key(source: Source, filling: Filling) -> _Key:
    assert source.page is not None
    asked = source.name if isinstance(source, HeaderSource) and source.ask else ""
    return fill_target(source.page, filling), asked


async def _fetch(
    reader: Reader,
    target: str,
    source: Source,
    timeout: float,
) -> Fetched | FetchFailed:
    accept = "application/json, */*;q=0.5" if isinstance(source, JsonSource) else "text/html, */*"
    headers = {source.name: "fetch"} if isinstance(source, HeaderSource) and source.ask else {}
    return await reader.get(target, accept=accept, headers=headers, timeout=timeout)


def _find(
    source: Source, answer: Fetched | None, login: Login, finder: Finder
) -> str | Missing | None:
    if isinstance(source, CookieSource):
        return login.cookie(finder.origin, finder.action_path(), source.name)
    if isinstance(source, StorageSource):
        return stored(source, login, finder.origin)
    assert answer is not None
    return finder.find(source, answer) if answer.status == HTTPStatus.OK else None


def _explain(
    name: str, source: Source, answer: Fetched | None, problem: Missing | None
) -> Missing | SignedOut:
    if answer is not None and _may_pass(answer.status):
        return Missing("unreachable", f"The page that issues {name} answered {answer.status}.")
    if isinstance(source, CookieSource):
        return SignedOut(f"The login has no cookie {source.name}, from which {name} is made.")
    if isinstance(source, StorageSource):
        return SignedOut(f"The login has no {source.area}Storage item from which {name} is made.")
    assert answer is not None
    if asks_for_password(answer):
        return SignedOut(f"The page that issues {name} asked for a login.")
    where = f"{_PLACES[source.kind]} of {describe(source.page)}"
    if problem is not None:
        return Missing(problem.reason, f"The live value {name} ({where}): {problem.message}.")
    if answer.status == HTTPStatus.OK and answer.redirects:
        return Missing("refused", f"The live value {name} ({where}): its page led to another.")
    if answer.status != HTTPStatus.OK and answer.status not in _GONE:
        told = f"its page answered {answer.status}"
        return Missing("refused", f"The live value {name} ({where}): {told}.")
    status = "" if answer.status == HTTPStatus.OK else f", which answered {answer.status}"
    return Missing("gone", f"The live value {name} is gone: it was {where}{status}.")


def _may_pass(status: int) -> bool:
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _LATER


_PLACES = {
    "cookie": "a cookie",
    "meta": "a meta tag",
    "form_field": "a form field",
    "json": "a JSON leaf",
    "header": "a response header",
    "text": "the text",
    "script": "a value in a script",
}


def describe(target: Target | None) -> str:
    """A page's path template for messages, its holes by name."""
    if target is None:
        return "the login"
    parts = (part if isinstance(part, str) else "{…}" for part in target.path)
    return "/" + "/".join(parts)


def _unreachable(name: str, failed: FetchFailed) -> Missing:
    reason: Literal["off_origin", "unreachable"] = (
        "off_origin" if failed.reason == "off_origin" else "unreachable"
    )
    return Missing(reason, f"The page that issues {name} gave no answer. {failed.message}")


def _age(page: Fetched) -> int:
    age = page.headers.get("age", "")
    return int(age) if age.isdigit() and len(age) < 10 else 0  # noqa: PLR2004


__all__ = [
    "LiveValues",
    "Missing",
    "SignedOut",
    "describe",
    "fetch_live",
    "with_cookies_of_now",
]
