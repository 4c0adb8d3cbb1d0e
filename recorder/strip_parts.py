"""Multipart forms: names, order and content types stay; texts become holes, files become slots.

Rules:
1. A file's own name is never kept: replay says the name of the caller's file.
"""

from pydantic import TypeAdapter, ValidationError

from cards.holes import SlotRef
from cards.media import MediaType
from cards.shapes import FilePart, MultipartBody, Part, TextPart
from recorder.choosing import Chooser
from recorder.contents import MultipartContent
from recorder.lists import run_of
from recorder.multipart_parts import RawPart
from recorder.strip_fields import strip_field

_MEDIA_TYPE: TypeAdapter[str] = TypeAdapter(MediaType)


def strip_parts(content: MultipartContent, chooser: Chooser) -> MultipartBody:
    """The shape of a multipart form, whose names were found to be names before."""
    repeated, inside = _repeated(content.parts, chooser)
    parts: list[Part] = []
    for index, (field, part) in enumerate(zip(content.fields, content.parts, strict=True)):
        if index in repeated:
            parts.append(repeated[index])
        elif index not in inside:
            parts.append(_part(field, part, chooser))
    return MultipartBody(kind="multipart", parts=tuple(parts))


def _part(field: str, part: RawPart, chooser: Chooser) -> Part:
    if part.text is not None:
        hole = strip_field(field, part.text, chooser)
        return TextPart(name=part.name, value=hole, content_type=_kept(part.content_type))
    if part.is_empty_file:
        return FilePart(name=part.name, file=None)
    return FilePart(name=part.name, file=chooser.file_slot(field, part))


def _kept(content_type: str | None) -> str | None:
    try:
        return None if content_type is None else _MEDIA_TYPE.validate_python(content_type)
    except ValidationError:
        return None


def _repeated(
    parts: tuple[RawPart, ...], chooser: Chooser
) -> tuple[dict[int, TextPart], frozenset[int]]:
    first: dict[int, TextPart] = {}
    inside: set[int] = set()
    names, texts = [part.name for part in parts], [part.text for part in parts]
    for slot in chooser.values.lists:
        start = run_of(names, texts, slot)
        if start >= 0:
            chooser.define_declared(slot.name)
            first[start] = TextPart(
                name=parts[start].name,
                value=SlotRef(slot=slot.name),
                content_type=_kept(parts[start].content_type),
                each=slot.name,
            )
            inside |= {*range(start, start + len(slot.items))}
    return first, frozenset(inside)
