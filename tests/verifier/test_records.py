import copy
import dataclasses
import pickle  # noqa: TID251  (to see it refused)
import re
from typing import Any

import httpx
import pytest

from cards.errors import BadReadback
from tests.support.counting import counted, listed
from tests.support.sites import aform, answering, asite, messages, names, page, target_of
from verifier.records import Count, CountFailed, check_paths, count


async def test_matching_records_and_all_records_are_counted() -> None:
    found = await counted(aform(), messages("zebra", "lion", "zebra"))
    assert isinstance(found, Count)
    assert (found.matching, found.total) == (2, 3)


async def test_an_empty_collection_has_no_records() -> None:
    found = await counted(aform(), messages())
    assert (found.matching, found.total) == (0, 0)


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


async def test_a_readback_forces_a_fresh_answer_and_sends_no_condition() -> None:
    handle, asked = answering(httpx.Response(200, json={"messages": []}, headers={"etag": '"v1"'}))
    for _ in range(2):
        await count(asite(handle).reader, aform(), {"message": "x"})
    for request in asked:
        assert request.headers["cache-control"] == "no-cache"
        assert not any(name.startswith("if-") for name in request.headers)


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
