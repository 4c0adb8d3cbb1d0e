"""The body of a request with its holes filled, in the kind that its card names.

Rules:
1. A value cannot leave its place: not a pair, not a part, not the quotes of a name.
2. A multipart boundary is made for each request and stands in none of its texts.
"""

import secrets
from collections.abc import Iterator
from typing import assert_never

from multipart import content_disposition_quote

from cards.charsets import DEFAULT, codec_of, label_in
from cards.errors import BadCard, BadSlot
from cards.escaping import encode
from cards.holes import Leaf
from cards.shapes import (
    FilePart,
    FormBody,
    JsonBody,
    JsonText,
    MultipartBody,
    NoBody,
    OpaqueBody,
    Pair,
    Pairs,
    TextBody,
    TextPart,
)
from replay.filling import Filling
from replay.json_text import json_text
from replay.uploads import Body, Piece, Pieces, Upload

_END = b"\r\n"


def build_body(filling: Filling) -> tuple[Body, str | None]:
    """The body's bytes, and its boundary where it is a multipart one.

    Raises:
        BadSlot: a value cannot stand where the card puts it.
        BadCard: no body can be built of the card.
    """
    body = filling.contract.body
    match body:
        case NoBody():
            return b"", None
        case JsonBody():
            return _encoded(json_text(body.content, filling), filling), None
        case FormBody():
            return fill_pairs(body.content, filling).encode(), None
        case TextBody():
            return _encoded(filling.text(body.content), filling), None
        case MultipartBody():
            return _multipart(body, filling)
        case OpaqueBody():
            raise BadCard("The card has a body that can't be built.", "Use the page.")
        case _:
            assert_never(body)


def fill_pairs(pairs: Pairs, filling: Filling) -> str:
    """A query or form with its holes filled, escaped as it was recorded."""
    return "&".join(
        _pair(pair, pairs, one)
        for pair in pairs.pairs
        for one in (filling.items(pair.each) if pair.each else (filling,))
    )


def _pair(pair: Pair, pairs: Pairs, filling: Filling) -> str:
    name = "" if pair.name is None else encode(pair.name, pairs.escaping)
    if pair.value is None:
        return name
    value = encode(_value(pair.value, filling), pairs.escaping)
    return value if pair.name is None else f"{name}={value}"


def _value(value: JsonText | Leaf, filling: Filling) -> str:
    if isinstance(value, JsonText):
        return json_text(value.json_text, filling)
    return filling.text(value)


def _encoded(text: str, filling: Filling) -> bytes:
    label = label_in(filling.contract.headers.content_type or "") or DEFAULT
    try:
        return text.encode(codec_of(label) or DEFAULT)
    except UnicodeEncodeError:
        raise BadSlot(
            f"A value holds a character that the body's encoding {label} does not have.",
            "Give plain text, or record the action again on a page that uses UTF-8.",
        ) from None


def _multipart(body: MultipartBody, filling: Filling) -> tuple[Pieces, str]:
    # 128 random bits stand in no text by accident (RFC 2046 section 5.1.1).
    boundary = f"----reqcard{secrets.token_hex(16)}"
    pieces: list[Piece] = []
    for part in body.parts:
        each = part.each if isinstance(part, TextPart) else None
        for one in filling.items(each) if each else (filling,):
            pieces += [f"--{boundary}\r\n".encode(), *_part(part, one), _END]
    pieces.append(f"--{boundary}--\r\n".encode())
    return Pieces(tuple(pieces)), boundary


def _part(part: TextPart | FilePart, filling: Filling) -> Iterator[Piece]:
    name = content_disposition_quote(part.name)
    if isinstance(part, TextPart):
        lines = [f"Content-Disposition: form-data; name={name}"]
        if part.content_type is not None:
            lines.append(f"Content-Type: {part.content_type}")
        yield "\r\n".join((*lines, "", _value(part.value, filling))).encode("utf-8", "replace")
        return
    upload = filling.upload(part.file) if part.file is not None else None
    # A file field that was left empty (HTML section 4.10.22.7).
    shown, kind = (upload.name, upload.media_type) if upload else ("", "application/octet-stream")
    disposition = (
        f"Content-Disposition: form-data; name={name}; filename={content_disposition_quote(shown)}"
    )
    yield f"{disposition}\r\nContent-Type: {kind}\r\n\r\n".encode("utf-8", "replace")
    if isinstance(upload, Upload):
        yield upload
