"""Bodies and values in their other spellings.

Rules:
1. A failure is a value: what can't be decoded is neither empty nor its raw bytes.
2. Decoding is bounded, so that a small body can't become all of the memory.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, unquote_plus

from cards.charsets import DEFAULT, codec_of
from cards.decodings import decode
from cards.sources import Decoding, Prefix

MAX_BODY = 64 * 1024 * 1024
PREFIXES: tuple[Prefix, ...] = ("Bearer ", "Token ", "JWT ")
_MAX_DECODED = 8192
# Numbers and words, which are no encoding of anything.
_PLAIN = re.compile(r"[0-9.-]+|[a-z ]+")
Way = tuple[Decoding, ...]


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why a body can't be read: one sentence, without values."""

    reason: str


def decode_body(raw: bytes, encoding: str) -> bytes | Undecodable:
    """A body without its content encoding (RFC 9110 section 8.4), at most 64 MiB.

    Args:
        raw: the body as it stood on the wire.
        encoding: the header's value; more than one encoding is not read.
    """
    name = encoding.strip().lower()
    shown = name if re.fullmatch(r"[a-z0-9, -]{1,40}", name) else "unknown"
    if name in ("", "identity") or not raw:
        return raw
    try:
        plain = _decompressed(raw, name)
    except (ValueError, zlib.error, EOFError):
        return Undecodable(f"cannot decode body (encoding {shown})")
    if len(plain) > MAX_BODY:
        return Undecodable(f"cannot decode body (encoding {shown}): it is larger than 64 MiB")
    return plain


def _decompressed(raw: bytes, name: str) -> bytes:
    if name in ("gzip", "x-gzip"):
        return _inflated(raw, 31)
    if name == "deflate":
        # RFC 9110 means the zlib format; some clients send the bare stream (RFC 1951).
        try:
            return _inflated(raw, 15)
        except zlib.error:
            return _inflated(raw, -15)
    if name in ("br", "zstd"):
        from mitmproxy.net import encoding

        plain = encoding.decode(raw, name)
        assert isinstance(plain, bytes)
        return plain
    raise ValueError(name)


def _inflated(raw: bytes, window_bits: int) -> bytes:
    inflater = zlib.decompressobj(window_bits)
    plain = inflater.decompress(raw, MAX_BODY + 1)
    if not inflater.eof and len(plain) <= MAX_BODY:
        raise zlib.error("cut short")
    return plain


_STEPS: tuple[Decoding, ...] = ("url", "html", "base64", "json")


def ways(issued: str) -> Iterator[tuple[Way, str]]:
    """Every value that an issued one may be sent as, with the decodings that lead there.

    The value itself comes first. Two steps are followed, which covers a cookie that is
    URL-encoded around base64 or JSON.
    """
    yield (), issued
    if len(issued) > _MAX_DECODED or _PLAIN.fullmatch(issued):
        return
    for step in _STEPS:
        once = decode(issued, step)
        if once is None or once == issued:
            continue
        yield (step,), once
        for further in _STEPS:
            twice = decode(once, further)
            if twice is not None and twice not in (once, issued):
                yield (step, further), twice


def unprefixed(sent: str) -> tuple[Prefix, str]:
    """A sent value split into a known prefix and the rest."""
    for prefix in PREFIXES:
        if sent.startswith(prefix):
            return prefix, sent[len(prefix) :]
    return "", sent


def percent_decoded(raw: str, *, plus: bool, charset: str | None = None) -> str | None:
    """A percent-encoded text, or none where its bytes are not of its encoding.

    Args:
        raw: the text as it stands on the wire.
        plus: whether a plus sign stands for a space (WHATWG URL section 5).
        charset: the label of the encoding; UTF-8 unless given.
    """
    codec = codec_of(charset or DEFAULT) or DEFAULT
    decoded = unquote_plus if plus else unquote
    try:
        return decoded(raw, encoding=codec, errors="strict")
    except UnicodeDecodeError:
        return None
