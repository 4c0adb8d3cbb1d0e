"""Where a live value is found: the place, never what was found there.

Rules:
1. Every page named here is fetched by one GET of the card's own origin.
2. A place that fits twice is no place: a source keeps what tells its form from the page's others.
"""

from typing import Annotated, Literal

from pydantic import Field

from cards.model import FieldName, Frozen
from cards.shapes import Target

Decoding = Literal["url", "base64", "html", "json"]
Prefix = Literal["", "Bearer ", "Token ", "JWT "]


class CookieSource(Frozen):
    """A cookie of the login; a ``page`` is fetched first because it renews the cookie."""

    kind: Literal["cookie"]
    name: FieldName
    page: Target | None = None


class MetaSource(Frozen):
    """The ``content`` of a ``<meta name=…>`` of a page."""

    kind: Literal["meta"]
    page: Target
    name: FieldName


class FormFieldSource(Frozen):
    """The value of a field, hidden or plain, or of a button, in a form of a page.

    Attributes:
        name: the field's name.
        nth: which of the form's fields of that name, from 0.
        submits_here: whether the form's own action and method are the card's.
        fields: the names of the form's fields, which tell it from the page's other forms.
    """

    kind: Literal["form_field"]
    page: Target
    name: FieldName
    nth: Annotated[int, Field(ge=0)] = 0
    submits_here: bool = False
    fields: tuple[FieldName, ...] = ()


class JsonSource(Frozen):
    """A leaf of a JSON answer, by its keys and indexes."""

    kind: Literal["json"]
    page: Target
    path: tuple[int | FieldName, ...]


class HeaderSource(Frozen):
    """A header of an answer; ``ask``: the GET itself sends the header with the word ``fetch``."""

    kind: Literal["header"]
    page: Target
    name: FieldName
    ask: bool = False


class TextSource(Frozen):
    """The whole of a plain-text answer, white space around it removed."""

    kind: Literal["text"]
    page: Target


class ScriptSource(Frozen):
    """A value that a page's inline script, or an element's data, holds.

    Attributes:
        place: ``assigned`` to a name, ``called`` with it, the content of the ``element`` with that
            id, or the ``attribute`` of that name.
        name: of the variable or member, function, element or attribute.
        path: the way into the JSON document that stands there; empty for a text.
    """

    kind: Literal["script"]
    page: Target
    place: Literal["assigned", "called", "element", "attribute"]
    name: FieldName
    path: tuple[int | FieldName, ...] = ()


class StorageSource(Frozen):
    """An item of the browser's own storage, by way of the login.

    Attributes:
        area: ``local`` for ``localStorage``, ``session`` for ``sessionStorage``.
        key: the item's key.
        path: the way into the JSON document that the item holds; empty for a text.
    """

    kind: Literal["storage"]
    area: Literal["local", "session"]
    key: FieldName
    path: tuple[int | FieldName, ...] = ()
    page: None = None


Source = Annotated[
    CookieSource
    | MetaSource
    | FormFieldSource
    | JsonSource
    | HeaderSource
    | TextSource
    | ScriptSource
    | StorageSource,
    Field(discriminator="kind"),
]


class LiveValue(Frozen):
    """A hole that replay fills from the live login.

    Attributes:
        source: where the value is issued.
        decode: what is done to the issued value, in order, to get the sent one.
        prefix: what stands before it when it is sent.
    """

    source: Source
    decode: tuple[Decoding, ...] = ()
    prefix: Prefix = ""
