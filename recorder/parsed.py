"""A request taken apart: path, query and body as texts and documents, values still inside."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cards.shapes import MAX_DEPTH, Escaping
from recorder.contents import (
    Content,
    FormContent,
    JsonContent,
    MultipartContent,
    NoContent,
    TextContent,
    Unreadable,
    read_content,
)
from recorder.decoding import percent_decoded
from recorder.escaping import RawPairs, take_apart
from recorder.graphql import only_mutation
from recorder.naming import numbered
from recorder.strict_json import TOO_DEEP, Json, Scalar, Wanted, inner_document, levels
from recorder.traffic import Declared, RawRequest

_SHORTEST_WANTED = 2


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

    def texts(self, field: str) -> Iterator[tuple[str, Scalar]]:
        """Field path and value of every scalar whose path begins so."""
        return ((item.field, item.value) for item in scalars(self) if item.field.startswith(field))


def take_request_apart(
    request: RawRequest, declared: Declared, page_charset: str | None = None
) -> Parsed:
    """Read a request's target and body.

    Args:
        request: what was seen.
        declared: for whose values JSON in strings is opened.
        page_charset: the encoding of the page that a form stands on, or none.
    """
    segments, query = take_target_apart(request.target)
    values = (text for slot in declared.slots.values() for text in slot.texts)
    wanted = frozenset(value for value in values if len(value) >= _SHORTEST_WANTED)
    content = _not_too_deep(read_content(request, page_charset), wanted)
    return Parsed(segments, query, _one_action(content), wanted)


def _one_action(content: Content) -> Content:
    if not isinstance(content, JsonContent) or not isinstance(content.document, list):
        return content
    return replace(content, document=only_mutation(content.document))


def _not_too_deep(content: Content, wanted: Wanted) -> Content:
    documents: list[Json] = []
    if isinstance(content, JsonContent):
        documents = [content.document]
    if isinstance(content, FormContent | MultipartContent):
        documents = [text for _, text in content.texts()]
    deep = any(levels(document, wanted) > MAX_DEPTH for document in documents)
    return Unreadable(TOO_DEEP) if deep else content


def take_target_apart(target: str) -> tuple[tuple[str, ...], RawPairs | None]:
    """The segments between slashes and the query's pairs."""
    path, mark, query = target.partition("#")[0].partition("?")
    segments = tuple(path.removeprefix("/").split("/"))
    return segments, take_apart(query) if mark else RawPairs((), Escaping())


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
    content = parsed.content
    for field, text in _texts(parsed):
        inner = inner_document(text, parsed.wanted)
        if inner is None:
            yield Carried(field, text, json=False)
        else:
            yield from _leaves(inner, field, parsed.wanted)
    if isinstance(content, JsonContent):
        yield from _leaves(content.document, "", parsed.wanted)
    if isinstance(content, TextContent):
        yield Carried("body", content.text, json=False)


def _leaves(document: Json, field: str, wanted: Wanted) -> Iterator[Carried]:
    for path, value in walk(document, field, wanted):
        if not isinstance(value, dict | list):
            yield Carried(path, value, json=True)


def _texts(parsed: Parsed) -> Iterator[tuple[str, str]]:
    """Field path and text of the query's pairs and of the body's fields."""
    if parsed.query is not None:
        yield from pair_texts(parsed.query, "query:")
    if isinstance(parsed.content, FormContent | MultipartContent):
        yield from parsed.content.texts()


def pair_texts(raw: RawPairs, lead: str) -> Iterator[tuple[str, str]]:
    """Field path and text of every pair that has a value."""
    for field, pair in zip(field_names(raw, lead), raw.pairs, strict=True):
        if pair.value is not None:
            yield field, pair.value


def field_names(raw: RawPairs, lead: str) -> list[str]:
    """The field path of each pair."""
    names = [str(i) if pair.name is None else pair.name for i, pair in enumerate(raw.pairs)]
    return [f"{lead}{name}" for name in numbered(names)]


def walk(value: Json, field: str, wanted: Wanted) -> Iterator[tuple[str, Json]]:
    """Every value of a document under its field path, JSON inside strings opened."""
    inner = inner_document(value, wanted) if isinstance(value, str) else None
    if inner is not None:
        yield from walk(inner, field, wanted)
        return
    yield field, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, under(field, key), wanted)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk(item, under(field, str(index)), wanted)


def under(field: str, key: str) -> str:
    """The field path of a member."""
    return f"{field}.{key}" if field else key


def containers(parsed: Parsed) -> Iterator[tuple[str, Json]]:
    """Every object and array of the body under its field path, those inside strings included."""
    documents: list[tuple[str, Json]] = []
    if isinstance(parsed.content, JsonContent):
        documents = [("", parsed.content.document)]
    if isinstance(parsed.content, FormContent | MultipartContent):
        documents = list(parsed.content.texts())
    for field, document in documents:
        for path, value in walk(document, field, parsed.wanted):
            if isinstance(value, dict | list):
                yield path, value


def member_names(parsed: Parsed) -> Iterator[str]:
    """Every name of the body's members or fields, JSON inside strings included."""
    content = parsed.content
    if isinstance(content, FormContent):
        yield from pair_names(content.pairs, parsed.wanted)
    if isinstance(content, MultipartContent):
        yield from (part.name for part in content.parts)
        for _, text in content.texts():
            yield from _names(text, parsed.wanted)
    if isinstance(content, JsonContent):
        yield from _names(content.document, parsed.wanted)


def pair_names(raw: RawPairs, wanted: Wanted) -> Iterator[str]:
    """Every name of the pairs, and of members of JSON inside their values."""
    for pair in raw.pairs:
        if pair.name is not None:
            yield pair.name
        if pair.value is not None:
            yield from _names(pair.value, wanted)


def _names(value: Json, wanted: Wanted) -> Iterator[str]:
    for _, item in walk(value, "", wanted):
        if isinstance(item, dict):
            yield from item


__all__ = [
    "Carried",
    "Content",
    "FormContent",
    "JsonContent",
    "MultipartContent",
    "NoContent",
    "Parsed",
    "TextContent",
    "Unreadable",
    "containers",
    "field_names",
    "member_names",
    "pair_names",
    "pair_texts",
    "scalars",
    "take_request_apart",
    "take_target_apart",
    "under",
    "walk",
]
