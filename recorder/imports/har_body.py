"""The bodies of a HAR, as the bytes that stood on the wire.

Rules:
1. A body that was sent and is not in the file is none, never empty: an empty request might be
   accepted, and do something else.
2. ``text`` goes before ``params``, which exporters derive from it, each in its own way.
3. A file that the HAR names is read only where it lies beside the HAR, under a plain name.
"""

import base64
import binascii
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote_plus, unquote_plus

from recorder.decoding import MAX_BODY, Undecodable, decode_body
from recorder.imports.members import Members, object_of, objects_of, text_of, whole_of
from recorder.strict_json import NotJson, parse_json

FORM = "application/x-www-form-urlencoded"
DAMAGED = "the body's base64 is damaged"
GARBLED = "the file holds the body as garbled text"
OPENED = "The HAR holds the body as base64 without saying so; it was decoded."
DIFFERENT = "The HAR's params differ from its text; the text was used."
TAKEN = "The HAR lists the form's fields and not its text; they were taken as {}."
_PLAIN_NAME = re.compile(r"[\w-][\w.-]{0,200}")
# What can't stand in an encoded form: white space, controls, separators, and what is not ASCII.
_NEVER_ENCODED = re.compile(r"[^\x21-\x7e]|[&=#]|%(?![0-9A-Fa-f]{2})")
# Creators whose params are as they stood on the wire.
_RAW_CREATORS = ("WebInspector", "Chrom")
_GARBLED = re.compile("[\ufffd\x00-\x08\x0e-\x1f]")
_Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, repr=False)
class SentBody:
    """A request's body.

    Attributes:
        content: none where it was sent and the file does not have it.
        undecodable: why it can't be read, or none.
        notes: what was decided in reading it.
    """

    content: bytes | None
    undecodable: str | None = None
    notes: tuple[str, ...] = ()


def sent_body(
    request: Members, kind: str, encoding: str, length: str, *, creator: str, folder: Path
) -> SentBody:
    """The body of a HAR's request.

    Args:
        request: the entry's member of that name.
        kind: its content type with parameters.
        encoding: its content encoding, or an empty text.
        length: its content length, or an empty text.
        creator: the program that wrote the HAR.
        folder: where the HAR lies.
    """
    post = object_of(request, "postData")
    text, params = text_of(post, "text"), list(objects_of(post, "params"))
    if file := text_of(post, "_file"):
        return SentBody(_beside(folder, file))
    if text:
        return _of_text(post, text, kind, encoding)
    if params:
        return _of_params(params, kind, creator)
    was_sent = whole_of(request, "bodySize") > 0 or (length.isdigit() and int(length) > 0)
    return SentBody(None if was_sent else b"")


def answered_body(content: Members, folder: Path) -> bytes:
    """The body of a HAR's answer, or nothing where it is missing or can't be read."""
    if file := text_of(content, "_file"):
        return _beside(folder, file) or b""
    text = text_of(content, "text")
    if text_of(content, "encoding") == "base64":
        return _from_base64(text) or b""
    return text.encode("utf-8", "surrogatepass")


def _beside(folder: Path, name: str) -> bytes | None:
    path = folder / name
    if not _PLAIN_NAME.fullmatch(name) or path.is_symlink():
        return None
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BODY + 1)
    except OSError:
        return None
    return content if len(content) <= MAX_BODY else None


def _of_text(post: Members, text: str, kind: str, encoding: str) -> SentBody:
    marks = (text_of(post, "encoding"), text_of(post, "_encoding"))
    notes: tuple[str, ...] = ()
    if "base64" in marks:
        content = _from_base64(text)
        if content is None:
            return SentBody(b"", DAMAGED)
    elif (opened := _hidden_json(text, kind)) is not None:
        content, notes = opened, (OPENED,)
    else:
        content = text.encode("utf-8", "surrogatepass")
        if kind.startswith(FORM) and _differs(text, list(objects_of(post, "params"))):
            notes = (DIFFERENT,)
    decoded = decode_body(content, encoding)
    if not isinstance(decoded, Undecodable):
        return SentBody(decoded, None, notes)
    # Most exporters decode the text and leave the header as it was.
    if "base64" in marks:
        return SentBody(content, decoded.reason)
    return SentBody(content, GARBLED if _GARBLED.search(text) else None, notes)


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def _hidden_json(text: str, kind: str) -> bytes | None:
    """JSON that stands as base64 in a body which says that it is JSON."""
    if "json" not in kind or not isinstance(parse_json(text), NotJson):
        return None
    content = _from_base64(text)
    try:
        inner = parse_json((content or b"").decode())
    except UnicodeDecodeError:
        return None
    return None if isinstance(inner, NotJson) else content


def _differs(text: str, params: list[Members]) -> bool:
    pairs, sent = _pairs(params), parse_qsl(text, keep_blank_values=True)
    plain = [(unquote_plus(name), unquote_plus(value)) for name, value in pairs]
    return bool(pairs) and sorted(sent) not in (sorted(pairs), sorted(plain))


def _pairs(params: list[Members]) -> _Pairs:
    return [(text_of(param, "name"), text_of(param, "value")) for param in params]


def _of_params(params: list[Members], kind: str, creator: str) -> SentBody:
    if kind.startswith("multipart/"):
        return SentBody(_multipart(params, kind))
    pairs = _pairs(params)
    if _as_on_the_wire(pairs, creator):
        body = "&".join(f"{name}={value}" for name, value in pairs)
        return SentBody(body.encode(), None, (TAKEN.format("they stood on the wire"),))
    escaped = ((_escaped(name), _escaped(value)) for name, value in pairs)
    body = "&".join(f"{name}={value}" for name, value in escaped)
    return SentBody(body.encode(), None, (TAKEN.format("decoded"),))


def _as_on_the_wire(pairs: _Pairs, creator: str) -> bool:
    texts = [text for pair in pairs for text in pair]
    if any(_NEVER_ENCODED.search(text) for text in texts):
        return False
    return any("%" in text for text in texts) or creator.startswith(_RAW_CREATORS)


def _escaped(text: str) -> str:
    return quote_plus(text.encode("utf-8", "surrogatepass"))


def _multipart(params: list[Members], kind: str) -> bytes | None:
    boundary = re.search(r'boundary="?([^";]+)', kind)
    if boundary is None:
        return None
    mark = f"--{boundary[1].strip()}"
    return "".join(
        [*(f"{mark}\r\n{_part(param)}\r\n" for param in params), f"{mark}--\r\n"]
    ).encode("utf-8", "surrogatepass")


def _part(param: Members) -> str:
    lines = [f'Content-Disposition: form-data; name="{_quoted(text_of(param, "name"))}"']
    if file := text_of(param, "fileName"):
        lines[0] += f'; filename="{_quoted(file)}"'
    if kind := text_of(param, "contentType"):
        lines.append(f"Content-Type: {_quoted(kind)}")
    return "\r\n".join([*lines, "", text_of(param, "value")])


def _quoted(text: str) -> str:
    # As browsers write it (WHATWG HTML, multipart/form-data encoding).
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
