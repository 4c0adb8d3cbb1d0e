"""The author's constants put into a card that exists: a new contract comes of it.

Rules:
1. This is one of the author's doors, so ``Pin`` may be made here.
2. A pin replaces a slot of the request. What is live or generated stays so.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from cards.card import Card, UiOnlyCard
from cards.contract import Contract
from cards.errors import BadPin, NotUsable
from cards.holes import Leaf, Pin, SlotRef
from cards.shapes import (
    ArrayShape,
    FormBody,
    JsonBody,
    JsonShape,
    JsonText,
    ListShape,
    ObjectShape,
    Pair,
    Pairs,
)

Replace = Callable[[str, Leaf], Leaf]


def parse_pins(texts: Sequence[str]) -> dict[str, str]:
    """``FIELD=VALUE`` texts by field.

    Raises:
        BadPin: one has no equals sign.
    """
    pins: dict[str, str] = {}
    for text in texts:
        field, equals, value = text.partition("=")
        if not equals or not field:
            raise BadPin(
                "A pin has no value.", "Write it as FIELD=VALUE; a bare FIELD is for recording."
            )
        pins[field] = value
    return pins


def pinned(card: Card, pins: Mapping[str, str]) -> Contract:
    """The contract of a card with constants in the place of slots.

    Raises:
        BadPin: a field is not there, is no slot, or the value looks like a secret.
        NotUsable: the card stays on the UI path.
    """
    if isinstance(card, UiOnlyCard):
        raise NotUsable(f"The card {card.action} stays on the UI path: {card.reason}.")
    contract = card.contract
    done: set[str] = set()
    there: list[str] = []

    def replace(field: str, leaf: Leaf) -> Leaf:
        if isinstance(leaf, SlotRef):
            there.append(field)
        if field not in pins:
            return leaf
        if not isinstance(leaf, SlotRef):
            raise BadPin(f"The field {field} is filled by replay itself.", _there(there))
        done.add(field)
        return _pin(field, pins[field], contract.slots[leaf.slot].type, leaf)

    changed = contract.model_copy(
        update={
            "target": contract.target.model_copy(
                update={"query": _pairs(contract.target.query, "query:", replace)}
            ),
            "custom_headers": {
                name: replace(f"header:{name}", leaf)
                for name, leaf in contract.custom_headers.items()
            },
            "body": _body(contract, replace),
        }
    )
    missing = [field for field in pins if field not in done]
    if missing:
        raise BadPin("The card has no such field to pin.", _there(there))
    return _checked(changed)


def _checked(contract: Contract) -> Contract:
    members = contract.model_dump(by_alias=True)
    used = set(_slots_in({k: v for k, v in members.items() if k not in {"slots", "readback"}}))
    readback = contract.readback
    if readback is not None:
        needed = {readback.match.slot, *readback.url_slots}
        gone = sorted(needed - used)
        if readback.match.slot in gone:
            raise BadPin(
                f"The slot {readback.match.slot} is what the readback looks for.",
                "Pin other fields.",
            )
        used |= needed
    members["slots"] = {name: slot for name, slot in members["slots"].items() if name in used}
    return Contract.model_validate(members)


def _slots_in(tree: Any) -> list[str]:
    if isinstance(tree, Mapping):
        own = [tree["slot"]] if isinstance(tree.get("slot"), str) else []
        return own + [name for value in tree.values() for name in _slots_in(value)]
    if isinstance(tree, list | tuple):
        return [name for value in tree for name in _slots_in(value)]
    return []


def _pin(field: str, text: str, kind: str, leaf: SlotRef) -> Pin:
    value: Any = text
    if kind in {"integer", "number", "boolean"} and "text" not in leaf.transforms:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if not isinstance(value, int | float):
            raise BadPin(f"The field {field} holds a {kind}.", f"Give a {kind}.")
    try:
        return Pin(pin=value)
    except ValidationError:
        raise BadPin(
            f"The value for {field} looks like a secret, or is no exact number.",
            "Leave it a slot, and give it at each replay.",
        ) from None


def _there(fields: list[str]) -> str:
    return f"Fields that can be pinned: {', '.join(fields) or 'none'}."


def _body(contract: Contract, replace: Replace) -> Any:
    body = contract.body
    if isinstance(body, JsonBody):
        return body.model_copy(update={"content": _shape(body.content, "", replace)})
    if isinstance(body, FormBody):
        return body.model_copy(update={"content": _pairs(body.content, "", replace)})
    return body


def _pairs(pairs: Pairs, prefix: str, replace: Replace) -> Pairs:
    seen: dict[str, int] = {}
    changed: list[Pair] = []
    for pair in pairs.pairs:
        name = pair.name or ""
        nth = seen[name] = seen.get(name, -1) + 1
        field = f"{prefix}{name}" + (f"[{nth}]" if nth else "")
        if pair.value is None:
            changed.append(pair)
        elif isinstance(pair.value, JsonText):
            text = JsonText(json_text=_shape(pair.value.json_text, field, replace))
            changed.append(pair.model_copy(update={"value": text}))
        else:
            changed.append(pair.model_copy(update={"value": replace(field, pair.value)}))
    return pairs.model_copy(update={"pairs": tuple(changed)})


def _shape(shape: JsonShape, path: str, replace: Replace) -> JsonShape:
    match shape:
        case ObjectShape():
            members = {
                name: _shape(member, f"{path}.{name}" if path else name, replace)
                for name, member in shape.object.items()
            }
            return ObjectShape(object=members)
        case ArrayShape():
            items = (
                _shape(item, f"{path}.{i}" if path else str(i), replace)
                for i, item in enumerate(shape.array)
            )
            return ArrayShape(array=tuple(items))
        case ListShape():
            item = _shape(shape.item, f"{path}.*" if path else "*", replace)
            return ListShape(each=shape.each, item=item)
        case JsonText():
            return JsonText(json_text=_shape(shape.json_text, path, replace))
        case _:
            return replace(path, shape)
