"""One field of a query or form: its text becomes a hole, or JSON with holes."""

from cards.holes import Hole
from cards.shapes import JsonText
from recorder.choosing import Chooser, Where
from recorder.strict_json import inner_document
from recorder.strip_json import strip_json


def strip_field(field: str, text: str, chooser: Chooser, where: Where = "text") -> JsonText | Hole:
    """What stands where a field's text stood.

    Args:
        field: its field path.
        text: decoded.
        chooser: decides.
        where: ``text``, or ``page`` for the query of a source's page.
    """
    inner = inner_document(text, chooser.wanted)
    if inner is None or field in chooser.pins:
        return chooser.choose(field, text, where)
    return JsonText(json_text=strip_json(inner, field, chooser))
