from typing import Any

import pytest

from cards.contract import Contract
from cards.holes import Slot, SlotRef
from cards.shapes import JsonBody, ObjectShape, Pair, Pairs, Target
from recorder.leaks import no_captured_value
from recorder.parsed import take_request_apart
from tests.recorder.traffic import ORIGIN, arequest, declared, stripped

SECRET = "fo o*!-4711-x"


def leaky(**changes: Any) -> Contract:
    members: dict[str, Any] = {
        "action": "send",
        "origin": str(ORIGIN),
        "method": "POST",
        "target": Target(path=("api", "x")),
        "body": JsonBody(kind="json", content=ObjectShape(object={"a": SlotRef(slot="a")})),
        "slots": {"a": Slot()},
    }
    return Contract.model_validate({**members, **changes})


def is_clean(contract: Contract, body: Any) -> bool:
    request = arequest("/api/x", body, headers={"cookie": "sid=cookie-4711-abc"})
    said = declared(message=SECRET)
    return no_captured_value(contract, request, said, take_request_apart(request, said))


@pytest.mark.parametrize(
    "kept",
    [
        *(SECRET, "fo%20o%2A%21-4711-x", "fo+o%2A%21-4711-x", "Zm8gbyohLTQ3MTEteA"),
        *("cookie-4711-abc", "before cookie-4711-abc after"),
    ],
)
def test_a_kept_value_is_found_in_every_spelling(kept: str) -> None:
    described = leaky(slots={"a": Slot(description=kept)})
    assert not is_clean(described, {"a": SECRET})


def test_a_value_kept_as_a_name_is_found() -> None:
    named = leaky(target=Target(path=("api",), query=Pairs(pairs=(Pair(name=SECRET),))))
    assert not is_clean(named, {"a": SECRET})


def test_a_short_value_is_found_where_it_is_a_whole_text() -> None:
    assert not is_clean(leaky(target=Target(path=("blue",))), {"a": "blue"})


def test_names_path_words_and_the_authors_texts_may_equal_a_value() -> None:
    body = {"type": "messages", "kind": "type", "api": "x", "form": "string", "a": "send"}
    result = stripped(arequest("/api/messages", body), action="messages")
    assert result.ui_only is None


def test_an_honest_card_is_clean() -> None:
    assert is_clean(leaky(), {"a": SECRET})
