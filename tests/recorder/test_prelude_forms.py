from recorder.stripping import Stripped
from tests.recorder.traffic import (
    aget,
    ananswer,
    aprelude,
    arequest,
    declared,
    only_source,
    sent_in_header,
    shape,
    sources,
    stripped,
)

TOKEN = "tok-9Xy4ZZ81bcd07"
OTHER = "tok-1Ab2CC33dde44"


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


def test_the_same_hidden_field_twice_is_told_by_its_number() -> None:
    page = (
        '<form action="/items" method="post"><input type=hidden name=k value=key-a1b2c3>'
        "<input type=hidden name=k value=key-d4e5f6></form>"
    )
    result = sent_as_form("k=key-a1b2c3&k=key-d4e5f6", page)
    assert [source.get("nth", 0) for source in sources(result).values()] == [0, 1]
    assert [pair["value"] for pair in shape(result)["pairs"]] == [{"live": "k"}, {"live": "k_2"}]
