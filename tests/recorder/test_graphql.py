from typing import Any

import pytest

from recorder.graphql import graphql_kind

TWO = "query A{a} mutation B{b}"


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"query": "{me{id}}"}, "read"),
        ({"query": "subscription{a}"}, "read"),
        ({"query": "mutation{a}"}, "mutation"),
        ({"query": "# note\n mutation M($t:String!){a(t:$t)}"}, "mutation"),
        ({"query": TWO, "operationName": "A"}, "read"),
        ({"query": TWO, "operationName": "B"}, "mutation"),
        ({"query": TWO}, "mutation"),
        ({"extensions": {"persistedQuery": {"sha256Hash": "x"}}}, "unknown"),
        ([{"query": "{a}"}, {"query": "{b}"}], "read"),
        ([{"query": "{a}"}, {"query": "mutation{b}"}], "mutation"),
        # no GraphQL
        ({"query": "zebra {"}, None),
        ({"query": "zebra {stripes}"}, None),
        ({"query": "zebra"}, None),
        ({"query": 3}, None),
        ({"text": "mutation{a}"}, None),
        ({"query": "fragment F on A{a}"}, None),
        ([{"query": "{a}"}, {"x": 1}], None),
        ([], None),
        ("mutation{a}", None),
        (None, None),
    ],
)
def test_the_kind_of_a_body(document: Any, kind: str | None) -> None:
    assert graphql_kind(document) == kind
