"""Headers: structural ones keep their value, the rest become holes or are named as unresolved.

Rules:
1. Cookies are never described; ``authorization`` only by where its value is issued.
2. What a browser or a transport adds by itself is left out: replay sends its own.
3. A header that nobody can explain is not sent, and the card says its name.
"""

import re
from collections import Counter

from pydantic import ValidationError

from cards.contract import StructuralHeaders
from cards.errors import BadOrigin
from cards.holes import Hole, SlotRef
from cards.origin import Origin
from recorder.choosing import Chooser
from recorder.naming import is_name
from recorder.traffic import RawRequest

# Added by browsers, proxies and tracing, never by the action itself.
_DROPPED = re.compile(
    r":.*|host|cookie2?|connection|content-length|content-encoding|transfer-encoding|keep-alive|"
    r"accept-encoding|accept-language|accept-charset|user-agent|sec-.*|date|"
    r"if-(?:none-match|modified-since|unmodified-since|range)|range|traceparent|tracestate|baggage|"
    r"sentry-trace|x-b3-.*|b3|x-datadog-.*|newrelic|x-amzn-trace-id|x-cloud-trace-context|dnt|"
    r"pragma|cache-control|priority|upgrade-insecure-requests|upgrade|te|trailer|via|expect|"
    r"purpose|x-purpose|x-moz|forwarded|x-forwarded-.*|x-real-ip|proxy-.*|from|max-forwards|"
    r"save-data|device-memory|dpr|viewport-width|width|downlink|ect|rtt|alt-used|x-client-data|"
    r"origin-agent-cluster|service-worker.*"
)
METHOD_OVERRIDES = ("x-http-method-override", "x-http-method", "x-method-override")
_STRUCTURAL = ("content-type", "accept", "x-requested-with", "origin", "referer")
_SHORTEST_SLOT = 4


class StrippedHeaders:
    """What is left of the headers.

    Attributes:
        structural: those whose values are kept.
        custom: holes, by name.
        unresolved: field paths of headers that are not sent.
    """

    def __init__(self, request: RawRequest, origin: Origin, chooser: Chooser) -> None:
        self.custom: dict[str, Hole] = {}
        self.unresolved: list[str] = []
        self._chooser = chooser
        counts = Counter(name.lower() for name, _ in request.headers)
        for name, value in request.headers:
            self._take(name.lower(), value, repeated=counts[name.lower()] > 1)
        self.structural = self._structural(request, origin)

    def _take(self, name: str, value: str, *, repeated: bool) -> None:
        field = f"header:{name}"
        if field in self._chooser.pins and name != "cookie":
            hole: Hole | None = self._chooser.pins.hole_for(field, value)
        elif name in _STRUCTURAL or _DROPPED.fullmatch(name):
            return
        else:
            hole = None if repeated or not is_name(name) else self._explained(field, value)
        if hole is not None:
            self.custom[name] = hole
        else:
            self._leave_out(name)

    def _explained(self, field: str, value: str) -> Hole | None:
        chooser = self._chooser
        declared = chooser.values.hole_for(field, value) if len(value) >= _SHORTEST_SLOT else None
        if isinstance(declared, SlotRef):
            return chooser.declared_slot(field, value, "text")
        live = chooser.live_value(field, value)
        return live or chooser.generated_value(field, value, as_text=False)

    def _leave_out(self, name: str) -> None:
        shown = f"header:{name}" if is_name(f"header:{name}") else "header:?"
        if shown not in self.unresolved:
            self.unresolved.append(shown)

    def _structural(self, request: RawRequest, origin: Origin) -> StructuralHeaders:
        media = _without_boundary(request.header("content-type"))
        members: dict[str, object] = {
            "content_type": self._closed("content-type", "content_type", media),
            "accept": self._closed("accept", "accept", request.header("accept")),
            "requested_with": self._closed(
                "x-requested-with", "requested_with", request.header("x-requested-with")
            ),
            "origin": self._is_own("origin", request.header("origin"), origin),
            "referer": self._is_own("referer", request.header("referer"), origin),
        }
        return StructuralHeaders.model_validate(members)

    def _closed(self, name: str, member: str, value: str | None) -> str | None:
        if value is None or name in self.custom:
            return None
        try:
            StructuralHeaders.model_validate({member: value})
        except ValidationError:
            self._leave_out(name)
            return None
        return value

    def _is_own(self, name: str, value: str | None, origin: Origin) -> bool:
        if value is None or name in self.custom:
            return False
        try:
            own = Origin.of_url(value) == origin
        except BadOrigin:
            own = False
        if not own:
            self._leave_out(name)
        return own


def _without_boundary(value: str | None) -> str | None:
    if value is None:
        return None
    media, semicolon, rest = value.strip().partition(";")
    if "boundary=" in rest.lower():
        kept = [
            part for part in rest.split(";") if not part.strip().lower().startswith("boundary=")
        ]
        semicolon, rest = (";", ";".join(kept)) if kept else ("", "")
    return media.lower() + semicolon + rest
