"""One live value in one answer: read from the place that its source names, and from no other.

Rules:
1. A place that is there twice with differing values is ambiguous; nothing is picked.
2. A page with a password field is a login in place of what was asked for, unless the card's own
   form stands on it: changing an address asks for the password too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

import orjson

from cards.decodings import decode
from cards.holes import GeneratedRef, LiveRef
from cards.origin import Origin
from cards.shapes import Pairs
from cards.sources import (
    FormFieldSource,
    HeaderSource,
    JsonSource,
    LiveValue,
    MetaSource,
    ScriptSource,
    StorageSource,
    TextSource,
)
from replay.building import fill_target
from replay.filling import Filling
from verifier.fetched import Fetched
from verifier.forms import Form, Page
from verifier.login import Login
from verifier.login_pages import has_login_form, is_login_answer, is_login_target
from verifier.matching import text_of
from verifier.paths import MISSING, at
from verifier.scripts import single_places

_UNAUTHORIZED = 401
_GUARDS = (b")]}',\n", b")]}'\n", b"for(;;);", b"while(1);")
_NO_TEXT = re.compile("[\ud800-\udfff]")
PageSource = MetaSource | FormFieldSource | JsonSource | HeaderSource | TextSource | ScriptSource


@dataclass(frozen=True, slots=True)
class Missing:
    """A live value that is not to be had.

    Attributes:
        reason: ``gone`` (its page answered without it, or is not there any more), ``ambiguous``
            (found twice, differing), ``unreachable`` (no answer, or one that may pass; may be
            tried again), ``refused`` (the page was not shown to this login), ``off_origin``.
    """

    reason: Literal["gone", "ambiguous", "unreachable", "refused", "off_origin"]
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class Finder:
    """Finds values in answers for one run; each page is parsed once.

    Attributes:
        filling: the caller's values, which tell where the card's request goes.
        origin: the card's, against which a form's action is resolved.
    """

    filling: Filling
    origin: Origin
    _pages: dict[str, Page] = field(default_factory=dict)

    def find(self, source: PageSource, answer: Fetched) -> str | Missing | None:
        """The value that a good answer issues, or none where it is not there."""
        match source:
            case HeaderSource():
                header: str | None = answer.headers.get(source.name)
                return header
            case JsonSource():
                return _leaf(answer.body, source.path)
            case MetaSource():
                return _single({c for n, c in self._page(answer).metas() if n == source.name})
            case FormFieldSource():
                return self._form_field(source, self._page(answer).forms())
            case TextSource():
                return _plain(answer)
            case ScriptSource():
                return _of_script(source, answer)
            case _:
                assert_never(source)

    def is_login(self, answer: Fetched, sources: Iterable[object]) -> bool:
        """Whether a login was answered instead of a page.

        Args:
            answer: of the page.
            sources: all that are read from it.
        """
        if not is_login_answer(answer):
            return False
        led_there = bool(answer.redirects) and is_login_target(answer.target)
        if answer.status == _UNAUTHORIZED or led_there:
            return True
        own = [s for s in sources if isinstance(s, FormFieldSource) and s.submits_here and s.fields]
        return not any(self._has_form_of(source, answer) for source in own)

    def action_path(self) -> str:
        """The path that the card's request goes to, as far as it is known before live values."""
        # Cookies (RFC 6265 section 5.1.4) and forms are told by the path alone.
        target = self.filling.contract.target
        known = ("-" if isinstance(part, LiveRef | GeneratedRef) else part for part in target.path)
        path_only = target.model_copy(update={"path": tuple(known), "query": Pairs()})
        return fill_target(path_only, self.filling)

    def _page(self, answer: Fetched) -> Page:
        if answer.target not in self._pages:
            self._pages[answer.target] = Page(answer.body, self.origin, answer.target)
        return self._pages[answer.target]

    def _has_form_of(self, source: FormFieldSource, answer: Fetched) -> bool:
        # A login shown in place may share the action and the token, but not all of the fields.
        forms = self._page(answer).forms()
        path = self.action_path()
        return any(_has_fields(form, source) and _submits_to(form, source, path) for form in forms)

    def _form_field(self, source: FormFieldSource, forms: Iterable[Form]) -> str | Missing | None:
        holding = [form for form in forms if _value(source, form) is not None]
        if source.submits_here:
            path = self.action_path()
            holding = [form for form in holding if _submits_to(form, source, path)]
        if len(holding) > 1:
            holding = [form for form in holding if _has_fields(form, source)] or holding
        return _single({value for form in holding if (value := _value(source, form)) is not None})


def as_sent(live: LiveValue, issued: str | None) -> str | None:
    """An issued value as the request carries it, or none where that is no text."""
    value = issued
    for step in live.decode:
        value = None if value is None else decode(value, step) or value
    if value is None or _NO_TEXT.search(value):
        return None
    return live.prefix + value


def asks_for_password(answer: Fetched) -> bool:
    """Whether a page without its value shows a login form."""
    return has_login_form(answer.content_type, answer.body)


def _value(source: FormFieldSource, form: Form) -> str | None:
    for control in form.controls:
        if (control.name, control.nth) == (source.name, source.nth):
            return control.value if control.offered else None
    return None


def _has_fields(form: Form, source: FormFieldSource) -> bool:
    return set(source.fields) <= {control.name for control in form.controls}


def _submits_to(form: Form, source: FormFieldSource, path: str) -> bool:
    button = next((c for c in form.controls if (c.name, c.nth) == (source.name, source.nth)), None)
    action = (button.action if button else None) or form.action
    method = (button.method if button else None) or form.method
    # A hidden _method field turns the form's POST into the card's verb, so the path decides.
    return action.partition("?")[0] == path and method != "GET"


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


def _plain(answer: Fetched) -> str | None:
    if answer.content_type != "text/plain":
        return None
    return answer.body.decode("utf-8", "replace").strip() or None


def _of_script(source: ScriptSource, answer: Fetched) -> str | Missing | None:
    places = single_places(answer.body)
    place = (source.place, source.name, source.path)
    if place in places and places[place] is None:
        return Missing("ambiguous", "it is there more than once, with differing values")
    return places.get(place)


def stored(source: StorageSource, login: Login, origin: Origin) -> str | None:
    """The value of an item that the login holds, or none."""
    item = login.stored(origin, source.area).get(source.key)
    if item is None or not source.path:
        return item
    return _leaf(item.encode("utf-8", "replace"), source.path)


def _single(values: set[str]) -> str | Missing | None:
    if len(values) > 1:
        return Missing("ambiguous", "it is there more than once, with differing values")
    return next(iter(values), None)
