"""A card in words, for the person who reviews it."""

from collections.abc import Iterator
from typing import assert_never

from cards.card import Card, EvidenceRecord, UiOnlyCard
from cards.contract import Contract
from cards.holes import (
    GeneratedRef,
    Leaf,
    LiveRef,
    Null,
    OperationRef,
    Pin,
    Place,
    Slot,
    SlotRef,
    Template,
    Word,
)
from cards.shapes import (
    ArrayShape,
    FormBody,
    JsonBody,
    JsonShape,
    JsonText,
    ListShape,
    ObjectShape,
    Target,
)
from cards.sources import (
    CookieSource,
    FormFieldSource,
    HeaderSource,
    JsonSource,
    LiveValue,
    ScriptSource,
    StorageSource,
    TextSource,
)


def path_of(target: Target) -> str:
    """A path template, its holes by name."""
    parts = (part if isinstance(part, str) else leaf_of(part) for part in target.path)
    return "/" + "/".join(parts)


def leaf_of(leaf: Leaf) -> str:
    """A leaf by the name of what fills it."""
    match leaf:
        case SlotRef():
            return f"{{{'|'.join((leaf.slot, *leaf.transforms))}}}"
        case LiveRef():
            return f"{{live {leaf.live}}}"
        case Pin():
            return repr(leaf.pin)
        case GeneratedRef():
            return f"{{generated {leaf.generated}}}"
        case Template():
            return "".join(p if isinstance(p, str) else leaf_of(p) for p in leaf.template)
        case Null():
            return "null"
        case OperationRef():
            return f"{{the operation's {leaf.operation}}}"
        case Word():
            return repr(leaf.word)
        case Place():
            return repr(leaf.place)
        case _:
            assert_never(leaf)


def describe(card: Card) -> Iterator[str]:
    """The card, line by line."""
    contract = card.contract
    yield f"{card.action}: {card.state}"
    if isinstance(card, UiOnlyCard):
        yield f"  stays on the UI path: {card.reason}"
    if card.file.fell_back is not None:
        yield f"  fell back: {card.file.fell_back.reason}"
    yield f"  {contract.method} {contract.origin}{path_of(contract.target)}"
    for pair in contract.target.query.pairs:
        yield f"    query {pair.name or ''} = {_value(pair.value)}"
    for name, leaf in contract.custom_headers.items():
        yield f"    header {name} = {leaf_of(leaf)}"
    yield from (f"    {line}" for line in _body(contract))
    yield from _holes(contract)
    yield from _proof(card)
    yield f"  digest {card.digest}"


def _holes(contract: Contract) -> Iterator[str]:
    for name, slot in contract.slots.items():
        yield f"  slot {name}: {_slot(slot)}"
    for name, live in contract.live.items():
        yield f"  live {name}: {_source(live)}"
    for name, made in contract.generated.items():
        yield f"  generated {name}: {made.kind}{f' of {made.length}' if made.length else ''}"
    if contract.unresolved:
        yield f"  without a source, and not sent: {', '.join(contract.unresolved)}"


def _slot(slot: Slot) -> str:
    kind = f"one of {', '.join(slot.choices)}" if slot.choices else slot.type
    marks = [word for word in ("optional", "secret") if getattr(slot, word)]
    told = f"{kind}{f' ({", ".join(marks)})' if marks else ''}"
    return f"{told}: {slot.description}" if slot.description else told


def _source(live: LiveValue) -> str:
    source = live.source
    match source:
        case CookieSource():
            told = f"the cookie {source.name}"
            if source.page is not None:
                told += f", renewed by {path_of(source.page)}"
        case FormFieldSource():
            own = "the form that submits here" if source.submits_here else "a form"
            told = f"the field {source.name} of {own} on {path_of(source.page)}"
        case JsonSource():
            keys = ".".join(map(str, source.path))
            told = f"{keys} in the JSON of {path_of(source.page)}"
        case HeaderSource():
            told = f"the response header {source.name} of {path_of(source.page)}"
        case TextSource():
            told = f"the text of {path_of(source.page)}"
        case ScriptSource():
            keys = ".".join(map(str, (source.name, *source.path)))
            told = f"{keys} in a script of {path_of(source.page)}"
        case StorageSource():
            keys = ".".join(map(str, (source.key, *source.path)))
            told = f"{keys} in the login's {source.area}Storage"
        case _:
            told = f"the meta tag {source.name} on {path_of(source.page)}"
    if live.decode:
        told += f", decoded: {', '.join(live.decode)}"
    return told + (f", after {live.prefix.strip()}" if live.prefix else "")


def _body(contract: Contract) -> Iterator[str]:
    body = contract.body
    if isinstance(body, JsonBody):
        yield from (f"json {field or '(all)'} = {leaf}" for field, leaf in fields(body.content))
    elif isinstance(body, FormBody):
        for pair in body.content.pairs:
            value = "" if pair.value is None else f" = {_value(pair.value)}"
            yield f"form {pair.name or ''}{value}"
    else:
        yield f"body: {body.kind}"


def _value(value: JsonText | Leaf | None) -> str:
    if isinstance(value, JsonText):
        return "JSON with " + ", ".join(leaf for _, leaf in fields(value.json_text))
    return "" if value is None else leaf_of(value)


def fields(shape: JsonShape, path: str = "") -> Iterator[tuple[str, str]]:
    """Every leaf of a JSON shape with its field path."""
    match shape:
        case ObjectShape():
            for name, member in shape.object.items():
                yield from fields(member, f"{path}.{name}" if path else name)
        case ArrayShape():
            for index, item in enumerate(shape.array):
                yield from fields(item, f"{path}.{index}" if path else str(index))
        case ListShape():
            yield from fields(shape.item, f"{path}.*" if path else "*")
        case JsonText():
            yield from fields(shape.json_text, path)
        case _:
            yield path, leaf_of(shape)


def _proof(card: Card) -> Iterator[str]:
    readback = card.contract.readback
    if readback is None:
        yield "  no readback: it will never be promoted"
        return
    match = readback.match
    where = match.field if isinstance(match.field, str) else ".".join(map(str, match.field))
    yield f"  readback: GET {readback.url}, records whose {where} is the slot {match.slot}"
    for evidence in card.file.evidence:
        yield f"  evidence by {evidence.acted}: {_counts(evidence)}"
    if card.file.failures:
        yield f"  verifications that failed running: {card.file.failures}"


def _counts(evidence: EvidenceRecord) -> str:
    before, after = evidence.before, evidence.after
    return (
        f"{before.matching} → {after.matching} matching records "
        f"({before.total} → {after.total} in all), {after.at:%Y-%m-%d %H:%M}"
    )
