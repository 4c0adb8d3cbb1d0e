"""From a captured request to a contract: the one door from values to names.

Rules:
1. Every scalar of body, query, path and headers becomes a leaf; nothing is copied.
2. The contract is always valid. What can't be described makes a card that stays on the UI path,
   with the reason, and as much of the request as can be described.
3. What comes out is looked through once more for what went in.
"""

from dataclasses import dataclass

from pydantic import ValidationError

from cards.contract import Contract, Method
from cards.holes import SlotRef
from cards.operation import Operation
from cards.origin import Origin
from cards.readback import Readback
from cards.shapes import Body, OpaqueBody, Pairs, Target
from recorder.choosing import Chooser
from recorder.leaks import no_captured_value
from recorder.naming import is_name
from recorder.parsed import (
    Parsed,
    Unreadable,
    member_names,
    pair_names,
    scalars,
    take_request_apart,
)
from recorder.pinning import Pins
from recorder.prelude import Prelude
from recorder.spoken import Spoken, read_protocol
from recorder.strict_json import json_text
from recorder.strip_body import strip_body
from recorder.strip_headers import METHOD_OVERRIDES, StrippedHeaders
from recorder.strip_pairs import strip_pairs
from recorder.strip_path import page_target, strip_path
from recorder.traffic import Declared, RawRequest
from recorder.unreplayable import why_unreplayable

_MAX_REASON = 500
_NAME_IS_VALUE = "the name of a field carries a value, so the body's shape can't be kept"
_SHORTEST_IN_NAME = 4


@dataclass(frozen=True, slots=True)
class Stripped:
    """What is left of a request when its values are gone.

    Attributes:
        contract: always valid, whatever the request was.
        ui_only: why the card stays on the UI path, or none.
        script_fields: field paths of typed slots that the author did not declare.
        unused_pins: pinned or kept field paths that the request does not have.
    """

    contract: Contract
    ui_only: str | None
    script_fields: tuple[str, ...] = ()
    unused_pins: tuple[str, ...] = ()


def strip(
    request: RawRequest,
    *,
    origin: Origin,
    action: str,
    declared: Declared,
    prelude: Prelude,
    readback: Readback | None,
    imported: bool = False,
) -> Stripped:
    """Take every value out of a request.

    Args:
        request: the decisive request, of the card's origin; its method is POST, PUT, PATCH or
            DELETE.
        origin: the card's.
        action: the card's name.
        declared: what the author said before acting.
        prelude: where values were issued.
        readback: the author's, checked.
        imported: whether the request comes from a file.

    Raises:
        BadPin: the author pins a field whose value looks like a secret.
    """
    parsed = take_request_apart(request, declared, prelude.action_charset(request))
    base = _Base(origin, action, readback, imported)
    stripping = _Stripping(request, declared, prelude, parsed, base)
    try:
        contract = stripping.contract()
    except ValidationError:
        return Stripped(base.bare(request), "the request has a part that no card can describe")
    if not no_captured_value(contract, request, declared, parsed, stripping.spoken):
        return Stripped(base.bare(request), "a captured value would have stayed in the card")
    named = why_unreplayable(request, parsed, declared, contract.unresolved)
    reason = named or "; ".join(stripping.problems())[:_MAX_REASON] or None
    chooser = stripping.chooser
    fields = tuple(dict.fromkeys(chooser.script_fields))
    return Stripped(contract, reason, fields, chooser.pins.unused())


@dataclass(frozen=True, slots=True)
class _Base:
    origin: Origin
    action: str
    readback: Readback | None
    imported: bool

    def bare(self, request: RawRequest) -> Contract:
        """A contract that says no more than what the author said, and the method."""
        return Contract(
            action=self.action,
            origin=str(self.origin),
            method=_method(request),
            target=Target(path=(SlotRef(slot="path"),)),
            body=OpaqueBody(kind="opaque"),
            readback=self.readback,
            imported=self.imported,
        )


class _Stripping:
    def __init__(
        self,
        request: RawRequest,
        declared: Declared,
        prelude: Prelude,
        parsed: Parsed,
        base: _Base,
    ) -> None:
        self._request = request
        self._declared = declared
        self._parsed = parsed
        self._base = base
        self._problems: list[str] = []
        pins = Pins(declared)
        self._spoken: Spoken = read_protocol(parsed, is_pinned=lambda field: field in pins)
        if self._spoken.problem is not None:
            self._problems.append(self._spoken.problem)
        self.chooser = Chooser(request, declared, prelude, parsed, self._spoken, page_target)

    @property
    def spoken(self) -> frozenset[str]:
        return self._spoken.fields

    def problems(self) -> list[str]:
        # What a protocol refuses holds fields that nobody was asked about.
        of_fields = self.chooser.problems if self._spoken.problem is None else []
        return [*self._problems, *of_fields]

    def contract(self) -> Contract:
        chooser = self.chooser
        path = strip_path(self._parsed.segments, chooser)
        query = self._query()
        body = self._body()
        headers = StrippedHeaders(self._request, self._base.origin, chooser)
        self._judge_override(headers)
        self._define_readback_slots(whole=not isinstance(body, OpaqueBody))
        return Contract.model_validate(
            {
                "action": self._base.action,
                "origin": str(self._base.origin),
                "method": _method(self._request),
                "target": Target(path=path, query=query),
                "headers": headers.structural,
                "custom_headers": headers.custom,
                "body": body,
                "slots": chooser.slots,
                "live": chooser.live,
                "generated": chooser.generated,
                "operation": self._operation(body),
                "readback": self._base.readback,
                "unresolved": tuple(headers.unresolved),
                "imported": self._base.imported,
            }
        )

    def _operation(self, body: Body) -> Operation | None:
        return None if isinstance(body, OpaqueBody) else self._spoken.operation

    def _query(self) -> Pairs:
        raw = self._parsed.query
        if raw is None:
            self._problems.append("the query is not UTF-8")
            return Pairs()
        if not all(map(self._is_name, pair_names(raw, self._parsed.wanted))):
            self._problems.append("the name of a query field carries a value")
            return Pairs()
        return strip_pairs(raw, "query:", self.chooser)

    def _body(self) -> Body:
        content = self._parsed.content
        shape: Body | str = _NAME_IS_VALUE
        if isinstance(content, Unreadable) or all(map(self._is_name, member_names(self._parsed))):
            shape = strip_body(content, self.chooser)
        if isinstance(shape, str):
            self._problems.append(shape)
            return OpaqueBody(kind="opaque")
        self._judge_lists()
        return shape

    def _judge_lists(self) -> None:
        sent = {json_text(item.value) for item in scalars(self._parsed) if item.value is not None}
        for slot in self.chooser.values.lists:
            if slot.name not in self.chooser.slots and not sent.isdisjoint(slot.items):
                self._problems.append(f"the list {slot.name} is not sent as one list of its items")

    def _is_name(self, name: str) -> bool:
        values = (text for slot in self._declared.slots.values() for text in slot.texts)
        return is_name(name) and not any(
            len(value) >= _SHORTEST_IN_NAME and value in name for value in values
        )

    def _judge_override(self, headers: StrippedHeaders) -> None:
        for name in METHOD_OVERRIDES:
            if f"header:{name}" in headers.unresolved:
                self._problems.append(
                    f"the header {name} changes what the request does and has no source: pin it"
                )

    def _define_readback_slots(self, *, whole: bool) -> None:
        readback = self._base.readback
        if readback is None:
            return
        slots = self.chooser.slots
        if whole and readback.match.slot not in slots:
            self._problems.append(
                f"the request does not carry the slot {readback.match.slot}, "
                "which the readback counts"
            )
        for name in readback.url_slots:
            if whole and name not in slots and name not in self._declared.slots:
                self._problems.append(
                    f"the request does not carry the slot {name}, which the readback's URL uses"
                )
        for name in (readback.match.slot, *readback.url_slots):
            self.chooser.define_declared(name)


def _method(request: RawRequest) -> Method:
    methods: dict[str, Method] = {"PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE"}
    return methods.get(request.method, "POST")
