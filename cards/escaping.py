"""How a query or form writes a text, in the manner of escaping that was recorded."""

from cards.shapes import Escaping

_ASCII = 0x80


def encode(text: str, escaping: Escaping) -> str:
    """A text as UTF-8 in that manner of escaping (WHATWG URL section 1.3)."""
    return "".join(_encoded(byte, escaping) for byte in text.encode("utf-8", "surrogatepass"))


def _encoded(byte: int, escaping: Escaping) -> str:
    character = chr(byte)
    if byte < _ASCII and (character.isalnum() or character in escaping.safe):
        return character
    if character == " ":
        return escaping.space
    return f"%{byte:02x}" if escaping.lower else f"%{byte:02X}"
