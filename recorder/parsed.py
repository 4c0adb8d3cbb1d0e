"""A request taken apart: path, query and body as texts and documents, values still inside.

Rules:
1. What the body is decides its bytes first, its content type second: JSON is sent under many
   content types.
2. What can't be read whole is unreadable with a reason; nothing is read in part.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cards.shapes import MAX_DEPTH, Escaping
from recorder.decoding import percent_decoded
from recorder.escaping import RawPairs, take_apart
from recorder.graphql import graphql_kind
from recorder.naming import numbered
from recorder.strict_json import (
    TOO_DEEP,
    Json,
    NotJson,
    Scalar,
    Wanted,
    inner_document,
    levels,
    parse_json,
)
from recorder.traffic import Declared, RawRequest

_SHORTEST_WANTED = 2
NOT_CAPTURED = "body was streamed, not captured"
NO_MULTIPART = "multipart bodies are not supported yet"
NO_GRAPHQL = "GraphQL actions are not supported yet"


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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A body that no card describes, and why, without values."""

    reason: str


Content = NoContent | JsonContent | FormContent | Unreadable


@dataclass(frozen=True, slots=True, repr=False)
class Parsed:
    """Path segments as they stand on the wire, query (none if it is not UTF-8) and body.

    Attributes:
        wanted: declared values, for which JSON in strings is opened however it is written.
    """

    segments: tuple[str, ...]
    query: RawPairs | None
    content: Content
    wanted: Wanted = frozenset()


def take_request_apart(request: RawRequest, declared: Declared) -> Parsed:
    """Read a request's target and body."""
    segments, query = take_target_apart(request.target)
    values = (slot.value for slot in declared.slots.values())
    wanted = frozenset(value for value in values if len(value) >= _SHORTEST_WANTED)
    return Parsed(segments, query, _not_too_deep(read_content(request), wanted), wanted)


def _not_too_deep(content: Content, wanted: Wanted) -> Content:
    documents: list[Json] = []
    if isinstance(content, JsonContent):
        documents = [content.document]
    if isinstance(content, FormContent):
        documents = [pair.value for pair in content.pairs.pairs]
    deep = any(levels(document, wanted) > MAX_DEPTH for document in documents)
    return Unreadable(TOO_DEEP) if deep else content


def take_target_apart(target: str) -> tuple[tuple[str, ...], RawPairs | None]:
    """The segments between slashes and the query's pairs."""
    path, mark, query = target.partition("#")[0].partition("?")
    segments = tuple(path.removeprefix("/").split("/"))
    return segments, take_apart(query) if mark else RawPairs((), Escaping())


def media_type(request: RawRequest) -> str:
    """The request's media type without parameters, lower case, or an empty string."""
    return (request.header("content-type") or "").partition(";")[0].strip().lower()


def read_content(request: RawRequest) -> Content:
    """The body by what it is, whatever its content type says."""
    if request.undecodable is not None:
        return Unreadable(request.undecodable)
    if request.body is None:
        return Unreadable(NOT_CAPTURED)
    if not request.body:
        return NoContent()
    kind = media_type(request)
    if kind.startswith("multipart/"):
        return Unreadable(NO_MULTIPART)
    try:
        text = request.body.decode()
    except UnicodeDecodeError:
        return Unreadable("the body is not text")
    return _read_text(text, kind)


def _read_text(text: str, kind: str) -> Content:
    says_json = bool(re.search(r"[/+]json\b", kind))
    if says_json or text.lstrip()[:1] in ("{", "["):
        document = parse_json(text)
        if not isinstance(document, NotJson):
            graphql = graphql_kind(document) is not None
            return Unreadable(NO_GRAPHQL) if graphql else JsonContent(document)
        if says_json or document.nearly:
            return Unreadable(document.reason)
    if kind == "application/x-www-form-urlencoded":
        pairs = take_apart(text)
        return Unreadable("the form is not UTF-8") if pairs is None else FormContent(pairs)
    return Unreadable("the body is neither JSON nor a form")


@dataclass(frozen=True, slots=True, repr=False)
class Carried:
    """One scalar of a request, under its field path.

    Attributes:
        json: whether it is a scalar of a JSON document, so that numbers are numbers.
    """

    field: str
    value: Scalar
    json: bool


def scalars(parsed: Parsed) -> Iterator[Carried]:
    """Every scalar of path, query and body, JSON inside strings included."""
    for index, segment in enumerate(parsed.segments):
        text = percent_decoded(segment, plus=False)
        yield Carried(f"path:{index}", segment if text is None else text, json=False)
    if parsed.query is not None:
        yield from _pair_scalars(parsed.query, "query:", parsed.wanted)
    if isinstance(parsed.content, FormContent):
        yield from _pair_scalars(parsed.content.pairs, "", parsed.wanted)
    if isinstance(parsed.content, JsonContent):
        yield from _json_scalars(parsed.content.document, "", parsed.wanted)


def field_names(raw: RawPairs, lead: str) -> list[str]:
    """The field path of each pair."""
    names = [str(i) if pair.name is None else pair.name for i, pair in enumerate(raw.pairs)]
    return [f"{lead}{name}" for name in numbered(names)]


def _pair_scalars(raw: RawPairs, lead: str, wanted: Wanted) -> Iterator[Carried]:
    for field, pair in zip(field_names(raw, lead), raw.pairs, strict=True):
        if pair.value is None:
            continue
        inner = inner_document(pair.value, wanted)
        if inner is None:
            yield Carried(field, pair.value, json=False)
        else:
            yield from _json_scalars(inner, field, wanted)


def _json_scalars(value: Json, field: str, wanted: Wanted) -> Iterator[Carried]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _json_scalars(item, under(field, key), wanted)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _json_scalars(item, under(field, str(index)), wanted)
    else:
        inner = inner_document(value, wanted) if isinstance(value, str) else None
        if inner is None:
            yield Carried(field, value, json=True)
        else:
            yield from _json_scalars(inner, field, wanted)


def under(field: str, key: str) -> str:
    """The field path of a member."""
    return f"{field}.{key}" if field else key


def member_names(parsed: Parsed) -> Iterator[str]:
    """Every name of the body's members or fields, JSON inside strings included."""
    if isinstance(parsed.content, FormContent):
        yield from pair_names(parsed.content.pairs, parsed.wanted)
    if isinstance(parsed.content, JsonContent):
        yield from _names(parsed.content.document, parsed.wanted)


def pair_names(raw: RawPairs, wanted: Wanted) -> Iterator[str]:
    """Every name of the pairs, and of members of JSON inside their values."""
    for pair in raw.pairs:
        if pair.name is not None:
            yield pair.name
        inner = None if pair.value is None else inner_document(pair.value, wanted)
        if inner is not None:
            yield from _names(inner, wanted)


def _names(value: Json, wanted: Wanted) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _names(item, wanted)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item, wanted)
    elif isinstance(value, str):
        inner = inner_document(value, wanted)
        if inner is not None:
            yield from _names(inner, wanted)
