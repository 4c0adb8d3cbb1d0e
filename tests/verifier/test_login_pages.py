import pytest

from verifier.login_pages import has_login_form, is_login_target


@pytest.mark.parametrize(
    "target",
    [
        *("/login", "/login/", "/accounts/login/?next=/x", "/users/sign_in", "/wp-login.php"),
        *("/signin", "/sso", "/session/new", "/sessions/new", "/oauth/authorize?client_id=x"),
        "/auth/login",
    ],
)
def test_a_way_to_a_login_is_known(target: str) -> None:
    assert is_login_target(target)


@pytest.mark.parametrize(
    "target",
    ["/", "/admin/auth/group/", "/authors", "/blog/login-tips", "/api/logins", "/x?next=/login"],
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
