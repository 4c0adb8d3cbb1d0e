"""The parts of a multipart form, read from its raw bytes (RFC 7578).

Rules:
1. A part's text is every byte between its blank line and the next boundary, line ends included.
2. A part with a file name is a file, but for the JSON and texts that scripts wrap in a blob.
"""

import re
from dataclasses import dataclass

from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header

from cards.charsets import DEFAULT, codec_of

_MOST_PARTS = 1000
_TEXTUAL = re.compile(r"text/plain|application/(?:[a-z.+-]+\+)?json")


@dataclass(frozen=True, slots=True, repr=False)
class RawPart:
    """One part, decoded.

    Attributes:
        text: what a text part holds; none for a file.
        content_type: the part's own header, or none.
        file_name: of a file; empty where the field was left empty.
        content: the bytes of a file.
    """

    name: str
    text: str | None
    content_type: str | None = None
    file_name: str = ""
    content: bytes = b""

    @property
    def is_empty_file(self) -> bool:
        """Whether nobody chose a file in that field."""
        return self.text is None and not self.file_name and not self.content


def read_parts(body: bytes, content_type: str) -> tuple[RawPart, ...] | str:
    """The parts in order, or why there are none: a sentence without values."""
    kind, options = parse_options_header(content_type)
    if kind != "multipart/form-data" or not options.get("boundary"):
        return "the multipart body is no form"
    try:
        return tuple(_parts(body, options["boundary"]))
    except UnicodeDecodeError:
        return "a text part of the multipart body is not text"
    except (MultipartError, ValueError):
        return "the multipart body is not well-formed"


def _parts(body: bytes, boundary: str) -> list[RawPart]:
    parts: list[RawPart] = []
    content = bytearray()
    segment: MultipartSegment | None = None
    with PushMultipartParser(boundary, len(body), max_segment_count=_MOST_PARTS) as parser:
        for event in parser.parse(body):
            if isinstance(event, MultipartSegment):
                segment, content = event, bytearray()
            elif event is not None:
                content += event
            elif segment is not None:
                parts.append(_part(segment, bytes(content)))
    return parts


def _part(segment: MultipartSegment, content: bytes) -> RawPart:
    kind = dict(segment.headerlist).get("Content-Type")
    name = segment.name or ""
    if segment.filename is None or _is_blob(segment):
        return RawPart(name, content.decode(codec_of(segment.charset or DEFAULT) or DEFAULT), kind)
    return RawPart(name, None, kind, segment.filename, content)


def _is_blob(segment: MultipartSegment) -> bool:
    # XMLHttpRequest's FormData.append names a blob so (XHR section 4.3).
    return segment.filename == "blob" and bool(_TEXTUAL.fullmatch(segment.content_type or ""))
