import time

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.fetched import Fetched
from verifier.login_pages import has_login_form, is_login_answer, is_login_target


@pytest.mark.parametrize(
    "target",
    [
        *("/login", "/login/", "/accounts/login/?next=/x", "/users/sign_in", "/wp-login.php"),
        *("/signin", "/sso", "/session/new", "/sessions/new", "/oauth/authorize?client_id=x"),
        *("/auth/login", "/login;jsessionid=8A3F", "/Account/LogOn", "/user-login", "/login/"),
    ],
)
def test_a_way_to_a_login_is_known(target: str) -> None:
    assert is_login_target(target)


@pytest.mark.parametrize(
    "target",
    [
        *("/", "/admin/auth/group/", "/authors", "/blog/login-tips", "/api/logins"),
        *("/x?next=/login", "/logout", "/sessions", "/x;login", ""),
    ],
)
def test_a_page_like_any_other_is_none(target: str) -> None:
    assert not is_login_target(target)


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/html", b'<input name="p" type="password">', True),
        ("text/html", b"<INPUT TYPE=password>", True),
        ("text/html", b"<p>password</p>", False),
        ("text/html", b'<input type="password" autocomplete="current-password">', True),
        ("text/html", b'<input type="password" autocomplete="new-password">', False),
        ("text/html", b"<input type=password name=p1><input type=password name=p2>", False),
        ("application/json", b'<input type="password">', False),
    ],
)
def test_a_page_that_asks_for_a_password_is_a_login_form(
    content_type: str, body: bytes, expected: bool
) -> None:
    assert has_login_form(content_type, body) is expected


@pytest.mark.parametrize(
    ("status", "target", "redirects", "body", "expected"),
    [
        (401, "/api", (), "", True),
        (403, "/api", (), "", False),
        (200, "/login", ("/api",), "", True),
        (200, "/login", (), "", False),
        (200, "/home", ("/api",), "", False),
        (200, "/home", (), '<input type="password">', True),
        (403, "/home", (), '<input type="password">', True),
    ],
)
def test_a_get_that_was_answered_by_a_login_is_known(
    status: int, target: str, redirects: tuple[str, ...], body: str, expected: bool
) -> None:
    headers = httpx.Headers({"content-type": "text/html"})
    assert is_login_answer(Fetched(status, headers, body.encode(), target, redirects)) is expected


@given(st.binary(max_size=200), st.text(max_size=60))
def test_anything_is_judged_without_a_fault(body: bytes, target: str) -> None:
    has_login_form("text/html", body)
    is_login_target(target)


def test_brackets_without_an_end_cost_no_time() -> None:
    begin = time.monotonic()
    assert not has_login_form("text/html", b"<input type" * 100_000)
    assert time.monotonic() - begin < 5
