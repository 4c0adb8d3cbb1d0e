"""What a finder yields: a value, in memory only, and the place that issued it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from cards.origin import Origin
from cards.shapes import Target
from cards.sources import (
    CookieSource,
    FormFieldSource,
    HeaderSource,
    JsonSource,
    MetaSource,
    ScriptSource,
    Source,
    StorageSource,
    TextSource,
)
from recorder.traffic import RawRequest, RawResponse
from verifier.login import Area
from verifier.scripts import Where

HTTP_OK = 200


@dataclass(frozen=True, slots=True, repr=False)
class Exchange:
    """A request to the card's origin, its answer, and how many came before it."""

    origin: Origin
    request: RawRequest
    response: RawResponse
    number: int

    @property
    def target(self) -> str:
        """Path and query of the request."""
        return self.request.target

    @property
    def fetchable(self) -> bool:
        """Whether one GET gets the like of this answer again."""
        return self.request.method == "GET" and self.response.status == HTTP_OK

    @property
    def media_type(self) -> str:
        """The answer's media type without parameters, lower case, or an empty string."""
        return (self.response.header("content-type") or "").partition(";")[0].strip().lower()


class Place(Protocol):
    """Where a value stands in an answer.

    Attributes:
        name: what the site calls the value there.
        choosable: whether it stands beside others of its kind, so that somebody chose it.
    """

    @property
    def name(self) -> str: ...

    @property
    def choosable(self) -> bool: ...

    def source(self, page: Target | None) -> Source:
        """The place in terms of a card."""
        ...


@dataclass(frozen=True, slots=True)
class CookiePlace:
    name: str
    choosable: bool = False

    def source(self, page: Target | None) -> Source:
        return CookieSource(kind="cookie", name=self.name, page=page)


@dataclass(frozen=True, slots=True)
class MetaPlace:
    name: str
    choosable: bool = False

    def source(self, page: Target | None) -> Source:
        assert page is not None
        return MetaSource(kind="meta", page=page, name=self.name)


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A field of a form.

    Attributes:
        nth: which of the form's controls of that name, from 0, in the order of the document.
        action: the target that the form submits to; in memory only.
        method: the form's method, upper case.
        fields: the names of the form's controls, each once, in order.
        hidden: whether the field is one that no person fills.
    """

    name: str
    nth: int
    action: str
    method: str
    fields: tuple[str, ...]
    hidden: bool
    choosable: bool = False

    def submits_to(self, method: str, target: str) -> bool:
        """Whether this form makes requests of that method and path."""
        return self.method == method and _path(self.action) == _path(target)

    def source_for(self, page: Target, *, here: bool) -> Source:
        return FormFieldSource(
            kind="form_field",
            page=page,
            name=self.name,
            nth=self.nth,
            submits_here=here,
            fields=self.fields,
        )

    def source(self, page: Target | None) -> Source:
        assert page is not None
        return self.source_for(page, here=False)


def _path(target: str) -> str:
    return target.partition("?")[0]


@dataclass(frozen=True, slots=True)
class JsonPlace:
    path: tuple[str | int, ...]
    choosable: bool = False

    @property
    def name(self) -> str:
        return next((key for key in reversed(self.path) if isinstance(key, str)), "")

    def source(self, page: Target | None) -> Source:
        assert page is not None
        return JsonSource(kind="json", page=page, path=self.path)


@dataclass(frozen=True, slots=True)
class TextPlace:
    name: str = ""
    choosable: bool = False

    def source(self, page: Target | None) -> Source:
        assert page is not None
        return TextSource(kind="text", page=page)


@dataclass(frozen=True, slots=True)
class ScriptPlace:
    where: Where
    holder: str
    path: tuple[str | int, ...]
    choosable: bool = False

    @property
    def name(self) -> str:
        return next((key for key in reversed(self.path) if isinstance(key, str)), self.holder)

    def source(self, page: Target | None) -> Source:
        assert page is not None
        return ScriptSource(
            kind="script", page=page, place=self.where, name=self.holder, path=self.path
        )


@dataclass(frozen=True, slots=True)
class StoragePlace:
    area: Area
    key: str
    path: tuple[str | int, ...]
    choosable: bool = False

    @property
    def name(self) -> str:
        return next((key for key in reversed(self.path) if isinstance(key, str)), self.key)

    def source(self, page: Target | None) -> Source:
        assert page is None
        return StorageSource(kind="storage", area=self.area, key=self.key, path=self.path)


@dataclass(frozen=True, slots=True)
class HeaderPlace:
    name: str
    ask: bool
    choosable: bool = False

    def source(self, page: Target | None) -> Source:
        assert page is not None
        return HeaderSource(kind="header", page=page, name=self.name, ask=self.ask)


@dataclass(frozen=True, slots=True, repr=False)
class Offer:
    """One value that an answer issued.

    Attributes:
        value: as text; in memory only.
        place: where it stood, or none where no source can name the place.
    """

    value: str
    place: Place | None


class Finder(Protocol):
    """Reads one kind of place."""

    def __call__(self, exchange: Exchange) -> Iterator[Offer]: ...
