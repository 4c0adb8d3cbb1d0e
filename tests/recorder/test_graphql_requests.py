import json
from typing import Any
from urllib.parse import urlencode

import pytest

from cards.operation import hash_of
from recorder.stripping import Stripped
from tests.recorder.traffic import FORM, arequest, declared, leaf, shape, stripped, text_of
from tests.support.bodies import body_of
from tests.support.resending import body_bytes, contract_of, resent

ADD = "mutation AddItem($t: String!) { addItem(title: $t) { id } }"
HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
VARIABLES = {"t": "zebra"}


def asked(said: Any = None, target: str = "/graphql", **members: Any) -> Stripped:
    body = {"query": ADD, "variables": VARIABLES, **members}
    return stripped(arequest(target, body), said or declared(m="zebra"))


def test_name_and_document_stand_apart_from_the_variables() -> None:
    result = asked(operationName="AddItem")
    operation = result.contract.operation
    assert operation is not None
    assert (operation.name, operation.document, operation.document_hash) == (
        "AddItem",
        ADD,
        hash_of(ADD),
    )
    assert leaf(result, "query") == {"operation": "document"}
    assert leaf(result, "operationName") == {"operation": "name"}
    assert leaf(result, "variables") == {"object": {"t": {"slot": "m"}}}
    assert result.ui_only is None


def test_a_mutation_without_a_name_in_the_request_is_known_by_its_document() -> None:
    result = asked(operationName=None)
    assert leaf(result, "operationName") == {"null": True}
    assert result.contract.operation is not None
    assert result.contract.operation.name == "AddItem"


@pytest.mark.parametrize(
    "document",
    [
        'mutation { add(title: "zebra") { id } }',
        "mutation($t: String!) { add(title: $t, first: 49307751) { id } }",
        'mutation($t: String!) { add(title: $t, note: """block""") { id } }',
        "mutation($t: String!) { add(title: $t, sort: NEWEST) { id } }",
        'mutation($t: String! = "x") { add(title: $t) { id } }',
        "mutation($t: String!) { add(title: $t) { id } } # made by zebra",
    ],
)  # fmt: skip
def test_a_document_with_values_of_its_own_stays_on_the_ui_path(document: str) -> None:
    result = asked(query=document)
    assert "pin the field query" in (result.ui_only or "")
    assert document not in text_of(result)
    assert "49307751" not in text_of(result)


def test_an_author_may_pin_a_document_with_values() -> None:
    document = "mutation Add($t: String!) { add(title: $t, first: 10, sort: NEWEST) { id } }"
    request = arequest("/graphql", {"query": document, "variables": VARIABLES})
    sent = resent(request, declared(kept=frozenset({"query"}), m="zebra"), {"m": "lion"})
    assert json.loads(body_of(sent)) == {"query": document, "variables": {"t": "lion"}}


def test_a_persisted_query_is_known_by_its_hash() -> None:
    extensions = {"persistedQuery": {"version": 1, "sha256Hash": HASH}}
    body = {"operationName": "AddItem", "variables": VARIABLES, "extensions": extensions}
    request = arequest("/graphql", body)
    contract = contract_of(request, declared(m="zebra"))
    assert contract.operation is not None
    assert contract.operation.persisted_hash == HASH
    sent = resent(request, declared(m="zebra"), {"m": "zebra"})
    assert json.loads(body_of(sent)) == body


def test_a_document_number_in_a_form_is_the_operation() -> None:
    fields = {"doc_id": "7711610262204", "variables": '{"t":"zebra"}'}
    request = arequest("/api/graphql", urlencode(fields), kind=FORM)
    assert contract_of(request, declared(m="zebra")).slots.keys() == {"m"}
    sent = resent(request, declared(m="zebra"), {"m": "lion"})
    assert body_of(sent).decode() == urlencode({**fields, "variables": '{"t":"lion"}'})


def test_a_query_parameter_that_repeats_the_name_is_the_operation() -> None:
    result = asked(target="/graphql?op=AddItem")
    assert result.contract.slots.keys() == {"m"}
    assert result.contract.pretty()["target"]["query"]["pairs"][0]["value"] == {"operation": "name"}


def test_a_batch_keeps_its_one_mutation() -> None:
    batch = [{"query": "query Me { me { id } }"}, {"query": ADD, "variables": VARIABLES}]
    result = stripped(arequest("/graphql", batch), declared(m="zebra"))
    assert result.ui_only is None
    assert len(shape(result)["array"]) == 1


def test_a_batch_of_two_mutations_is_not_one_action() -> None:
    batch = [{"query": ADD, "variables": VARIABLES}] * 2
    result = stripped(arequest("/graphql", batch), declared(m="zebra"))
    assert result.ui_only == "the request is a batch of 2 operations, which is not one action"


@pytest.mark.parametrize("name", [None, "C"])
def test_a_document_of_two_operations_needs_a_name_of_its_own(name: str | None) -> None:
    result = asked(query=ADD + " mutation B { b }", operationName=name)
    assert "operation" in (result.ui_only or "")


async def test_a_multipart_upload_keeps_its_map_and_its_mutation() -> None:
    operations = json.dumps(
        {"query": ADD, "variables": {"t": "zebra", "file": None}}, separators=(",", ":")
    )
    head = "--B\r\nContent-Disposition: form-data; name="
    body = (
        f'{head}"operations"\r\n\r\n{operations}\r\n'
        f'{head}"map"\r\n\r\n{{"1":["variables.file"]}}\r\n--B--\r\n'
    ).encode()
    request = arequest("/graphql", body, kind="multipart/form-data; boundary=B")
    assert contract_of(request, declared(m="zebra")).slots.keys() == {"m"}
    assert await body_bytes(resent(request, declared(m="zebra"), {"m": "zebra"})) == body
