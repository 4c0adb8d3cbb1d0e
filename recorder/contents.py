"""What a request's body holds, by its bytes first and its content type second.

Rules:
1. JSON is sent under many content types, so what parses as an object or array is JSON.
2. What can't be read whole is unreadable with a reason; nothing is read in part.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cards.charsets import DEFAULT, codec_of, label_in
from recorder.escaping import RawPairs, take_apart
from recorder.multipart_parts import RawPart, read_parts
from recorder.naming import numbered
from recorder.strict_json import Json, NotJson, parse_json
from recorder.traffic import RawRequest

NOT_CAPTURED = "body was streamed, not captured"


@dataclass(frozen=True, slots=True)
class NoContent:
    """An empty body."""


@dataclass(frozen=True, slots=True, repr=False)
class JsonContent:
    """A JSON document."""

    document: Json


@dataclass(frozen=True, slots=True, repr=False)
class FormContent:
    """Pairs of ``application/x-www-form-urlencoded``."""

    pairs: RawPairs

    def texts(self) -> Iterator[tuple[str, str]]:
        """Field path and text of every pair that has a value."""
        names = [str(i) if p.name is None else p.name for i, p in enumerate(self.pairs.pairs)]
        for field, pair in zip(numbered(names), self.pairs.pairs, strict=True):
            if pair.value is not None:
                yield field, pair.value


@dataclass(frozen=True, slots=True, repr=False)
class MultipartContent:
    """Parts of ``multipart/form-data``."""

    parts: tuple[RawPart, ...]

    @property
    def fields(self) -> list[str]:
        """The field path of each part."""
        return numbered([part.name for part in self.parts])

    def texts(self) -> Iterator[tuple[str, str]]:
        """Field path and text of every text part."""
        for field, part in zip(self.fields, self.parts, strict=True):
            if part.text is not None:
                yield field, part.text


@dataclass(frozen=True, slots=True, repr=False)
class TextContent:
    """Plain text or XML.

    Attributes:
        xml: whether the text between its tags is escaped as markup.
    """

    text: str
    xml: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A body that no card describes, and why, without values."""

    reason: str


Content = NoContent | JsonContent | FormContent | MultipartContent | TextContent | Unreadable


def media_type(request: RawRequest) -> str:
    """The request's media type without parameters, lower case, or an empty string."""
    return (request.header("content-type") or "").partition(";")[0].strip().lower()


def read_content(request: RawRequest, page_charset: str | None = None) -> Content:
    """The body by what it is, whatever its content type says.

    Args:
        request: whose body is read.
        page_charset: the encoding of the page that a form stands on, or none.
    """
    if request.undecodable is not None:
        return Unreadable(request.undecodable)
    if request.body is None:
        return Unreadable(NOT_CAPTURED)
    if not request.body:
        return NoContent()
    kind = media_type(request)
    if kind.startswith("multipart/"):
        parts = read_parts(request.body, request.header("content-type") or "")
        return Unreadable(parts) if isinstance(parts, str) else MultipartContent(parts)
    label = label_in(request.header("content-type") or "")
    try:
        text = request.body.decode(codec_of(label or DEFAULT) or DEFAULT)
    except UnicodeDecodeError:
        return Unreadable("the body is not text")
    return _read_text(text, kind, page_charset if label is None else label)


def _read_text(text: str, kind: str, charset: str | None) -> Content:
    says_json = bool(re.search(r"[/+]json\b", kind))
    if says_json or text.lstrip()[:1] in ("{", "["):
        document = parse_json(text)
        if not isinstance(document, NotJson):
            return JsonContent(document)
        if says_json or document.nearly:
            return Unreadable(document.reason)
    if kind == "application/x-www-form-urlencoded":
        pairs = take_apart(text) or (take_apart(text, charset=charset) if charset else None)
        return Unreadable("the form is not UTF-8") if pairs is None else FormContent(pairs)
    xml = bool(re.search(r"[/+]xml\b", kind))
    if xml or kind == "text/plain":
        return TextContent(text, xml)
    return Unreadable("the body is neither JSON nor a form")
