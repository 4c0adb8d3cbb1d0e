"""Live values, fetched: each source's page once, with the login, by GET.

Rules:
1. What is not found is ``Missing`` with its reason: never guessed, never taken from another place.
2. A page that asks for a login instead is ``SignedOut``: a token there would prove nothing.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

import orjson

from cards.decodings import decode
from cards.holes import GeneratedRef, LiveRef
from cards.shapes import Pairs, Target
from cards.sources import (
    CookieSource,
    FormFieldSource,
    HeaderSource,
    JsonSource,
    LiveValue,
    MetaSource,
    Source,
)
from replay.building import fill_target
from replay.filling import Filling
from verifier.forms import Form, Page
from verifier.http import Fetched, FetchFailed, Reader
from verifier.login import Login
from verifier.login_pages import has_login_form, is_login_answer
from verifier.matching import text_of
from verifier.paths import MISSING, at

_OK = 200
_GUARDS = (b")]}',\n", b")]}'\n", b"for(;;);", b"while(1);")


@dataclass(frozen=True, slots=True)
class Missing:
    """A live value that is not to be had.

    Attributes:
        reason: ``gone`` (its page answered without it), ``ambiguous`` (found twice, differing),
            ``unreachable`` (no answer; may be tried again), ``off_origin``.
    """

    reason: Literal["gone", "ambiguous", "unreachable", "off_origin"]
    message: str


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
    contract = filling.contract
    pages = await _fetch_pages(reader, filling, timeout)
    values: dict[str, str] = {}
    parsed: dict[str, Page] = {}
    for name, live in contract.live.items():
        source = live.source
        answer = None if source.page is None else pages[_key(source, filling)]
        if isinstance(answer, FetchFailed):
            return _unreachable(name, answer)
        if isinstance(answer, Fetched) and is_login_answer(answer):
            return SignedOut(f"The page that issues {name} asked for a login.")
        found = _find(source, answer, login, filling, parsed, reader)
        value = found if isinstance(found, Missing) else _as_sent(live, found)
        if value is None or isinstance(value, Missing):
            return _explain(name, source, answer, value)
        values[name] = value
    fetched = [page for page in pages.values() if isinstance(page, Fetched)]
    return LiveValues(values, max((_age(page) for page in fetched), default=0))


async def _fetch_pages(
    reader: Reader,
    filling: Filling,
    timeout: float,
) -> dict[tuple[str, str], Fetched | FetchFailed]:
    wanted: dict[tuple[str, str], Source] = {}
    for live in filling.contract.live.values():
        if live.source.page is not None:
            wanted.setdefault(_key(live.source, filling), live.source)
    answers = await asyncio.gather(
        *(_fetch(reader, key[0], source, timeout) for key, source in wanted.items())
    )
    return dict(zip(wanted, answers, strict=True))


def _key(source: Source, filling: Filling) -> tuple[str, str]:
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
    source: Source,
    answer: Fetched | None,
    login: Login,
    filling: Filling,
    parsed: dict[str, Page],
    reader: Reader,
) -> str | Missing | None:
    if isinstance(source, CookieSource):
        return login.cookie(reader.origin, _action_path(filling), source.name)
    assert answer is not None
    if answer.status != _OK:
        return None
    match source:
        case HeaderSource():
            header: str | None = answer.headers.get(source.name)
            return header
        case JsonSource():
            return _leaf(answer.body, source.path)
        case MetaSource():
            contents = {c for n, c in _page(answer, parsed, reader).metas() if n == source.name}
            return _single(contents)
        case FormFieldSource():
            return _form_field(source, _page(answer, parsed, reader).forms(), filling)
        case _:
            assert_never(source)


def _page(answer: Fetched, parsed: dict[str, Page], reader: Reader) -> Page:
    if answer.target not in parsed:
        parsed[answer.target] = Page(answer.body, reader.origin, answer.target)
    return parsed[answer.target]


def _form_field(
    source: FormFieldSource, forms: Iterable[Form], filling: Filling
) -> str | Missing | None:
    holding = [form for form in forms if _value(source, form) is not None]
    if source.submits_here:
        path = _action_path(filling)
        holding = [form for form in holding if _submits_to(form, source, path)]
    if len(holding) > 1:
        names = set(source.fields)
        holding = [f for f in holding if names <= {c.name for c in f.controls}] or holding
    return _single({value for form in holding if (value := _value(source, form)) is not None})


def _value(source: FormFieldSource, form: Form) -> str | None:
    for control in form.controls:
        if (control.name, control.nth) == (source.name, source.nth):
            return control.value if control.offered else None
    return None


def _submits_to(form: Form, source: FormFieldSource, path: str) -> bool:
    button = next((c for c in form.controls if (c.name, c.nth) == (source.name, source.nth)), None)
    action = (button.action if button else None) or form.action
    # A hidden _method field turns the form's POST into the card's verb, so the path decides.
    return action.partition("?")[0] == path and form.method != "GET"


def _action_path(filling: Filling) -> str:
    # Cookies (RFC 6265 section 5.1.4) and forms are told by the path; live parts are not known yet.
    target = filling.contract.target
    known = ("-" if isinstance(part, LiveRef | GeneratedRef) else part for part in target.path)
    path_only = target.model_copy(update={"path": tuple(known), "query": Pairs()})
    return fill_target(path_only, filling)


def _leaf(body: bytes, path: tuple[int | str, ...]) -> str | None:
    guard = next((guard for guard in _GUARDS if body.startswith(guard)), b"")
    try:
        document: Any = orjson.loads(body[len(guard) :])
    except orjson.JSONDecodeError:
        return None
    value = at(document, path)
    if value is MISSING or value is None or isinstance(value, dict | list):
        return None
    return text_of(value)


def _single(values: set[str]) -> str | Missing | None:
    if len(values) > 1:
        return Missing("ambiguous", "it is there more than once, with differing values")
    return next(iter(values), None)


def _as_sent(live: LiveValue, issued: str | None) -> str | None:
    value = issued
    for step in live.decode:
        value = None if value is None else decode(value, step) or value
    return None if value is None else live.prefix + value


def _explain(
    name: str, source: Source, answer: Fetched | None, problem: Missing | None
) -> Missing | SignedOut:
    if isinstance(source, CookieSource):
        return SignedOut(f"The login has no cookie {source.name}, from which {name} is made.")
    assert answer is not None
    if has_login_form(answer.content_type, answer.body):
        return SignedOut(f"The page that issues {name} asked for a login.")
    where = f"{_PLACES[source.kind]} of {describe(source.page)}"
    if problem is not None:
        return Missing(problem.reason, f"The live value {name} ({where}): {problem.message}.")
    status = "" if answer.status == _OK else f", which answered {answer.status}"
    return Missing("gone", f"The live value {name} is gone: it was {where}{status}.")


_PLACES = {
    "cookie": "a cookie",
    "meta": "a meta tag",
    "form_field": "a form field",
    "json": "a JSON leaf",
    "header": "a response header",
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


__all__ = ["LiveValues", "Missing", "SignedOut", "describe", "fetch_live"]
