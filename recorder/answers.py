"""The exchanges of the prelude, kept in bounded memory, and what their answers issued.

Rules:
1. Noting an exchange keeps a reference; finders run when the first value is asked for.
2. The newest are kept: 64 MiB and 4000 exchanges; of one answer at most 8 MiB and 20,000 values.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from cards.origin import Origin
from recorder.decoding import Way, ways
from recorder.sources import FINDERS, CookiePlace, Exchange, Offer
from recorder.traffic import RawRequest, RawResponse

MAX_ANSWER = 8 * 1024 * 1024
MAX_KEPT = 64 * 1024 * 1024
MAX_EXCHANGES = 4000
MAX_OFFERS = 20_000
_OVERHEAD = 1024
_MUTE = ("image/", "font/", "audio/", "video/", "text/css", "text/javascript", "application/wasm")
_MUTE_TYPES = frozenset({"application/javascript", "application/x-javascript", "application/pdf"})


@dataclass(frozen=True, slots=True, repr=False)
class Sighting:
    """A value as it could be sent, the offer that it comes from, and the decodings between."""

    exchange: Exchange
    offer: Offer
    way: Way


class Answers:
    """What the site answered before the seal."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._kept: deque[Exchange] = deque()
        self._size = 0
        self._number = 0
        self._offers: dict[int, tuple[Offer, ...]] = {}
        self._index: dict[str, list[Sighting]] = {}
        self._cookies: dict[str, str] = {}
        self._stale = False

    def add(self, request: RawRequest, response: RawResponse) -> None:
        """Keep one exchange, and let the oldest go where there are too many."""
        body = response.body if _may_issue(response) else b""
        kept = RawResponse(response.status, response.headers, body)
        self._kept.append(Exchange(self._origin, request, kept, self._number))
        self._number += 1
        self._size += len(body) + _OVERHEAD
        while self._size > MAX_KEPT or len(self._kept) > MAX_EXCHANGES:
            gone = self._kept.popleft()
            self._size -= len(gone.response.body) + _OVERHEAD
            self._stale |= self._offers.pop(gone.number, None) is not None

    def __iter__(self) -> Iterator[Exchange]:
        return iter(self._kept)

    def offers(self, exchange: Exchange) -> tuple[Offer, ...]:
        """What one kept answer issued."""
        self._read()
        return self._offers.get(exchange.number, ())

    def sightings(self, value: str) -> list[Sighting]:
        """Every place whose value is, or decodes to, the given one; oldest first."""
        self._read()
        return self._index.get(value, [])

    def is_current(self, sighting: Sighting) -> bool:
        """Whether no later answer set the same cookie to something else."""
        place = sighting.offer.place
        return place is None or self._cookies.get(place.name) == sighting.offer.value

    def _read(self) -> None:
        if self._stale:
            self._index, self._stale = {}, False
            for exchange in self._kept:
                self._enter(exchange, self._offers.get(exchange.number, ()))
        for exchange in self._kept:
            if exchange.number not in self._offers:
                self._offers[exchange.number] = _offers_of(exchange)
                self._enter(exchange, self._offers[exchange.number])

    def _enter(self, exchange: Exchange, offers: tuple[Offer, ...]) -> None:
        for offer in offers:
            if isinstance(offer.place, CookiePlace):
                self._cookies[offer.place.name] = offer.value
            for way, form in ways(offer.value):
                self._index.setdefault(form, []).append(Sighting(exchange, offer, way))


def _may_issue(response: RawResponse) -> bool:
    kind = (response.header("content-type") or "").partition(";")[0].strip().lower()
    mute = kind.startswith(_MUTE) or kind in _MUTE_TYPES
    return not mute and len(response.body) <= MAX_ANSWER


def _offers_of(exchange: Exchange) -> tuple[Offer, ...]:
    every = (offer for finder in FINDERS for offer in finder(exchange) if offer.value)
    return tuple(islice(every, MAX_OFFERS))
