"""The body of a request becomes a shape of its own kind."""

from cards.shapes import Body, FormBody, JsonBody, NoBody, TextBody
from recorder.choosing import Chooser
from recorder.parsed import (
    Content,
    FormContent,
    JsonContent,
    MultipartContent,
    NoContent,
    TextContent,
    Unreadable,
)
from recorder.strip_json import strip_json
from recorder.strip_pairs import strip_pairs
from recorder.strip_parts import strip_parts
from recorder.strip_text import strip_text


def strip_body(content: Content, chooser: Chooser) -> Body | str:
    """The shape of a body whose names were found to be names before, or why it has none."""
    match content:
        case Unreadable(reason):
            return reason
        case NoContent():
            return NoBody(kind="none")
        case JsonContent(document):
            return JsonBody(kind="json", content=strip_json(document, "", chooser))
        case FormContent(pairs):
            return FormBody(kind="form", content=strip_pairs(pairs, "", chooser))
        case MultipartContent():
            return strip_parts(content, chooser)
        case TextContent():
            text: TextBody | str = strip_text(content, chooser)
            return text
