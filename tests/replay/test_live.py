import asyncio
from typing import Any

import httpx
import pytest

from cards.holes import LiveRef, Slot, SlotRef
from cards.shapes import FormBody, JsonBody, ObjectShape, Pair, Pairs, Target
from cards.sources import (
    CookieSource,
    FormFieldSource,
    HeaderSource,
    JsonSource,
    LiveValue,
    MetaSource,
    ScriptSource,
    Source,
    StorageSource,
    TextSource,
)
from replay.filling import Filling
from replay.live import LiveValues, Missing, SignedOut, fetch_live
from tests.support.builders import acontract
from tests.support.sites import alogin, answering, asite, names, page
from verifier.login import CookieRecord, Login

PAGE = Target(path=("items", "new"))
META = MetaSource(kind="meta", page=PAGE, name="csrf")
FIELD = FormFieldSource(kind="form_field", page=PAGE, name="t", submits_here=True)
JSON = JsonSource(kind="json", page=PAGE, path=("data", "token"))
HEADER = HeaderSource(kind="header", page=PAGE, name="x-csrf-token")
TEXT = TextSource(kind="text", page=PAGE)
SCRIPT = ScriptSource(kind="script", page=PAGE, place="assigned", name="config", path=("csrf",))


def fetched(
    source: Source,
    *answers: httpx.Response,
    login: Login | None = None,
    live: dict[str, Any] | None = None,
) -> Any:
    value = LiveValue(source=source, **(live or {}))
    contract = acontract(
        target=Target(path=("items",)),
        live={"token": value},
        custom_headers={"x-token": LiveRef(live="token")},
    )
    handle, _ = answering(*answers)
    holder = login or alogin()
    site = asite(handle, holder)
    filling = Filling(contract, {"message": "zebra"})
    return asyncio.run(fetch_live(site.reader, holder, filling, timeout=5))


def token(*arguments: Any, **more: Any) -> str:
    found = fetched(*arguments, **more)
    assert isinstance(found, LiveValues), found
    return found.values["token"]


OWN = '<form action="/items" method="post"><input type="hidden" name="t" value="two"></form>'
OTHER = '<form action="/search" method="post"><input type="hidden" name="t" value="one"></form>'


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (META, page('<meta name="csrf" content="two">')),
        (FIELD, page(OTHER + OWN)),
        (JSON, httpx.Response(200, json={"data": {"token": "two"}})),
        (JSON, httpx.Response(200, content=b")]}',\n" + b'{"data": {"token": "two"}}')),
        (HEADER, page("<p>", **{"X-CSRF-Token": "two"})),
        (TEXT, httpx.Response(200, text="two\n")),
        (SCRIPT, page('<script>var config = {"csrf": "two"};</script>')),
    ],
)
def test_each_source_gives_its_value(source: Source, answer: httpx.Response) -> None:
    assert token(source, answer) == "two"


def test_a_cookie_is_read_after_the_page_that_renews_it() -> None:
    source = CookieSource(kind="cookie", name="xsrf", page=PAGE)
    assert token(source, page("<p>", **{"set-cookie": "xsrf=new; Path=/"})) == "new"


def test_of_two_cookies_the_one_for_the_action_counts() -> None:
    cookies = (
        CookieRecord("csrftoken", "one", "app.example.test"),
        CookieRecord("csrftoken", "two", "app.example.test", path="/items"),
    )
    source = CookieSource(kind="cookie", name="csrftoken")
    assert token(source, page("<p>"), login=alogin(*cookies)) == "two"


@pytest.mark.parametrize("source", [CookieSource(kind="cookie", name="csrftoken"), FIELD])
def test_a_source_is_found_though_the_actions_query_holds_live_values(source: Source) -> None:
    query = Pairs(pairs=(Pair(name="trace", value=LiveRef(live="trace")),))
    contract = acontract(
        target=Target(path=("items",), query=query),
        live={
            "csrf_token": LiveValue(source=source),
            "trace": LiveValue(source=META),
        },
    )
    handle, _ = answering(page('<meta name="csrf" content="one">' + OWN))
    site = asite(handle, alogin(CookieRecord("csrftoken", "two", "app.example.test")))
    found = asyncio.run(
        fetch_live(site.reader, site.login, Filling(contract, {"message": "x"}), timeout=5)
    )
    assert isinstance(found, LiveValues)
    assert found.values == {"csrf_token": "two", "trace": "one"}


@pytest.mark.parametrize(
    ("issued", "live", "expected"),
    [
        ("a%2Bb%3D", {"decode": ("url",)}, "a+b="),
        ("eyJhIjoxMjM0NX0=", {"decode": ("base64",)}, '{"a":12345}'),
        ("plain", {"decode": ("url",)}, "plain"),
        ("plain", {"prefix": "Bearer "}, "Bearer plain"),
    ],
)
def test_a_value_is_decoded_and_prefixed_as_it_is_sent(
    issued: str, live: dict[str, Any], expected: str
) -> None:
    assert token(META, page(f'<meta name="csrf" content="{issued}">'), live=live) == expected


def test_a_header_may_have_to_be_asked_for() -> None:
    asked = HeaderSource(kind="header", page=PAGE, name="x-csrf-token", ask=True)

    def handle(request: httpx.Request) -> httpx.Response:
        wanted = request.headers.get("x-csrf-token") == "fetch"
        return httpx.Response(200, headers={"x-csrf-token": "two"} if wanted else {})

    contract = acontract(live={"csrf_token": LiveValue(source=asked)})
    site = asite(handle)
    found = asyncio.run(
        fetch_live(site.reader, site.login, Filling(contract, {"message": "x"}), timeout=5)
    )
    assert isinstance(found, LiveValues)
    assert found.values["csrf_token"] == "two"


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (META, page("<p>nothing</p>")),
        (META, httpx.Response(404, html='<meta name="csrf" content="two">')),
        (META, httpx.Response(410)),
        (FIELD, page(OTHER)),
        (FIELD, page(OWN.replace("post", "get"))),
        (JSON, httpx.Response(200, json={"data": {}})),
        (JSON, httpx.Response(200, json={"data": {"token": None}})),
        (JSON, httpx.Response(200, json={"data": {"token": {}}})),
        (JSON, page("<p>")),
        (HEADER, page("<p>")),
    ],
)
def test_a_value_that_is_gone_is_never_guessed(source: Source, answer: httpx.Response) -> None:
    found = fetched(source, answer)
    assert isinstance(found, Missing)
    assert found.reason == "gone"
    assert "token" in found.message
    assert "/items/new" in found.message


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503])
@pytest.mark.parametrize("source", [META, CookieSource(kind="cookie", name="none", page=PAGE)])
def test_a_page_in_trouble_may_be_tried_again(source: Source, status: int) -> None:
    found = fetched(source, httpx.Response(status))
    assert isinstance(found, Missing)
    assert (found.reason, str(status) in found.message) == ("unreachable", True)


@pytest.mark.parametrize(
    "answer", [httpx.Response(403), httpx.Response(302, headers={"location": "/welcome"})]
)
def test_a_page_that_is_not_shown_says_nothing_of_the_card(answer: httpx.Response) -> None:
    found = fetched(META, answer, answer if answer.status_code == 403 else page("<p>hello</p>"))
    assert isinstance(found, Missing)
    assert found.reason == "refused"


def test_a_value_that_is_no_text_is_not_taken() -> None:
    html = '<meta name="csrf" content="&quot;\\ud800&quot;">'
    found = fetched(META, page(html), live={"decode": ("json",)})
    assert isinstance(found, Missing)


CONFIRMED = OWN.replace("</form>", '<input type="password" name="current"></form>')


def test_a_form_of_the_cards_own_may_ask_for_the_password() -> None:
    source = FIELD.model_copy(update={"fields": ("t", "current")})
    assert token(source, page(CONFIRMED)) == "two"


@pytest.mark.parametrize(
    "source",
    [
        META,
        FIELD.model_copy(update={"fields": ("t", "title")}),
        FIELD.model_copy(update={"submits_here": False, "fields": ("t", "current")}),
    ],
)
def test_a_login_shown_in_place_of_the_form_is_a_login(source: Source) -> None:
    html = '<meta name="csrf" content="one">' + CONFIRMED
    assert isinstance(fetched(source, page(html)), SignedOut)


def test_a_button_may_make_its_form_post() -> None:
    button = '<button name="t" value="two" formaction="/items" formmethod="post">'
    assert token(FIELD, page(f'<form action="/search">{button}</form>')) == "two"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # CSRF-04: a form for each record, and a search beside them.
        (OTHER + OWN + OWN.replace("/items", "/items/1").replace("two", "three"), "two"),
        # CSRF-05: without quotes, and entities are decoded once.
        (OWN.replace('"hidden"', "hidden").replace("two", "ab&#x2B;/c&#61;&#61;"), "ab+/c=="),
        (OWN.replace("two", "&amp;amp;"), "&amp;"),
    ],
)
def test_a_field_is_read_as_a_browser_reads_it(html: str, expected: str) -> None:
    assert token(FIELD, page(html)) == expected


@pytest.mark.parametrize(
    ("source", "html"),
    [
        (META, '<meta name="csrf" content="one"><meta name="csrf" content="two">'),
        (FIELD, OWN + OWN.replace("two", "three")),
    ],
)
def test_a_value_that_is_there_twice_is_ambiguous(source: Source, html: str) -> None:
    found = fetched(source, page(html))
    assert isinstance(found, Missing)
    assert found.reason == "ambiguous"


def test_the_names_of_its_fields_tell_a_form_from_another() -> None:
    source = FIELD.model_copy(update={"fields": ("t", "title")})
    other = OWN.replace('value="two"', 'value="three"><input name="comment"')
    own = OWN.replace("</form>", '<input name="title"></form>')
    assert token(source, page(other + own)) == "two"


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(401),
        page('<form><input type="password"></form>'),
        httpx.Response(302, headers={"location": "/login"}),
    ],
)
def test_a_login_page_asks_for_a_login(answer: httpx.Response) -> None:
    assert isinstance(fetched(META, answer, page("<p>sign in</p>")), SignedOut)


def test_a_login_without_the_cookie_asks_for_a_login() -> None:
    assert isinstance(fetched(CookieSource(kind="cookie", name="none"), page("<p>")), SignedOut)


def test_a_page_elsewhere_is_refused() -> None:
    found = fetched(META, httpx.Response(302, headers={"location": "https://evil.test/"}))
    assert isinstance(found, Missing)
    assert found.reason == "off_origin"


def test_one_page_is_fetched_once_for_all_its_values() -> None:
    contract = acontract(
        live={"csrf_token": LiveValue(source=META), "other": LiveValue(source=FIELD)},
        target=Target(path=("items",)),
        body=FormBody(
            kind="form",
            content=Pairs(
                pairs=(
                    Pair(name="text", value=SlotRef(slot="message")),
                    Pair(name="t", value=LiveRef(live="other")),
                )
            ),
        ),
    )
    handle, asked = answering(page('<meta name="csrf" content="one">' + OWN))
    site = asite(handle)
    found = asyncio.run(
        fetch_live(site.reader, site.login, Filling(contract, {"message": "x"}), timeout=5)
    )
    assert isinstance(found, LiveValues)
    assert found.values == {"csrf_token": "one", "other": "two"}
    assert names(asked) == ["GET /items/new"]


def test_a_pages_url_may_use_a_slot() -> None:
    source = META.model_copy(update={"page": Target(path=("rooms", SlotRef(slot="room")))})
    shape: Any = {"text": SlotRef(slot="message"), "room": SlotRef(slot="room")}
    contract = acontract(
        live={"csrf_token": LiveValue(source=source)},
        slots={"message": Slot(), "room": Slot()},
        body=JsonBody(kind="json", content=ObjectShape(object=shape)),
    )
    handle, asked = answering(page('<meta name="csrf" content="one">'))
    site = asite(handle)
    values: Any = {"message": "x", "room": "a b"}
    asyncio.run(fetch_live(site.reader, site.login, Filling(contract, values), timeout=5))
    assert names(asked) == ["GET /rooms/a%20b"]


def test_the_age_of_a_cached_page_is_told() -> None:
    found = fetched(META, page('<meta name="csrf" content="two">', age="300"))
    assert found.oldest_s == 300


def test_what_was_found_says_nothing_of_itself() -> None:
    assert "two" not in repr(fetched(META, page('<meta name="csrf" content="two">')))


def stored(*items: tuple[str, str]) -> Login:
    return Login("a", (), {"https://app.example.test": dict(items)})


@pytest.mark.parametrize(
    ("path", "item"), [((), "two"), (("state", "token"), '{"state": {"token": "two"}}')]
)
def test_a_token_comes_from_the_logins_storage(path: tuple[str, ...], item: str) -> None:
    source = StorageSource(kind="storage", area="local", key="auth", path=path)
    found = token(source, login=stored(("auth", item)), live={"prefix": "Bearer "})
    assert found == "Bearer two"


def test_a_login_without_the_item_is_signed_out() -> None:
    source = StorageSource(kind="storage", area="session", key="auth")
    found = fetched(source, login=stored(("auth", "two")))
    assert found == SignedOut("The login has no sessionStorage item from which token is made.")


def test_a_token_that_has_expired_is_told_before_anything_is_sent() -> None:
    source = StorageSource(kind="storage", area="local", key="auth")
    ended = "eyJhbGciOiJub25lIn0.eyJleHAiOjF9.c2ln"
    found = fetched(source, login=stored(("auth", ended)))
    assert found == SignedOut("The token of token has expired.")


def test_a_script_with_two_values_under_the_name_is_ambiguous() -> None:
    two = '<script>var config = {"csrf": "a"}; config = {"csrf": "b"};</script>'
    found = fetched(SCRIPT, page(two))
    assert isinstance(found, Missing)
    assert found.reason == "ambiguous"
