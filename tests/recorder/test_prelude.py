import tracemalloc
from typing import Any

import pytest

from recorder.answers import MAX_ANSWER
from recorder.prelude import Prelude
from tests.recorder.traffic import (
    ORIGIN,
    aget,
    ananswer,
    aprelude,
    arequest,
    only_source,
    sent_in_header,
    sources,
    stripped,
)

TOKEN = "tok-9Xy4ZZ81bcd07"
OTHER = "tok-1Ab2CC33dde44"


def test_a_meta_tag_is_a_source() -> None:
    page = (aget("/messages"), ananswer(f'<meta name="csrf-token" content="{TOKEN}">'))
    source = only_source(sent_in_header(TOKEN, page))
    assert source == {"kind": "meta", "page": {"path": ["messages"]}, "name": "csrf-token"}


def test_a_json_leaf_is_a_source_with_its_keys() -> None:
    answer = (aget("/api/config"), ananswer({"a": {"token": TOKEN}}))
    source = only_source(sent_in_header(TOKEN, answer))
    assert source == {"kind": "json", "page": {"path": ["api", "config"]}, "path": ["a", "token"]}


def test_a_key_that_carries_a_value_makes_no_path() -> None:
    answer = (aget("/api/config"), ananswer({"users": {"4711": {"token": TOKEN}}}))
    assert sent_in_header(TOKEN, answer).contract.unresolved == ("header:x-csrf-token",)


def test_an_item_of_a_list_is_no_source() -> None:
    answer = (aget("/api/all"), ananswer([{"token": TOKEN}, {"token": OTHER}]))
    assert sent_in_header(TOKEN, answer).contract.unresolved == ("header:x-csrf-token",)


def test_a_response_header_is_a_source_and_the_cookie_of_like_name_stays_away() -> None:
    answer = ananswer(
        {}, headers=[("X-CSRFToken", TOKEN), ("Set-Cookie", f"csrftoken={OTHER}; HttpOnly")]
    )
    result = sent_in_header(TOKEN, (aget("/api/"), answer), headers={"cookie": "csrftoken=x"})
    source = only_source(result)
    assert source == {"kind": "header", "page": {"path": ["api", ""]}, "name": "x-csrftoken"}


def test_a_header_that_was_asked_for_is_asked_for_again() -> None:
    request = aget("/odata/", x_csrf_token="Fetch")
    answer = ananswer({}, headers=[("x-csrf-token", TOKEN)])
    assert only_source(sent_in_header(TOKEN, (request, answer)))["ask"] is True


def test_a_cookie_of_a_page_names_the_page_that_renews_it() -> None:
    answer = ananswer("", headers=[("set-cookie", "XSRF-TOKEN=a%2Bb%2F9zQ%3D; Path=/")])
    result = sent_in_header("a+b/9zQ=", (aget("/tasks"), answer))
    live = next(iter(result.contract.live.values()))
    assert live.decode == ("url",)
    assert only_source(result) == {
        "kind": "cookie",
        "name": "XSRF-TOKEN",
        "page": {"path": ["tasks"]},
    }


@pytest.mark.parametrize("changes", [{"status": 302}, {"status": 500}])
def test_a_cookie_set_by_what_cannot_be_fetched_has_no_page(changes: Any) -> None:
    answer = ananswer("", headers=[("set-cookie", f"csrf={TOKEN}")], **changes)
    source = only_source(sent_in_header(TOKEN, (aget("/login"), answer)))
    assert source == {"kind": "cookie", "name": "csrf"}


def test_a_cookie_that_the_browser_had_before_is_a_source_by_its_name() -> None:
    result = sent_in_header(TOKEN, headers={"cookie": f"theme=dark; csrftoken={TOKEN}"})
    assert only_source(result) == {"kind": "cookie", "name": "csrftoken"}


def test_cookies_split_over_several_headers_are_all_read() -> None:
    headers = (("cookie", "sid=S1CANARY"), ("cookie", f"csrf={TOKEN}; sid=S2"), ("x-t", TOKEN))
    result = stripped(arequest(body={}, headers=headers))
    assert only_source(result) == {"kind": "cookie", "name": "csrf"}
    assert "CANARY" not in str(result.contract.pretty())


def test_two_cookies_of_one_name_are_one_name() -> None:
    answer = ananswer(
        "",
        headers=[("set-cookie", f"t={OTHER}; Path=/"), ("set-cookie", f"t={TOKEN}; Path=/app")],
    )
    assert only_source(sent_in_header(TOKEN, (aget("/app/"), answer)))["name"] == "t"


def test_a_cookie_goes_before_any_other_place() -> None:
    page = ananswer(
        f'<meta name="csrf-token" content="{TOKEN}">', headers=[("set-cookie", f"csrf={TOKEN}")]
    )
    assert only_source(sent_in_header(TOKEN, (aget("/x"), page)))["kind"] == "cookie"


def test_the_page_of_the_action_goes_before_a_later_one() -> None:
    html = f'<meta name="csrf-token" content="{TOKEN}">'
    pages = [(aget(path), ananswer(html)) for path in ("/first", "/second", "/third")]
    assert only_source(sent_in_header(TOKEN, *pages))["page"] == {"path": ["third"]}
    source = only_source(sent_in_header(TOKEN, *pages, page="/second"))
    assert source["page"] == {"path": ["second"]}


@pytest.mark.parametrize("answer", [{"status": 404}, {"status": 201}])
def test_an_answer_that_was_no_200_is_no_source(answer: Any) -> None:
    page = ananswer(f'<meta name="csrf" content="{TOKEN}">', **answer)
    assert sources(sent_in_header(TOKEN, (aget("/x"), page))) == {}


@pytest.mark.parametrize(
    ("prefix", "issued", "decode"),
    [
        ("Bearer ", TOKEN, ()),
        ("Token ", TOKEN, ()),
        ("", "tok%2D9Xy4ZZ81bcd07", ("url",)),
        ("", "dG9rLTlYeTRaWjgxYmNkMDc=", ("base64",)),
        ("", "tok&#45;9Xy4ZZ81bcd07", ("html",)),
        ("", '"tok-9Xy4ZZ81bcd07"', ("json",)),
    ],
)
def test_a_value_is_known_in_its_other_spellings(prefix: Any, issued: str, decode: Any) -> None:
    answer = (aget("/api/me"), ananswer({"token": issued}))
    request = arequest(body={}, headers={"authorization": prefix + TOKEN})
    result = stripped(request, prelude=aprelude(answer))
    (live,) = result.contract.live.values()
    assert (live.prefix, live.decode) == (prefix, decode)


def test_authorization_without_a_source_is_unresolved() -> None:
    result = stripped(arequest(body={}, headers={"authorization": f"Bearer {TOKEN}"}))
    assert result.contract.unresolved == ("header:authorization",)
    assert TOKEN not in str(result.contract.pretty())


# -- accidents


def test_an_everyday_word_is_no_live_value_by_accident() -> None:
    prelude = aprelude(
        (aget("/api/messages"), ananswer({"messages": [{"room": "general"}]})),
        (aget("/api/me"), ananswer({"default": "general", "lang": "english"})),
    )
    result = stripped(arequest(body={"room": "general", "lang": "english"}), prelude=prelude)
    assert set(result.contract.slots) == {"room"}
    assert set(sources(result)) == {"lang"}


def test_what_the_person_went_to_is_a_slot_though_an_answer_repeats_it() -> None:
    room = "5f2b1c9e8a7d4b3c2e1f0a9b"
    prelude = aprelude(
        (aget(f"/rooms/{room}"), ananswer("<p>")), (aget("/api/last"), ananswer({"room": room}))
    )
    request = arequest(f"/api/rooms/{room}/messages", {"text": "x"}, page=f"/rooms/{room}")
    result = stripped(request, prelude=prelude)
    assert sources(result) == {}
    assert result.contract.pretty()["target"]["path"][2] == {"slot": "rooms"}


def test_a_source_whose_own_url_holds_the_value_is_none() -> None:
    room = "5f2b1c9e8a7d4b3c2e1f0a9b"
    prelude = aprelude((aget(f"/api/rooms/{room}"), ananswer({"id": room})))
    assert sources(stripped(arequest(f"/rooms/{room}/x", {}), prelude=prelude)) == {}
    assert prelude.known_in_urls(room)


# -- cost


def test_big_and_mute_bodies_are_not_kept() -> None:
    prelude = Prelude(ORIGIN)
    big = b"x" * (MAX_ANSWER + 1)
    tracemalloc.start()
    for number in range(200):
        prelude.saw(aget(f"/a/{number}"), ananswer(bytes(1_000_000), "image/png"))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 20_000_000
    prelude.saw(aget("/big"), ananswer(big))
    assert not prelude.issued("x" * 20)


def test_memory_is_bounded_and_the_newest_stay() -> None:
    prelude = Prelude(ORIGIN)
    filler = f'<meta name="f" content="{"y" * 7_000_000}">'
    prelude.saw(aget("/old"), ananswer('<meta name="csrf" content="old-token-123">'))
    assert prelude.issued("old-token-123")
    for number in range(12):
        prelude.saw(aget(f"/page{number}"), ananswer(filler))
    prelude.saw(aget("/new"), ananswer('<meta name="csrf" content="new-token-456">'))
    assert prelude.issued("new-token-456")
    assert not prelude.issued("old-token-123")
    assert prelude.pages[-1] == "/new"


def test_nothing_of_the_prelude_is_shown() -> None:
    prelude = aprelude((aget("/x"), ananswer(f'<meta name="csrf" content="{TOKEN}">')))
    found = prelude.find(TOKEN, field="header:x-csrf", request=arequest(body={}))
    assert found is not None
    assert TOKEN not in repr(prelude)
    assert "/x" not in repr(found)
