from typing import Any

import httpx
import pytest

from tests.support.counting import counted, listed, texts
from tests.support.sites import aform, page
from verifier.records import Count, CountFailed, check_paths

LOGIN_PAGE = '<html><form action="/login"><input type="password"></form></html>'


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page(LOGIN_PAGE), "login"),
        (httpx.Response(401), "login"),
        (httpx.Response(403), "http"),
        (httpx.Response(500), "http"),
        (httpx.Response(304), "cached"),
        (page("<p>hello</p>"), "not_json"),
        (httpx.Response(200, content=b""), "not_json"),
        (httpx.Response(200, content=b"\xff"), "not_json"),
        (httpx.Response(200, json={"items": []}), "path"),
        (httpx.Response(200, json=[]), "path"),
        (httpx.Response(200, json={"messages": {"a": 1}}), "not_a_collection"),
        (httpx.Response(200, json={"messages": "zebra"}), "not_a_collection"),
        (httpx.Response(200, json={"messages": [{"title": "zebra"}]}), "no_match_field"),
        (httpx.Response(200, json={"messages": ["zebra"]}), "no_match_field"),
        (httpx.Response(200, json={"messages": []}, headers={"age": "120"}), "cached"),
        (httpx.Response(200, json={"messages": []}, headers={"x-cache": "HIT"}), "cached"),
        (httpx.Response(206, json={"messages": []}), "http"),
        (httpx.Response(404, json={"messages": []}), "http"),
        (httpx.Response(200, content=b"[" * 5000 + b"]" * 5000), "not_json"),
        (httpx.Response(302, headers={"location": "https://evil.example.test/"}), "off_origin"),
    ],
)
async def test_an_answer_that_is_not_the_collection_is_no_count(
    answer: httpx.Response, reason: str
) -> None:
    found = await counted(aform(), answer)
    assert isinstance(found, CountFailed)
    assert found.reason == reason


async def test_a_byte_order_mark_is_no_part_of_the_answer() -> None:
    found = await counted(aform(), httpx.Response(200, content=b'\xef\xbb\xbf{"messages": []}'))
    assert isinstance(found, Count)


@pytest.mark.parametrize(
    ("total", "answer"),
    [
        (["meta", "total"], {"meta": {"total": 120}}),
        ("$.meta.total", {"meta": {"total": "120"}}),
        ("header:X-Total-Count", {}),
        ("header:Content-Range", {}),
    ],
)
async def test_the_number_of_all_records_is_the_one_that_the_answer_gives(
    total: Any, answer: dict[str, Any]
) -> None:
    headers = {"x-total-count": "120", "content-range": "items 0-1/120"}
    first = httpx.Response(200, json={"messages": texts(1, 2), **answer}, headers=headers)
    found = await counted(aform(total=total), first)
    assert (found.matching, found.total, found.listed) == (2, 120, 2)


@pytest.mark.parametrize("given", [None, -1, 1.5, True, "many", [], {"value": 3}])
async def test_a_total_that_is_no_number_is_no_count(given: Any) -> None:
    found = await counted(aform(total=["total"]), listed(1, total=given))
    assert isinstance(found, CountFailed)
    assert found.reason == "total"


async def test_a_total_that_is_not_there_is_no_count() -> None:
    for total in (["meta", "total"], "header:x-total-count"):
        found = await counted(aform(total=total), listed(1))
        assert isinstance(found, CountFailed)
        assert found.reason == "total"


@pytest.mark.parametrize(
    ("form", "document"),
    [
        (
            {"path": ["data"], "match": {"field": "attributes.title", "slot": "message"}},
            {"data": [{"type": "notes", "id": "1", "attributes": {"title": "zebra"}}]},
        ),
        (
            {"path": "$._embedded.items", "match": {"field": ["text"], "slot": "message"}},
            {"_embedded": {"items": [{"text": "zebra"}]}, "_links": {}},
        ),
        (
            {"path": ["results"], "total": ["count"], "next": ["next"]},
            {"count": 1, "next": None, "previous": None, "results": [{"text": "zebra"}]},
        ),
        ({"path": "$.data.items[*]"}, {"data": {"items": [{"text": "zebra"}]}}),
        (
            {"path": "$.items[?(@.kind=='note')]"},
            {"items": [{"kind": "note", "text": "zebra"}, {"kind": "task", "text": "zebra"}]},
        ),
    ],
)
async def test_the_usual_envelopes_are_counted(form: dict[str, Any], document: Any) -> None:
    check_paths(aform(**form))
    found = await counted(aform(**form), httpx.Response(200, json=document))
    assert isinstance(found, Count), found
    assert (found.matching, found.total) == (1, 1)
