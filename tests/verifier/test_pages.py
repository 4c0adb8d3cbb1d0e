import json
from typing import Any

import httpx
import pytest

from tests.support.counting import counted, listed
from tests.support.sites import aform, answering, asite, messages, names, target_of
from verifier.records import Count, CountFailed, count


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


async def test_more_records_than_the_total_says_are_no_count() -> None:
    found = await counted(
        aform(next=["next"], total=["total"]),
        listed(1, 2, next="?page=2", total=2),
        listed(3, next=None, total=2),
    )
    assert isinstance(found, CountFailed)
    assert found.reason == "unsteady"


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


async def test_a_circle_is_seen_behind_the_words_for_caches() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        return listed(1, next=target_of(request))

    found = await count(asite(handle).reader, aform(next=["next"]), {"message": "x"}, fresh=True)
    assert isinstance(found, CountFailed)
    assert found.reason == "pages"


async def test_a_next_page_that_is_no_url_is_no_count() -> None:
    answer = httpx.Response(200, json={"messages": [{"text": "zebra"}], "next": 2})
    found = await counted(aform(next=["next"]), answer)
    assert isinstance(found, CountFailed)
    assert found.reason == "path"


async def test_a_later_page_that_fails_is_no_count() -> None:
    first = httpx.Response(200, json={"messages": [{"text": "zebra"}], "next": "?page=2"})
    found = await counted(aform(next=["next"]), first, httpx.Response(500))
    assert isinstance(found, CountFailed)
