"""Same-origin traffic before the seal, in memory only."""

from dataclasses import dataclass

from cards.origin import Origin
from cards.shapes import Target
from cards.sources import LiveValue
from recorder.traffic import RawRequest, RawResponse


@dataclass(frozen=True, slots=True)
class Found:
    """Where a sent value was issued."""

    page: str | None

    def live(self, page: Target | None) -> LiveValue:
        """The live value, its page given as the card writes it."""
        raise NotImplementedError


class Prelude:
    """What the site's answers offered before the seal."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def saw(self, request: RawRequest, response: RawResponse) -> None:
        """Note a same-origin exchange; cheap whatever its size."""

    def find(self, value: str, *, field: str, request: RawRequest) -> Found | None:
        """Where replay can read this value again, or none."""
        raise NotImplementedError

    def known_in_urls(self, value: str) -> bool:
        """Whether a URL seen before the seal holds the value."""
        raise NotImplementedError

    @property
    def pages(self) -> tuple[str, ...]:
        """Targets of the pages seen, oldest first; they hold captured values."""
        raise NotImplementedError
