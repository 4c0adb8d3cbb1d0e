from typing import Any

import pytest

from tests.recorder.traffic import arequest, declared, leaf, shape, stripped
from tests.support.bodies import body_of
from tests.support.resending import contract_of, resent

PATCH = "application/json-patch+json"


def test_a_json_rpc_call_has_its_method_for_an_operation_and_a_fresh_id() -> None:
    body = {"jsonrpc": "2.0", "method": "notes.add", "params": {"text": "zebra"}, "id": 7}
    result = stripped(arequest(body=body), declared(m="zebra"))
    assert result.ui_only is None
    operation = result.contract.operation
    assert operation is not None
    assert (operation.type, operation.name) == ("call", "notes.add")
    assert leaf(result, "method") == {"operation": "name"}
    assert leaf(result, "id") == {"generated": "id"}
    assert [*result.contract.slots] == ["m"]


def test_a_json_rpc_notification_has_no_id() -> None:
    body = {"jsonrpc": "2.0", "method": "add", "params": ["zebra"]}
    sent = resent(arequest(body=body), declared(m="zebra"), {"m": "lion"})
    assert body_of(sent) == b'{"jsonrpc":"2.0","method":"add","params":["lion"]}'


@pytest.mark.parametrize(
    ("calls", "reason"),
    [(1, None), (2, "the request is a batch of several calls, which is not one action")],
)
def test_a_batch_of_calls_is_one_action_only_where_it_is_one_call(
    calls: int, reason: str | None
) -> None:
    call = {"jsonrpc": "2.0", "method": "add", "params": ["zebra"], "id": "a1b2"}
    assert stripped(arequest(body=[call] * calls), declared(m="zebra")).ui_only == reason


def test_the_words_and_places_of_a_json_patch_stay() -> None:
    steps = [{"op": "add", "path": "/items/-", "value": {"title": "zebra"}}]
    request = arequest(body=steps, kind=PATCH, method="PATCH")
    sent = resent(request, declared(m="zebra"), {"m": "lion"})
    assert body_of(sent) == b'[{"op":"add","path":"/items/-","value":{"title":"lion"}}]'
    assert contract_of(request, declared(m="zebra")).slots.keys() == {"m"}


def test_a_patch_of_one_record_has_a_slot_for_its_pointer() -> None:
    steps = [{"op": "replace", "path": "/items/4711/title", "value": "zebra"}]
    result = stripped(arequest(body=steps, kind=PATCH), declared(m="zebra"))
    assert shape(result)["array"][0]["object"]["path"] == {"slot": "path"}


@pytest.mark.parametrize(
    "document",
    [
        {"type": "doc", "content": [{"type": "paragraph", "content": [
            {"type": "text", "text": "zebra"}]}]},
        {"root": {"children": [{"children": [{"detail": 0, "mode": "normal", "text": "zebra",
            "type": "text", "version": 1}], "type": "paragraph", "version": 1}],
            "type": "root", "version": 1}},
        [{"type": "p", "children": [{"text": "zebra"}]}],
        {"blocks": [{"type": "paragraph", "data": {"text": "zebra"}}]},
    ],
)  # fmt: skip
def test_a_rich_text_document_is_a_template_of_words_and_one_slot(document: Any) -> None:
    result = stripped(arequest(body={"body": document}), declared(m="zebra"))
    assert result.ui_only is None
    assert result.contract.slots.keys() == {"m"}


def test_a_word_in_another_place_is_a_value() -> None:
    result = stripped(arequest(body={"kind": "paragraph", "text": "zebra"}), declared(m="zebra"))
    assert leaf(result, "kind") == {"slot": "kind"}
