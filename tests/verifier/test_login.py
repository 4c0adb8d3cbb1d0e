import copy
import json
import pickle  # noqa: TID251  (to see it refused)

import pytest
from pydantic import BaseModel
from pydantic.errors import PydanticSchemaGenerationError

from cards.origin import Origin
from verifier.login import CookieRecord, Login

APP = Origin.parse("https://app.example.test")
LOOPBACK = Origin.parse("http://127.0.0.1:8000")
LOCALHOST = Origin.parse("http://localhost:8000")


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


@pytest.mark.parametrize("origin", [LOOPBACK, LOCALHOST])
def test_a_secure_cookie_goes_to_loopback_over_http(origin: Origin) -> None:
    assert header(origin, acookie(domain=origin.host, secure=True)) == "sid=SECRET"


def test_two_cookies_of_one_name_go_together_longest_path_first() -> None:
    cookies = (acookie("csrftoken", "one"), acookie("csrftoken", "two", path="/app"))
    login = Login("x", cookies)
    assert login.cookie_header(APP, "/app/x") == "csrftoken=two; csrftoken=one"
    assert login.cookie(APP, "/app/x", "csrftoken") == "two"


def test_a_cookie_that_is_not_there_is_none() -> None:
    assert Login("x", [acookie()]).cookie(APP, "/", "other") is None


@pytest.mark.parametrize("origin", [APP, LOOPBACK, LOCALHOST])
def test_what_an_answer_sets_is_sent_from_then_on(origin: Origin) -> None:
    login = Login("x")
    login.absorb(origin, "/login", ["sid=NEW; Path=/; HttpOnly", "theme=dark"])
    assert login.cookie(origin, "/", "sid") == "NEW"
    assert login.rotated


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "app.example.test"])
def test_an_exported_cookie_has_the_host_that_it_came_with(host: str) -> None:
    login = Login("x", [acookie(domain=host)])
    assert [cookie.domain for cookie in login.export()] == [host]


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
