"""Path, query, JSON and form bodies as trees whose leaves are holes.

Rules:
1. Structure is kept (member names, order of pairs, nesting); scalars are not: each is a leaf.
2. Names are texts that the site's program wrote. A name that carries a value is no name: whoever
   builds a shape refuses it, and the models here refuse the shape of a secret once more.
3. "Present and empty" and "without an equals sign" are different things on the wire and here.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from cards.charsets import codec_of
from cards.holes import Leaf, SlotRef, Template
from cards.media import MediaType
from cards.model import FieldName, Frozen, SlotName
from cards.suspicion import looks_like_identifier

MAX_DEPTH = 64
"""Levels of nesting that a card describes; a deeper body stays on the UI path."""


class ObjectShape(Frozen):
    """A JSON object: member names in the order in which the page sent them."""

    object: dict[FieldName, "JsonShape"]


class ArrayShape(Frozen):
    """A JSON array: one shape for each item, in order."""

    array: tuple["JsonShape", ...]


class ListShape(Frozen):
    """A JSON array with one item for each value of a list slot.

    Attributes:
        each: the slot.
        item: the shape of one item, in which the slot stands for that item's value.
    """

    each: SlotName
    item: "JsonShape"


class JsonText(Frozen):
    """A string that holds a JSON document."""

    json_text: "JsonShape"


def _json_tag(value: Any) -> str:
    names = value.keys() if isinstance(value, dict) else getattr(type(value), "model_fields", ())
    for tag in ("object", "array", "each", "json_text"):
        if tag in names:
            return tag
    return "leaf"


JsonShape = Annotated[
    Annotated[ObjectShape, Tag("object")]
    | Annotated[ArrayShape, Tag("array")]
    | Annotated[ListShape, Tag("each")]
    | Annotated[JsonText, Tag("json_text")]
    | Annotated[Leaf, Tag("leaf")],
    Discriminator(_json_tag),
]
"""A JSON value with its scalars taken out."""


def _literal_segment(segment: str) -> str:
    from urllib.parse import unquote

    if "/" in segment or looks_like_identifier(unquote(segment)):
        raise ValueError("a path segment looks like an identifier: make it a slot")
    return segment


Segment = Annotated[str, AfterValidator(_literal_segment)]
PathShape = tuple[Segment | Leaf, ...]
"""The segments between slashes, as they stand on the wire, identifiers as leaves."""


def _known_charset(label: str) -> str:
    if codec_of(label) is None:
        raise ValueError("the character encoding is not known")
    return label


Charset = Annotated[str, Field(pattern="^[a-z0-9_-]{2,20}$"), AfterValidator(_known_charset)]


class Escaping(Frozen):
    """How a query or form writes characters that must be escaped.

    Attributes:
        space: what stands for a space.
        safe: the punctuation that is left as it is.
        lower: whether escapes use lower-case hexadecimal digits.
        charset: the label of the encoding of escaped bytes; UTF-8 unless given.
    """

    space: Literal["+", "%20"] = "+"
    safe: Annotated[str, Field(pattern=r"^[!-,./:-@\[-`{-~-]*$", max_length=32)] = "*-._"
    lower: bool = False
    charset: Charset | None = None


class Pair(Frozen):
    """One ``name=value`` of a query or form.

    Attributes:
        name: the field's name, or none for a bare value that has no name (``?1764579000123``).
        value: its leaf; a JSON document inside it; or none for a name without an equals sign.
        each: the list slot that the pair is repeated for, once for each of its values.
    """

    name: FieldName | None
    value: (
        Annotated[
            Annotated[JsonText, Tag("json_text")] | Annotated[Leaf, Tag("leaf")],
            Discriminator(_json_tag),
        ]
        | None
    ) = None
    each: SlotName | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.name is None and self.value is None:
            raise ValueError("a pair has a name or a value")
        return self


class Pairs(Frozen):
    """An ordered list of pairs, duplicates included, with their manner of escaping."""

    pairs: tuple[Pair, ...] = ()
    escaping: Escaping = Escaping()


class Target(Frozen):
    """A path and query of the card's own origin, as templates."""

    path: PathShape
    query: Pairs = Pairs()


class NoBody(Frozen):
    """A request without a body."""

    kind: Literal["none"]


class JsonBody(Frozen):
    """A JSON document, whatever the content type says."""

    kind: Literal["json"]
    content: JsonShape


class FormBody(Frozen):
    """``application/x-www-form-urlencoded`` (WHATWG URL section 5)."""

    kind: Literal["form"]
    content: Pairs


class TextBody(Frozen):
    """Plain text or XML with a slot inside markup that can carry no value."""

    kind: Literal["text"]
    content: Annotated[SlotRef, Tag("slot")] | Annotated[Template, Tag("template")]


class TextPart(Frozen):
    """A part of a multipart form that holds text.

    Attributes:
        content_type: the part's own, where the page sent one.
        each: the list slot that the part is repeated for, once for each of its values.
    """

    name: FieldName
    value: Annotated[
        Annotated[JsonText, Tag("json_text")] | Annotated[Leaf, Tag("leaf")],
        Discriminator(_json_tag),
    ]
    content_type: MediaType | None = None
    each: SlotName | None = None


class FilePart(Frozen):
    """A part of a multipart form that holds a file.

    Attributes:
        file: the slot that names the file, or none for a file field that was left empty.
    """

    name: FieldName
    file: SlotName | None


def _part_tag(value: Any) -> str:
    names = value.keys() if isinstance(value, dict) else getattr(type(value), "model_fields", ())
    return "file" if "file" in names else "text"


Part = Annotated[
    Annotated[TextPart, Tag("text")] | Annotated[FilePart, Tag("file")], Discriminator(_part_tag)
]


class MultipartBody(Frozen):
    """``multipart/form-data`` (RFC 7578); its boundary is made for each request."""

    kind: Literal["multipart"]
    parts: tuple[Part, ...]


class OpaqueBody(Frozen):
    """A body that no card can describe; only a card that stays on the UI path has one."""

    kind: Literal["opaque"]


Body = Annotated[
    NoBody | JsonBody | FormBody | TextBody | MultipartBody | OpaqueBody,
    Field(discriminator="kind"),
]

ObjectShape.model_rebuild()
ArrayShape.model_rebuild()
ListShape.model_rebuild()
JsonText.model_rebuild()
