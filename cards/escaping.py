"""How a query or form writes a text, in the manner of escaping that was recorded."""

from cards.charsets import codec_of
from cards.shapes import Escaping

_ASCII = 0x80


def encode(text: str, escaping: Escaping) -> str:
    """A text in that manner of escaping (WHATWG URL section 1.3), in UTF-8 unless it says another.

    What another encoding does not have stands as a numeric reference, as browsers write it.
    """
    return "".join(_encoded(byte, escaping) for byte in _bytes(text, escaping))


def _bytes(text: str, escaping: Escaping) -> bytes:
    codec = codec_of(escaping.charset) if escaping.charset else None
    if codec is None:
        return text.encode("utf-8", "surrogatepass")
    return text.encode(codec, "xmlcharrefreplace")


def _encoded(byte: int, escaping: Escaping) -> str:
    character = chr(byte)
    if byte < _ASCII and (character.isalnum() or character in escaping.safe):
        return character
    if character == " ":
        return escaping.space
    return f"%{byte:02x}" if escaping.lower else f"%{byte:02X}"
