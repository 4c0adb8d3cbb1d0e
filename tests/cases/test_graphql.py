"""GraphQL: GQL-01, GQL-02, GQL-07."""

import json

from recorder.candidates import Candidate, NotACandidate, judge
from tests.recorder.traffic import arequest, declared, stripped, text_of
from tests.support.bodies import body_of
from tests.support.resending import resent

ADD = "mutation AddItem($t:String!){addItem(title:$t){id}}"


def test_gql_01_no_literal_of_a_document_is_kept() -> None:
    document = (
        'mutation { signIn(email:"a@example.test", password:"CANARY-GQL01", pin: 49307751, '
        'note:"""block CANARY-GQL01b""", opt:{k:"CANARY-GQL01c"}) { id } }'
    )
    body: dict[str, object] = {"operationName": None, "query": document, "variables": {}}
    result = stripped(arequest("/graphql", body))
    assert "pin the field query" in (result.ui_only or "")
    written = text_of(result)
    assert not any(word in written for word in ("CANARY", "49307751", "a@example.test"))


def test_gql_02_a_batch_is_narrowed_to_its_one_mutation() -> None:
    batch: list[dict[str, object]] = [
        {"operationName": "Me", "query": "query Me{me{id}}"},
        {"operationName": "AddItem", "query": ADD, "variables": {"t": "xyz"}},
    ]
    sent = resent(arequest("/graphql", batch), declared(t="xyz"), {"t": "lion"})
    assert json.loads(body_of(sent)) == [{**batch[1], "variables": {"t": "lion"}}]


def test_gql_07_the_operation_chooses_among_requests_to_one_url() -> None:
    said = declared(title="zebra")
    view = {"operationName": "TrackView", "query": "mutation TrackView{track{ok}}", "variables": {}}
    me = {"operationName": "Me", "query": "query Me($t:String){me(t:$t){id}}"}
    add = {"operationName": "AddItem", "query": ADD, "variables": {"t": "zebra"}}
    assert isinstance(judge(arequest("/graphql", view), said), NotACandidate)
    reads = judge(arequest("/graphql", {**me, "variables": {"t": "zebra"}}), said)
    assert reads == NotACandidate("it is a GraphQL query")
    assert isinstance(judge(arequest("/graphql", add), said), Candidate)
