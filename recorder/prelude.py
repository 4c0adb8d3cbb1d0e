"""Same-origin traffic before the seal, in memory only: where was a sent value issued?

Rules:
1. What can be fetched again by one GET is a source. What was issued only to an earlier write, or
   beside others in a list, is none, and is remembered as such.
2. A short or everyday value matches everywhere by accident: it has a source only under its own
   name, or in the form that submits this request.
3. Cookie first, then the form that submits here, then the page that the action was taken on, then
   the answer closest to the seal.
4. Masked tokens differ at each render, so for them name and place decide.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from cards.charsets import label_in
from cards.errors import BadOrigin
from cards.origin import Origin
from cards.shapes import Target
from cards.sources import LiveValue, Prefix
from cards.suspicion import names_a_secret
from recorder.answers import Answers, Sighting
from recorder.decoding import Way, percent_decoded, unprefixed, ways
from recorder.judging import distinctive, mirrors
from recorder.sources import CookiePlace, FormPlace, MetaPlace, Offer, Place
from recorder.sources.cookies import sent_cookies
from recorder.stored import NOTHING, Stored, find_stored
from recorder.traffic import RawRequest, RawResponse

_SHORT = 4


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """Where replay can read a sent value again.

    Attributes:
        page: the target to fetch, which may hold captured values, or none where none is needed.
        page_optional: whether the source does without its page.
    """

    page: str | None
    page_optional: bool
    place: Place
    submits_here: bool
    decode: Way
    prefix: Prefix

    def live(self, page: Target | None) -> LiveValue:
        """The live value, with its page as the card writes it."""
        if isinstance(self.place, FormPlace) and page is not None:
            source = self.place.source_for(page, here=self.submits_here)
        else:
            source = self.place.source(page)
        return LiveValue(source=source, decode=self.decode, prefix=self.prefix)


class Prelude:
    """What the site's answers offered before the seal.

    Args:
        origin: the card's; callers show only exchanges of it.

    Attributes:
        stored: the items of the browser's own storage.
    """

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self._answers = Answers(origin)
        self.stored: Stored = NOTHING

    def saw(self, request: RawRequest, response: RawResponse) -> None:
        """Note a same-origin exchange; cheap whatever its size."""
        self._answers.add(request, response)

    @property
    def pages(self) -> tuple[str, ...]:
        """Targets of the pages seen, oldest first; they hold captured values."""
        html = (e for e in self._answers if e.fetchable and e.media_type == "text/html")
        return tuple(exchange.request.target for exchange in html)

    def action_charset(self, request: RawRequest) -> str | None:
        """The encoding that the page of the action says it has, or none."""
        page = self._action_page(request)
        for exchange in self._answers:
            if exchange.target == page:
                return label_in(exchange.response.header("content-type") or "")
        return None

    def known_in_urls(self, value: str) -> bool:
        """Whether a URL seen before the seal holds the value as a segment or query value."""
        return any(value in _url_values(exchange.request.target) for exchange in self._answers)

    def names_choice(self, value: str, request: RawRequest) -> bool:
        """Whether the URL of the page that the action was taken on holds the value.

        Such a value was chosen by going there, so the caller chooses it too.
        """
        page = self._action_page(request)
        return page is not None and value in _url_values(page)

    def issued(self, value: str) -> bool:
        """Whether any answer held the value, also where no source can name the place."""
        return bool(self._answers.sightings(value))

    def issued_by_a_write(self, value: str) -> bool:
        """Whether the value was issued to an earlier write, and to nothing but writes."""
        seen = [s for s in self._answers.sightings(value) if s.offer.place is not None]
        return bool(seen) and all(_made_by_write(sighting) for sighting in seen)

    def find(self, value: str, *, field: str, request: RawRequest) -> Found | None:
        """Where replay can read this value again, or none.

        Args:
            value: as sent, decoded from the body's or query's own escaping.
            field: the field path that it is sent under.
            request: the decisive request.
        """
        if not value:
            return None
        asked = _Asked(value, field, request, self._action_page(request))
        return (
            self._by_value(asked)
            or self._by_sent_cookie(asked)
            or self._by_storage(asked)
            or self._by_name(asked)
        )

    def _by_value(self, asked: "_Asked") -> Found | None:
        ranked = [
            (rank, self._found(sighting, prefix, asked))
            for prefix, text in asked.texts()
            for sighting in self._answers.sightings(text)
            if (rank := self._rank(sighting, text, asked)) is not None
        ]
        return max(ranked, key=lambda pair: pair[0])[1] if ranked else None

    def _rank(self, sighting: Sighting, text: str, asked: "_Asked") -> tuple[int, ...] | None:
        exchange, place = sighting.exchange, sighting.offer.place
        if place is None or not _may_match(text, place, asked):
            return None
        cookie = isinstance(place, CookiePlace)
        if cookie and not self._answers.is_current(sighting):
            return None
        if not cookie and not (exchange.fetchable and text not in _url_values(exchange.target)):
            return None
        return (
            cookie,
            _submits_here(place, asked),
            exchange.target == asked.page,
            exchange.fetchable,
            -len(sighting.way),
            exchange.number,
            isinstance(place, FormPlace) and place.nth == asked.nth,
        )

    def _found(self, sighting: Sighting, prefix: Prefix, asked: "_Asked") -> Found:
        place, exchange = sighting.offer.place, sighting.exchange
        assert place is not None
        page = exchange.target if exchange.fetchable else None
        cookie = isinstance(place, CookiePlace)
        return Found(page, cookie, place, _submits_here(place, asked), sighting.way, prefix)

    def _by_sent_cookie(self, asked: "_Asked") -> Found | None:
        # The browser may have had a cookie before anything was recorded.
        for name, value in sent_cookies(asked.request):
            place = CookiePlace(name)
            for prefix, text in asked.texts():
                way = next((way for way, form in ways(value) if form == text), None)
                if way is not None and _may_match(text, place, asked):
                    return Found(None, True, place, False, way, prefix)
        return None

    def _by_storage(self, asked: "_Asked") -> Found | None:
        texts = dict(reversed([(text, prefix) for prefix, text in asked.texts()]))
        for offer in find_stored(self.stored):
            place = offer.place
            for way, form in ways(offer.value):
                if place is not None and form in texts and _may_match(form, place, asked):
                    return Found(None, True, place, False, way, texts[form])
        return None

    def _by_name(self, asked: "_Asked") -> Found | None:
        if not (names_a_secret(asked.name) and distinctive(asked.value)):
            return None
        hits = [
            (exchange, offer.place)
            for exchange in self._answers
            if exchange.fetchable
            for offer in self._answers.offers(exchange)
            if offer.place is not None
            and _is_same_token(offer.place, asked, self._answers.offers(exchange))
        ]
        if not hits:
            return None
        exchange, place = max(hits, key=lambda hit: (hit[0].target == asked.page, hit[0].number))
        return Found(exchange.target, False, place, _submits_here(place, asked), (), "")

    def _action_page(self, request: RawRequest) -> str | None:
        referer = request.header("referer")
        try:
            return None if referer is None else self.origin.target_of(referer)
        except BadOrigin:
            return None


@dataclass(frozen=True, slots=True, repr=False)
class _Asked:
    value: str
    field: str
    request: RawRequest
    page: str | None

    @property
    def name(self) -> str:
        """The field's own name."""
        return re.sub(r"^(?:query|header|path):", "", self.field)

    @property
    def nth(self) -> int:
        repeated = re.search(r"\[(\d+)\]$", self.field)
        return int(repeated[1]) if repeated else 0

    def texts(self) -> Iterable[tuple[Prefix, str]]:
        """The value, and what is left of it behind a known prefix."""
        plain: tuple[Prefix, str] = ("", self.value)
        return dict.fromkeys((plain, unprefixed(self.value)))

    def is_field(self, name: str) -> bool:
        """Whether a form's field of that name is sent as this field."""
        return name in (self.field, re.sub(r"\[\d+\]$", "", self.field))


def _made_by_write(sighting: Sighting) -> bool:
    place, method = sighting.offer.place, sighting.exchange.request.method
    issues = place is not None and not place.choosable and not isinstance(place, CookiePlace)
    return issues and method not in ("GET", "HEAD")


def _url_values(target: str) -> frozenset[str]:
    path, _, query = target.partition("?")
    raw = path.split("/") + [pair.rpartition("=")[2] for pair in query.split("&")]
    decoded = (percent_decoded(text, plus=False) for text in raw)
    return frozenset(text for text in decoded if text)


def _submits_here(place: Place, asked: _Asked) -> bool:
    request = asked.request
    return isinstance(place, FormPlace) and place.submits_to(request.method, request.target)


def _may_match(text: str, place: Place, asked: _Asked) -> bool:
    if _submits_here(place, asked) and asked.is_field(place.name):
        return True
    if len(text) < _SHORT or place.choosable:
        return False
    return distinctive(text) or mirrors(asked.name, place.name)


def _is_same_token(place: Place, asked: _Asked, others: tuple[Offer, ...]) -> bool:
    if isinstance(place, FormPlace):
        return place.hidden and asked.is_field(place.name) and _submits_here(place, asked)
    if isinstance(place, MetaPlace) and asked.field.startswith("header:"):
        return mirrors(asked.name, place.name) or _names_header(place, asked, others)
    return False


def _names_header(place: MetaPlace, asked: _Asked, others: tuple[Offer, ...]) -> bool:
    # Spring: <meta name="_csrf_header" content="X-CSRF-TOKEN"> beside <meta name="_csrf">.
    return any(
        isinstance(other.place, MetaPlace)
        and other.place.name == f"{place.name}_header"
        and other.value.lower() == asked.name.lower()
        for other in others
    )
