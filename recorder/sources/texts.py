"""Answers of plain text that are one value, such as a token's own route."""

from collections.abc import Iterator

from recorder.sources.offers import Exchange, Offer, TextPlace

_LONGEST = 4096


def find_texts(exchange: Exchange) -> Iterator[Offer]:
    """The whole of a short plain-text answer."""
    body = exchange.response.body
    if exchange.media_type != "text/plain" or len(body) > _LONGEST:
        return
    try:
        text = body.decode().strip()
    except UnicodeDecodeError:
        return
    if text and not any(character.isspace() for character in text):
        yield Offer(text, TextPlace())
