import copy
import dataclasses
import json
import pickle  # noqa: TID251  (to see it refused)
import re
from typing import Any

import httpx
import pytest

from cards.errors import BadReadback
from tests.support.sites import aform, answering, asite, messages, names, page, target_of
from verifier.records import Count, CountFailed, check_paths, count

LOGIN_PAGE = '<html><form action="/login"><input type="password"></form></html>'


async def counted(readback: Any, *answers: httpx.Response, text: str = "zebra") -> Any:
    handle, _ = answering(*answers)
    return await count(asite(handle).reader, readback, {"message": text, "room": "a b/c"})


async def test_matching_records_and_all_records_are_counted() -> None:
    found = await counted(aform(), messages("zebra", "lion", "zebra"))
    assert isinstance(found, Count)
    assert (found.matching, found.total) == (2, 3)


async def test_an_empty_collection_has_no_records() -> None:
    found = await counted(aform(), messages())
    assert (found.matching, found.total) == (0, 0)


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


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("$.items[*]", "path"),
        ("$.items[?(@.ok==true)]", "path"),
        ("$.nested[*]", "not_a_collection"),
        ("$.messages[\\text]", "path"),
    ],
)
async def test_a_selection_from_what_is_not_there_is_no_empty_collection(
    path: str, reason: str
) -> None:
    document = {
        "error": "busy",
        "nested": {"text": "zebra"},
        "messages": [{"text": 1}, {"text": "a"}],
    }
    found = await counted(aform(path=path), httpx.Response(200, json=document))
    assert isinstance(found, CountFailed)
    assert found.reason == reason


async def test_an_unreachable_site_is_told() -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no")

    found = await count(asite(refuse).reader, aform(), {"message": "x"})
    assert isinstance(found, CountFailed)
    assert found.reason == "unreachable"


async def test_an_answer_that_is_too_large_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.http.MAX_BODY", 10)
    assert (await counted(aform(), messages("zebra"))).reason == "too_large"


async def test_a_cached_answer_is_counted_where_it_is_asked_for() -> None:
    handle, _ = answering(httpx.Response(200, json={"messages": []}, headers={"age": "7"}))
    found = await count(asite(handle).reader, aform(), {"message": "x"}, from_cache=True)
    assert isinstance(found, Count)
    assert found.cached_s == 7


async def test_a_byte_order_mark_is_no_part_of_the_answer() -> None:
    found = await counted(aform(), httpx.Response(200, content=b'\xef\xbb\xbf{"messages": []}'))
    assert isinstance(found, Count)


async def test_a_failure_repeats_nothing_of_the_answer() -> None:
    found = await counted(aform(), httpx.Response(200, json={"messages": [{"CANARY": "CANARY"}]}))
    assert "CANARY" not in repr(found)


async def test_a_redirect_to_a_login_asks_for_a_login() -> None:
    found = await counted(
        aform(), httpx.Response(302, headers={"location": "/accounts/login/"}), page("<p>Hi</p>")
    )
    assert found.reason == "login"


@pytest.mark.parametrize(
    ("form", "document", "expected"),
    [
        ({"path": ["data", "items"]}, {"data": {"items": [{"text": "zebra"}]}}, (1, 1)),
        ({"path": "$.data[*]"}, {"data": [{"text": "zebra"}, {"text": "x"}]}, (1, 2)),
        ({"path": "$.messages"}, {"messages": [{"text": "zebra"}]}, (1, 1)),
        (
            {"path": "$.messages[?(@.ok==true)]"},
            {"messages": [{"text": "zebra", "ok": True}, {"text": "zebra", "ok": False}]},
            (1, 1),
        ),
        ({"path": "$.messages[?(@.ok==true)]"}, {"messages": []}, (0, 0)),
        (
            {"match": {"field": "title.rendered", "slot": "message"}},
            {"messages": [{"title": {"rendered": "zebra"}}]},
            (1, 1),
        ),
        (
            {"match": {"field": ["title", "rendered"], "slot": "message"}},
            {"messages": [{"title": {"rendered": "zebra"}}]},
            (1, 1),
        ),
        (
            {"match": {"field": "a.b", "slot": "message"}},
            {"messages": [{"a.b": "zebra"}]},
            (1, 1),
        ),
        (
            {"match": {"field": "tags[*]", "slot": "message"}},
            {"messages": [{"tags": ["lion", "zebra"]}, {"tags": []}]},
            (1, 2),
        ),
        (
            {"match": {"field": "created-by", "slot": "message"}},
            {"messages": [{"created-by": "zebra"}]},
            (1, 1),
        ),
        ({"path": []}, [{"text": "zebra"}], (1, 1)),
        ({}, {"messages": [{"text": "zebra"}, {"other": 1}]}, (1, 2)),
    ],
)
async def test_paths_and_fields_lead_to_the_records(
    form: dict[str, Any], document: Any, expected: tuple[int, int]
) -> None:
    found = await counted(aform(**form), httpx.Response(200, json=document))
    assert isinstance(found, Count), found
    assert (found.matching, found.total) == expected


async def test_slots_of_the_url_are_escaped() -> None:
    handle, asked = answering(messages())
    await count(
        asite(handle).reader,
        aform(url="/api/rooms/{room}/messages?q={message}"),
        {"room": "a b/c", "message": "x&y"},
    )
    assert names(asked) == ["GET /api/rooms/a%20b%2Fc/messages?q=x%26y"]


def texts(*ids: int) -> list[dict[str, Any]]:
    return [{"id": n, "text": "zebra"} for n in ids]


def listed(*ids: int, **members: Any) -> httpx.Response:
    """Messages with these ids, each of which matches."""
    return httpx.Response(200, json={"messages": texts(*ids), **members})


def paged(*pages: list[str], **members: Any) -> list[httpx.Response]:
    answers = []
    for number, texts in enumerate(pages):
        last = number == len(pages) - 1
        body = {
            "messages": [{"text": t} for t in texts],
            "next": None if last else f"?page={number + 2}",
        }
        answers.append(httpx.Response(200, content=json.dumps({**body, **members})))
    return answers


async def test_pages_are_followed_by_a_member() -> None:
    found = await counted(aform(next=["next"]), *paged(["zebra"], ["x", "zebra"], ["zebra"]))
    assert (found.matching, found.total) == (3, 4)


async def test_pages_are_followed_by_the_link_header() -> None:
    link = {"link": '</api/messages?page=2>; rel="next", </>; rel="first"'}
    first = httpx.Response(200, json={"messages": [{"text": "zebra"}]}, headers=link)
    found = await counted(aform(next="link"), first, messages("zebra"))
    assert (found.matching, found.total) == (2, 2)


async def test_pages_are_numbered_until_one_is_empty() -> None:
    handle, asked = answering(listed(1), listed(2), listed())
    readback = aform(page={"param": "p", "start": 0})
    found = await count(asite(handle).reader, readback, {"message": "zebra"})
    assert isinstance(found, Count)
    assert (found.matching, found.total) == (2, 2)
    assert names(asked) == [f"GET /api/messages?p={n}" for n in range(3)]


async def test_a_missing_page_after_the_last_ends_numbered_pages() -> None:
    missing = httpx.Response(404, json={"detail": "Invalid page."})
    found = await counted(aform(page={"param": "page"}), listed(1, 2), listed(3), missing)
    assert (found.matching, found.total) == (3, 3)


@pytest.mark.parametrize("status", [403, 500])
async def test_no_other_failure_ends_numbered_pages(status: int) -> None:
    broken = httpx.Response(status)
    found = await counted(aform(page={"param": "page"}), listed(1), broken)
    assert isinstance(found, CountFailed)
    assert found.reason == "http"


async def test_a_first_page_that_is_missing_is_no_empty_collection() -> None:
    found = await counted(aform(page={"param": "page"}), httpx.Response(404, json={}))
    assert isinstance(found, CountFailed)
    assert found.reason == "http"


async def test_a_missing_page_that_was_linked_to_is_no_end() -> None:
    first = httpx.Response(200, json={"messages": [{"text": "zebra"}], "next": "?page=2"})
    found = await counted(aform(next=["next"]), first, httpx.Response(404))
    assert isinstance(found, CountFailed)


async def test_pages_are_followed_by_a_cursor() -> None:
    handle, asked = answering(
        listed(1, meta={"next": "a/b="}), listed(2, meta={"next": 7}), listed(3, meta={"next": ""})
    )
    readback = aform(url="/api/messages?limit=1", cursor={"path": ["meta", "next"], "param": "cur"})
    found = await count(asite(handle).reader, readback, {"message": "zebra"})
    assert isinstance(found, Count)
    assert (found.matching, found.total) == (3, 3)
    assert names(asked) == [
        "GET /api/messages?limit=1",
        "GET /api/messages?limit=1&cur=a%2Fb%3D",
        "GET /api/messages?limit=1&cur=7",
    ]


async def test_a_record_that_moved_to_the_next_page_is_counted_once() -> None:
    found = await counted(
        aform(next=["next"]), listed(1, 2, next="?page=2"), listed(2, 3, next=None)
    )
    assert (found.matching, found.total) == (3, 3)


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ({"next": ["next"]}, {"next": "/api/messages"}),
        ({"cursor": {"path": ["next"], "param": "c"}}, {"next": "same"}),
        ({"page": {"param": "page"}}, {}),
    ],
)
async def test_pages_that_repeat_are_no_count(form: dict[str, Any], answer: Any) -> None:
    handle, asked = answering(listed(1, **answer))
    found = await count(asite(handle).reader, aform(**form), {"message": "x"})
    assert isinstance(found, CountFailed)
    assert found.reason == "pages"
    assert len(asked) < 3


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


async def test_more_records_than_the_total_says_are_no_count() -> None:
    found = await counted(
        aform(next=["next"], total=["total"]),
        listed(1, 2, next="?page=2", total=2),
        listed(3, next=None, total=2),
    )
    assert isinstance(found, CountFailed)
    assert found.reason == "unsteady"


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


async def test_links_of_hal_and_json_api_lead_to_the_next_page() -> None:
    hal = {"_links": {"next": {"href": "?page=2"}}}
    found = await counted(aform(next="$._links.next.href"), listed(1, **hal), listed(2, _links={}))
    assert (found.matching, found.total) == (2, 2)
    api = {"links": {"next": "/api/messages?page%5Bafter%5D=1"}}
    found = await counted(aform(next=["links", "next"]), listed(1, **api), listed(2, links={}))
    assert (found.matching, found.total) == (2, 2)


async def test_a_next_page_elsewhere_is_not_fetched_and_no_count() -> None:
    answer = {"messages": [{"text": "zebra"}], "next": "https://evil.example.test/x"}
    handle, asked = answering(httpx.Response(200, json=answer))
    found = await count(asite(handle).reader, aform(next=["next"]), {"message": "zebra"})
    assert isinstance(found, CountFailed)
    assert found.reason == "off_origin"
    assert len(asked) == 1


async def test_no_more_pages_are_read_than_the_author_allows() -> None:
    endless = (httpx.Response(200, json={"messages": [], "next": f"?p={n}"}) for n in range(50))
    handle, asked = answering(*endless)
    readback = aform(next=["next"], max_pages=4)
    found = await count(asite(handle).reader, readback, {"message": "x"})
    assert len(asked) == 4
    assert isinstance(found, CountFailed)
    assert (found.reason, "after 4 pages" in found.message) == ("pages", True)


async def test_a_window_is_what_the_author_allows_of_it() -> None:
    pages = (listed(n, next=f"?p={n}") for n in range(9))
    found = await counted(aform(next=["next"], max_pages=2, window=True), *pages)
    assert isinstance(found, Count)
    assert found.total == 2


async def test_pages_that_hold_all_that_the_total_says_are_the_whole_collection() -> None:
    numbered = aform(page={"param": "page"}, max_pages=2, total=["total"])
    found = await counted(numbered, listed(1, 2, total=3), listed(3, total=3))
    assert isinstance(found, Count)
    assert (found.matching, found.total) == (3, 3)


async def test_a_last_page_that_is_given_again_ends_pages_whose_total_is_known() -> None:
    numbered = aform(page={"param": "page"}, total=["total"])
    last = listed(3, total=3)
    found = await counted(numbered, listed(1, 2, total=3), last, last)
    assert isinstance(found, Count)
    assert (found.matching, found.total) == (3, 3)


async def test_a_fresh_count_asks_for_what_no_cache_knows() -> None:
    handle, asked = answering(listed(1, next="?page=2&_reqcard=old"), listed(2, next=None))
    readback = aform(url="/api/messages?q=1", next=["next"])
    found = await count(asite(handle).reader, readback, {"message": "zebra"}, fresh=True)
    assert isinstance(found, Count)
    targets = [target_of(request) for request in asked]
    assert [re.sub("[0-9a-f]{16}", "…", target) for target in targets] == [
        "/api/messages?q=1&_reqcard=…",
        "/api/messages?page=2&_reqcard=…",
    ]
    assert targets[0][-16:] != targets[1][-16:]


async def test_a_circle_is_seen_behind_the_words_for_caches() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        return listed(1, next=target_of(request))

    found = await count(asite(handle).reader, aform(next=["next"]), {"message": "x"}, fresh=True)
    assert isinstance(found, CountFailed)
    assert found.reason == "pages"


async def test_a_readback_forces_a_fresh_answer_and_sends_no_condition() -> None:
    handle, asked = answering(httpx.Response(200, json={"messages": []}, headers={"etag": '"v1"'}))
    for _ in range(2):
        await count(asite(handle).reader, aform(), {"message": "x"})
    for request in asked:
        assert request.headers["cache-control"] == "no-cache"
        assert not any(name.startswith("if-") for name in request.headers)


async def test_a_next_page_that_is_no_url_is_no_count() -> None:
    answer = httpx.Response(200, json={"messages": [{"text": "zebra"}], "next": 2})
    found = await counted(aform(next=["next"]), answer)
    assert isinstance(found, CountFailed)
    assert found.reason == "path"


async def test_a_later_page_that_fails_is_no_count() -> None:
    first = httpx.Response(200, json={"messages": [{"text": "zebra"}], "next": "?page=2"})
    found = await counted(aform(next=["next"]), first, httpx.Response(500))
    assert isinstance(found, CountFailed)


@pytest.mark.parametrize("path", ["$.[", "$..[?(", "[?(@.ok=='", "$.a["])
def test_a_jsonpath_that_does_not_parse_is_refused(path: str) -> None:
    with pytest.raises(BadReadback, match="JSONPath"):
        check_paths(aform(path=path))


@pytest.mark.parametrize(
    "path", ["$.m[?(@.ok==True)]", "$.m[?(!@.ok)]", "$.m[?(@.ok == False)]", "$.m[?(@.x==None)]"]
)
def test_a_filter_that_would_silently_find_nothing_is_refused(path: str) -> None:
    with pytest.raises(BadReadback, match="filter"):
        check_paths(aform(path=path))


@pytest.mark.parametrize("path", ["$.m[?(@.ok==true)]", "$.m[?(@.name=='True')]", "$.m[*]"])
def test_a_filter_in_the_words_of_json_is_taken(path: str) -> None:
    check_paths(aform(path=path))


@pytest.mark.parametrize("field", ["created-by", "@id", "first name"])
def test_a_plain_key_needs_not_be_a_path(field: str) -> None:
    check_paths(aform(match={"field": field, "slot": "message"}))


@pytest.mark.parametrize(
    "form", [{"total": "$.["}, {"cursor": {"path": "$.[", "param": "c"}}, {"next": "$.["}]
)
def test_every_path_of_a_readback_is_parsed_beforehand(form: dict[str, Any]) -> None:
    with pytest.raises(BadReadback, match="JSONPath"):
        check_paths(aform(**form))


def test_a_change_and_a_header_are_taken() -> None:
    check_paths(aform(expect="change", total="header:X-Total-Count", next="link"))


async def test_a_count_is_not_copied() -> None:
    found = await counted(aform(), messages("zebra"))
    for act in (copy.copy, copy.deepcopy, pickle.dumps, dataclasses.replace):
        with pytest.raises((TypeError, ValueError)):
            act(found)


def test_a_count_is_made_by_counting_alone() -> None:
    with pytest.raises(TypeError):
        Count(1, 1, 1, None, 0, object())  # type: ignore[arg-type]
