"""JSON documents: members, items and nesting stay, scalars become holes."""

from cards.shapes import ArrayShape, JsonShape, JsonText, ObjectShape
from recorder.choosing import Chooser
from recorder.lists import list_shape
from recorder.parsed import under
from recorder.strict_json import Json, inner_document


def strip_json(value: Json, field: str, chooser: Chooser) -> JsonShape:
    """The shape of a document, whose member names were found to be names before."""
    if isinstance(value, dict):
        members = {key: strip_json(item, under(field, key), chooser) for key, item in value.items()}
        return ObjectShape(object=members)
    if isinstance(value, list):
        return _array(value, field, chooser)
    inner = inner_document(value, chooser.wanted) if isinstance(value, str) else None
    if inner is None or field in chooser.pins:
        return chooser.choose(field, value, "json")
    return JsonText(json_text=strip_json(inner, field, chooser))


def _array(items: list[Json], field: str, chooser: Chooser) -> JsonShape:
    template = list_shape(
        items, field, chooser.values.lists, lambda path, value: strip_json(value, path, chooser)
    )
    if template is not None:
        chooser.define_declared(template.each)
        return template
    shapes = (strip_json(item, under(field, str(i)), chooser) for i, item in enumerate(items))
    return ArrayShape(array=tuple(shapes))
