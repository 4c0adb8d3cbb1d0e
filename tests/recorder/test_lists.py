from typing import Any

import pytest

from recorder.traffic import Declared, DeclaredSlot
from tests.recorder.traffic import FORM, arequest, declared, leaf, stripped
from tests.support.bodies import body_of
from tests.support.resending import body_bytes, resent

TAGS = Declared({"tags": DeclaredSlot("tags", "red\nblue", "string", items=("red", "blue"))})


@pytest.mark.parametrize(
    ("array", "item"),
    [
        (["red", "blue"], {"slot": "tags"}),
        ([{"name": "red"}, {"name": "blue"}], {"object": {"name": {"slot": "tags"}}}),
        (["RED".lower(), "blue"], {"slot": "tags"}),
        (
            [{"a": ["red"], "b": None}, {"a": ["blue"], "b": None}],
            {"object": {"a": {"array": [{"slot": "tags"}]}, "b": {"null": True}}},
        ),
    ],
)
def test_an_array_with_an_item_for_each_value_is_a_list(array: list[Any], item: Any) -> None:
    result = stripped(arequest(body={"tags": array}), TAGS)
    assert result.ui_only is None
    assert leaf(result, "tags") == {"each": "tags", "item": item}
    assert result.contract.slots["tags"].many


@pytest.mark.parametrize(
    "array",
    [
        ["blue", "red"],
        ["red"],
        ["red", "blue", "green"],
        [{"name": "red"}, {"title": "blue"}],
        [{"name": "red", "at": 1}, {"name": "blue", "at": 2}],
    ],
)
def test_an_array_that_differs_in_more_than_the_values_is_told(array: list[Any]) -> None:
    result = stripped(arequest(body={"tags": array}), TAGS)
    assert result.ui_only == "the list tags is not sent as one list of its items"


def test_a_list_of_another_length_is_sent_with_an_item_for_each_value() -> None:
    request = arequest(body={"tags": [{"name": "red"}, {"name": "blue"}], "t": "zebra"})
    said = Declared({**TAGS.slots, **declared(m="zebra").slots})
    sent = resent(request, said, {"tags": ["x", "y", "z"], "m": "lion"})
    assert body_of(sent) == b'{"tags":[{"name":"x"},{"name":"y"},{"name":"z"}],"t":"lion"}'


def test_numbers_of_a_list_stay_numbers() -> None:
    said = Declared({"ids": DeclaredSlot("ids", "17\n42", "string", items=("17", "42"))})
    sent = resent(arequest(body={"ids": [17, 42]}), said, {"ids": "[5, 6]"})
    assert body_of(sent) == b'{"ids":[5,6]}'


def test_a_field_repeated_for_each_value_is_a_list() -> None:
    request = arequest("/f", "a=1&tag%5B%5D=red&tag%5B%5D=blue&b=2", kind=FORM)
    sent = resent(request, TAGS, {"tags": ["x"], "a": "1", "b": "2"})
    assert body_of(sent) == b"a=1&tag%5B%5D=x&b=2"


async def test_a_part_repeated_for_each_value_is_a_list() -> None:
    head = 'Content-Disposition: form-data; name="tag"\r\n\r\n'
    body = f"--B\r\n{head}red\r\n--B\r\n{head}blue\r\n--B--\r\n".encode()
    request = arequest("/f", body, kind="multipart/form-data; boundary=B")
    sent = await body_bytes(resent(request, TAGS, {"tags": ["x", "y"]}))
    assert sent == f"--B\r\n{head}x\r\n--B\r\n{head}y\r\n--B--\r\n".encode()
