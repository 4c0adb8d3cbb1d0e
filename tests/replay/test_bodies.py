import json
from pathlib import Path

import pytest

from cards.contract import Contract, StructuralHeaders
from cards.errors import BadSlot
from cards.holes import OperationRef, Slot, SlotRef, Template
from cards.operation import Operation, hash_of
from cards.shapes import (
    Escaping,
    FilePart,
    FormBody,
    JsonBody,
    ListShape,
    MultipartBody,
    ObjectShape,
    Pair,
    Pairs,
    TextBody,
    TextPart,
)
from replay.building import WireRequest, build
from replay.filling import Filling
from replay.slots import check_values
from replay.uploads import Pieces
from tests.support.bodies import body_of
from tests.support.builders import acontract

MESSAGE = SlotRef(slot="message")
DOCUMENT = "mutation AddItem($t: String!) { addItem(title: $t) { id } }"


def built(contract: Contract, **values: object) -> WireRequest:
    typed = check_values(contract, values)
    return build(Filling(contract, typed, {"csrf_token": "T"}))


async def bytes_of(request: WireRequest) -> bytes:
    assert isinstance(request.body, Pieces)
    return b"".join([chunk async for chunk in request.body.chunks()])


def upload_card() -> Contract:
    parts = (TextPart(name="note", value=MESSAGE), FilePart(name="upload", file="attachment"))
    return acontract(
        headers=StructuralHeaders(content_type="multipart/form-data"),
        body=MultipartBody(kind="multipart", parts=parts),
        slots={"message": Slot(), "attachment": Slot(type="file")},
    )


async def test_a_file_goes_out_behind_its_text_as_a_browser_sends_it(tmp_path: Path) -> None:
    file = tmp_path / '新"文字.txt'
    file.write_bytes(b"first\nsecond")
    request = built(upload_card(), message="x\ny", attachment=str(file))
    sent = await bytes_of(request)
    boundary = dict(request.headers)["content-type"].partition("boundary=")[2]
    assert sent.decode() == (
        f'--{boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\ny\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="upload"; '
        'filename="新%22文字.txt"\r\nContent-Type: text/plain\r\n\r\nfirst\nsecond\r\n'
        f"--{boundary}--\r\n"
    )
    assert dict(request.headers)["content-length"] == str(len(sent))


async def test_a_file_that_became_shorter_breaks_the_send(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"0123456789")
    request = built(upload_card(), message="m", attachment=str(file))
    file.write_bytes(b"0")
    with pytest.raises(OSError, match="shorter"):
        await bytes_of(request)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadSlot, match="attachment"):
        built(upload_card(), message="m", attachment="/nowhere/at/all")


def test_a_list_slot_makes_one_item_for_each_value() -> None:
    item = ObjectShape(object={"label": SlotRef(slot="tags")})
    shape = ObjectShape(object={"text": MESSAGE, "tags": ListShape(each="tags", item=item)})
    contract = acontract(
        body=JsonBody(kind="json", content=shape),
        slots={"message": Slot(), "tags": Slot(many=True)},
    )
    sent = json.loads(body_of(built(contract, message="m", tags='["a", "b"]')))
    assert sent["tags"] == [{"label": "a"}, {"label": "b"}]


def test_a_repeated_field_is_sent_once_for_each_value() -> None:
    pairs = (
        Pair(name="text", value=MESSAGE),
        Pair(name="tag", value=SlotRef(slot="tags"), each="tags"),
    )
    contract = acontract(
        body=FormBody(kind="form", content=Pairs(pairs=pairs)),
        slots={"message": Slot(), "tags": Slot(many=True)},
    )
    assert body_of(built(contract, message="m", tags=["a", "b"])) == b"text=m&tag=a&tag=b"


def test_a_form_is_escaped_in_its_own_character_encoding() -> None:
    pairs = Pairs(
        pairs=(Pair(name="text", value=MESSAGE),), escaping=Escaping(charset="windows-1252")
    )
    contract = acontract(body=FormBody(kind="form", content=pairs))
    assert body_of(built(contract, message="é新")) == b"text=%E9%26%2326032%3B"


def test_xml_holds_the_value_escaped() -> None:
    text = SlotRef(slot="message", transforms=("html",))
    xml = Template(template=('<?xml version="1.0"?><note><text>', text, "</text></note>"))
    contract = acontract(
        headers=StructuralHeaders(content_type="application/xml"),
        body=TextBody(kind="text", content=xml),
    )
    assert b"<text>a &lt; b</text>" in body_of(built(contract, message="a < b"))


def graphql_card() -> Contract:
    shape = ObjectShape(
        object={
            "operationName": OperationRef(operation="name"),
            "query": OperationRef(operation="document"),
            "variables": ObjectShape(object={"t": MESSAGE}),
        }
    )
    operation = Operation(name="AddItem", document=DOCUMENT, document_hash=hash_of(DOCUMENT))
    return acontract(body=JsonBody(kind="json", content=shape), operation=operation)


def test_the_operation_stands_where_the_body_refers_to_it() -> None:
    sent = json.loads(body_of(built(graphql_card(), message="m")))
    assert sent == {"operationName": "AddItem", "query": DOCUMENT, "variables": {"t": "m"}}


def test_a_caller_cannot_name_another_operation() -> None:
    with pytest.raises(BadSlot, match="one operation"):
        built(graphql_card(), message="m", operationName="DeleteItem")
