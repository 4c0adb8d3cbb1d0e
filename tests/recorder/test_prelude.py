import tracemalloc
from typing import Any

import pytest

from recorder.answers import MAX_ANSWER
from recorder.prelude import Prelude
from recorder.stripping import Stripped
from tests.recorder.traffic import (
    ORIGIN,
    aget,
    ananswer,
    aprelude,
    arequest,
    declared,
    shape,
    stripped,
)

TOKEN = "tok-9Xy4ZZ81bcd07"
OTHER = "tok-1Ab2CC33dde44"


def sources(result: Stripped) -> dict[str, Any]:
    live = result.contract.pretty().get("live", {})
    return {name: value["source"] for name, value in live.items()}


def only_source(result: Stripped) -> Any:
    (source,) = sources(result).values()
    return source


def sent_in_header(value: str, *exchanges: Any, **changes: Any) -> Stripped:
    headers = {"x-csrf-token": value, **changes.pop("headers", {})}
    request = arequest(body={"text": "zebra"}, headers=headers, **changes)
    return stripped(request, declared(message="zebra"), prelude=aprelude(*exchanges))


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


# -- forms

TWO_FORMS = """<!doctype html><meta name="csrf-token" content="TOKEN-META-11">
<form action="/search"><input type="hidden" name="authenticity_token" value="TOKEN-SEARCH-1">
<input name="q"></form>
<form action="/items" method="post">
<input type="hidden" name="authenticity_token" value="TOKEN-ITEMS-12"><input name="title"></form>
<form action="/items/1" method="post"><input type="hidden" name="_method" value="delete">
<input type="hidden" name="authenticity_token" value="TOKEN-DELETE-1"></form>"""


def sent_as_form(body: str, page: str, target: str = "/items") -> Stripped:
    prelude = aprelude((aget("/items/new"), ananswer(page)))
    request = arequest(target, body, page="/items/new")
    return stripped(request, declared(title="zebra"), prelude=prelude)


def test_the_token_of_the_form_that_submits_here_is_taken() -> None:
    result = sent_as_form("authenticity_token=TOKEN-ITEMS-12&title=zebra", TWO_FORMS)
    assert only_source(result) == {
        "kind": "form_field",
        "page": {"path": ["items", "new"]},
        "name": "authenticity_token",
        "submits_here": True,
        "fields": ["authenticity_token", "title"],
    }


def test_a_masked_token_is_known_by_its_name_and_place() -> None:
    result = sent_as_form("authenticity_token=MASKED-77aa88&title=zebra", TWO_FORMS)
    assert only_source(result)["submits_here"] is True


def test_a_masked_header_is_known_by_the_meta_tag_that_it_mirrors() -> None:
    page = (aget("/x"), ananswer(f'<meta name="csrf-token" content="{OTHER}">'))
    assert only_source(sent_in_header(TOKEN, page))["name"] == "csrf-token"


def test_a_meta_tag_may_name_the_header_that_its_neighbour_is_sent_in() -> None:
    html = f'<meta name="_csrf" content="{OTHER}"><meta name="_csrf_header" content="X-CSRF-TOKEN">'
    assert only_source(sent_in_header(TOKEN, (aget("/x"), ananswer(html))))["name"] == "_csrf"


def test_entities_are_decoded_once() -> None:
    page = (
        '<form action="/items" method="post">'
        "<input type=hidden name=_token value='ab&#x2B;/c9&#61;&#61;'></form>"
    )
    result = sent_as_form("_token=ab%2B%2Fc9%3D%3D", page)
    (live,) = result.contract.live.values()
    assert (live.source.kind, live.decode) == ("form_field", ())


def test_short_defaults_come_only_from_the_form_that_is_submitted() -> None:
    page = (
        '<form action="/items" method="post"><input name="qty" value="1"><input name="size">'
        '<button name="_save" value="Go">Go</button></form>'
        '<form action="/other" method="post"><input name="size" value="m"></form>'
    )
    result = sent_as_form("qty=1&size=m&_save=Go", page)
    assert set(sources(result)) == {"qty", "_save"}
    assert set(result.contract.slots) == {"size"}


def test_a_choice_of_the_person_is_a_slot_and_the_pages_own_choice_is_live() -> None:
    page = (
        '<form action="/items" method="post">'
        "<select name=a><option>one<option selected>two</select>"
        "<select name=b><option value=1>x<option value=2>y</select>"
        "<input type=radio name=c value=u checked><input type=radio name=c value=v></form>"
    )
    result = sent_as_form("a=two&b=2&c=v", page)
    assert set(sources(result)) == {"a"}
    assert set(result.contract.slots) == {"b", "c"}


def test_two_forms_that_nothing_tells_apart_are_no_source() -> None:
    form = '<form action="/items" method="post"><input name=row value=%s></form>'
    page = form % "row-a1b2c3" + form % "row-d4e5f6"
    result = sent_as_form("row=row-a1b2c3", page)
    assert sources(result) == {}


def test_the_form_of_a_page_with_an_identifier_shares_the_slot() -> None:
    html = (
        f'<form action="/rooms/42/post" method=post><input type=hidden name=t value={TOKEN}></form>'
    )
    prelude = aprelude((aget("/rooms/42/new"), ananswer(html)))
    result = stripped(arequest("/rooms/42/post", f"t={TOKEN}"), prelude=prelude)
    assert only_source(result)["page"]["path"] == ["rooms", {"slot": "rooms"}, "new"]
    assert set(result.contract.slots) == {"rooms"}


def test_a_page_may_bring_a_slot_of_its_own() -> None:
    prelude = aprelude(
        (aget("/projects/77/new?tab=files"), ananswer(f'<meta name="csrf" content="{TOKEN}">'))
    )
    result = stripped(arequest(body={}, headers={"x-csrf": TOKEN}), prelude=prelude)
    assert set(result.contract.slots) == {"projects", "tab"}
    assert result.script_fields == ()


def test_a_page_whose_url_holds_a_token_is_no_source() -> None:
    page = (aget(f"/x?key={OTHER}99887766"), ananswer(f'<meta name="csrf" content="{TOKEN}">'))
    result = stripped(arequest(body={}, headers={"x-csrf": TOKEN}), prelude=aprelude(page))
    assert sources(result) == {}


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


def test_the_same_hidden_field_twice_is_told_by_its_number() -> None:
    page = (
        '<form action="/items" method="post"><input type=hidden name=k value=key-a1b2c3>'
        "<input type=hidden name=k value=key-d4e5f6></form>"
    )
    result = sent_as_form("k=key-a1b2c3&k=key-d4e5f6", page)
    assert [source.get("nth", 0) for source in sources(result).values()] == [0, 1]
    assert [pair["value"] for pair in shape(result)["pairs"]] == [{"live": "k"}, {"live": "k_2"}]
