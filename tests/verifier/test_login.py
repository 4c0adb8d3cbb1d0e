import copy
import json
import pickle  # noqa: TID251  (to see it refused)
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.errors import PydanticSchemaGenerationError

from cards.origin import Origin
from verifier.login import CookieRecord, Login

APP = Origin.parse("https://app.example.test")
LOOPBACK = Origin.parse("http://127.0.0.1:8000")
LOCALHOST = Origin.parse("http://localhost:8000")
IPV6 = Origin.parse("http://[::1]:8000")
EVERY_KIND_OF_HOST = [APP, LOOPBACK, LOCALHOST, IPV6, Origin.parse("http://printer.local")]


def acookie(name: str = "sid", value: str = "SECRET", **changes: object) -> CookieRecord:
    members: dict[str, object] = {"name": name, "value": value, "domain": "app.example.test"}
    return CookieRecord(**{**members, **changes})  # type: ignore[arg-type]


def header(origin: Origin, *cookies: CookieRecord, target: str = "/") -> str:
    return Login("x", cookies).cookie_header(origin, target)


def test_a_cookie_goes_to_its_host() -> None:
    assert header(APP, acookie()) == "sid=SECRET"


@pytest.mark.parametrize(
    ("origin", "cookie"),
    [
        ("https://other.example.test", acookie()),
        ("https://example.test", acookie()),
        ("https://below.app.example.test", acookie()),
        ("https://evilapp.example.test", acookie(host_only=False)),
        ("http://app.example.test", acookie(secure=True)),
        ("https://app.example.test", acookie(path="/admin")),
        ("https://app.example.test", acookie(expires=1.0)),
    ],
)
def test_a_cookie_goes_nowhere_else(origin: str, cookie: CookieRecord) -> None:
    assert header(Origin.parse(origin), cookie) == ""


def test_a_domain_cookie_goes_below_its_domain() -> None:
    cookie = acookie(domain="example.test", host_only=False)
    assert header(APP, cookie) == "sid=SECRET"


@pytest.mark.parametrize("origin", [LOOPBACK, LOCALHOST, IPV6, Origin.parse("http://[::1]")])
def test_a_secure_cookie_goes_to_loopback_over_http(origin: Origin) -> None:
    assert header(origin, acookie(domain=origin.host, secure=True)) == "sid=SECRET"


def test_two_cookies_of_one_name_go_together_longest_path_first() -> None:
    cookies = (acookie("csrftoken", "one"), acookie("csrftoken", "two", path="/app"))
    login = Login("x", cookies)
    assert login.cookie_header(APP, "/app/x") == "csrftoken=two; csrftoken=one"
    assert login.cookie(APP, "/app/x", "csrftoken") == "two"


def test_a_cookie_that_is_not_there_is_none() -> None:
    assert Login("x", [acookie()]).cookie(APP, "/", "other") is None


@pytest.mark.parametrize("origin", EVERY_KIND_OF_HOST)
def test_what_an_answer_sets_is_sent_from_then_on(origin: Origin) -> None:
    login = Login("x")
    login.absorb(origin, "/login", ["sid=NEW; Path=/; HttpOnly", "theme=dark"])
    assert login.cookie(origin, "/", "sid") == "NEW"
    assert login.rotated


@pytest.mark.parametrize("host", [origin.host for origin in EVERY_KIND_OF_HOST])
def test_an_exported_cookie_has_the_host_that_it_came_with(host: str) -> None:
    login = Login("x", [acookie(domain=host)])
    assert [cookie.domain for cookie in login.export()] == [host]


@pytest.mark.parametrize("origin", EVERY_KIND_OF_HOST)
def test_what_is_exported_is_sent_by_the_next_login(origin: Origin) -> None:
    first = Login("x")
    first.absorb(origin, "/", ["sid=NEW; Path=/", f"t=1; Path=/; Domain={origin.host}"])
    assert header(origin, *first.export()) == first.cookie_header(origin, "/") == "sid=NEW; t=1"


@pytest.mark.parametrize(
    ("domain", "origin"),
    [
        ("printer.local", "http://printer"),
        ("printer", "http://printer.local"),
        ("::1", "http://[::2]"),
    ],
)
def test_a_host_of_one_word_is_no_other_host(domain: str, origin: str) -> None:
    assert header(Origin.parse(origin), acookie(domain=domain)) == ""


def test_an_ipv6_host_is_known_without_its_brackets() -> None:
    assert header(IPV6, acookie(domain="::1")) == "sid=SECRET"


def test_a_port_is_no_part_of_a_cookie() -> None:
    login = Login("x")
    login.absorb(LOOPBACK, "/", ["sid=NEW; Path=/"])
    assert login.cookie(Origin.parse("http://127.0.0.1:9000"), "/", "sid") == "NEW"


def test_a_path_covers_whole_segments() -> None:
    cookie = acookie(path="/app")
    sent = {target: header(APP, cookie, target=target) for target in ("/app", "/app/x", "/apple")}
    assert sent == {"/app": "sid=SECRET", "/app/x": "sid=SECRET", "/apple": ""}


@pytest.mark.parametrize("expires", [float("inf"), float("nan")])
def test_a_date_that_none_can_be_is_no_date(expires: float) -> None:
    assert header(APP, acookie(expires=expires)) == "sid=SECRET"


def test_a_cookie_that_lasts_is_exported_with_its_date() -> None:
    login = Login("x")
    login.absorb(APP, "/", ["sid=NEW; Path=/; Max-Age=3600"])
    (cookie,) = login.export()
    assert cookie.expires == pytest.approx(time.time() + 3600, abs=60)


def test_an_answer_can_delete_a_cookie_by_its_date() -> None:
    login = Login("x", [acookie()])
    login.absorb(APP, "/", ["sid=x; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    assert login.export() == ()
    assert login.rotated


def test_an_answer_renews_one_of_two_cookies_of_one_name() -> None:
    cookies = (acookie("csrftoken", "one"), acookie("csrftoken", "two", path="/app"))
    login = Login("x", cookies)
    login.absorb(APP, "/app/x", ["csrftoken=three; Path=/app"])
    assert login.cookie_header(APP, "/app/x") == "csrftoken=three; csrftoken=one"


def test_an_empty_cookie_is_there() -> None:
    assert Login("x", [acookie(value="")]).cookie(APP, "/", "sid") == ""


def test_a_login_that_was_written_back_is_rotated_no_more() -> None:
    login = Login("x")
    login.absorb(APP, "/", ["sid=NEW"])
    login.kept()
    assert not login.rotated


@given(st.text(max_size=60), st.sampled_from(EVERY_KIND_OF_HOST))
def test_any_line_of_a_server_is_read_without_a_fault(line: str, origin: Origin) -> None:
    login = Login("x", [acookie()])
    login.absorb(origin, "/a/b", [line, f"a=1; {line}", f"a=1; Expires={line}"])
    login.cookie_header(origin, "/a/b")


def test_an_answer_that_changes_nothing_rotates_nothing() -> None:
    login = Login("x", [acookie()])
    login.absorb(APP, "/", ["sid=SECRET; Path=/"])
    assert not login.rotated


def test_an_answer_can_delete_a_cookie() -> None:
    login = Login("x", [acookie()])
    login.absorb(APP, "/", ["sid=; Path=/; Max-Age=0"])
    assert login.cookie_header(APP, "/") == ""


def test_an_answer_cannot_set_a_cookie_of_another_domain() -> None:
    login = Login("x")
    login.absorb(APP, "/", ["sid=EVIL; Domain=bank.example"])
    assert login.export() == ()


def test_a_borrowed_login_sends_what_the_browser_sent() -> None:
    login = Login.borrowed("a=1; b=2", "Bearer T")
    assert login.cookie_header(APP, "/") == "a=1; b=2"
    assert login.authorization == "Bearer T"
    login.absorb(APP, "/", ["a=3"])
    assert login.cookie_header(APP, "/") == "a=1; b=2"


def test_a_login_says_nothing_of_itself() -> None:
    login = Login("x", [acookie()], {"https://app.example.test": {"token": "SECRET"}})
    assert "SECRET" not in f"{login!r} {login!s} {acookie()!r}"


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps, json.dumps])
def test_a_login_is_not_copied_or_written(act: object) -> None:
    with pytest.raises(TypeError):
        act(Login("x", [acookie()]))  # type: ignore[operator]


def test_a_login_is_no_part_of_a_model() -> None:
    with pytest.raises(PydanticSchemaGenerationError):
        type("Leaky", (BaseModel,), {"__annotations__": {"login": Login}, "__module__": __name__})


def test_stored_values_belong_to_their_origin() -> None:
    login = Login("x", storage={"https://app.example.test": {"token": "T"}})
    assert login.stored(APP) == {"token": "T"}
    assert login.stored(LOOPBACK) == {}
    assert login.has_cookies_for(APP)
    assert not login.has_cookies_for(LOOPBACK)
