"""What tells a login page, or the way to one, from the answer that was asked for."""

import re

from verifier.http import Fetched

_LOGIN_PATH = re.compile(
    r"(?:^|[/_.-])(?:log-?in|sign-?in|signon|sso|auth(?:enticate)?|session/new|sessions/new|"
    r"accounts/login)(?:[/_.?-]|$)",
    re.IGNORECASE,
)
_PASSWORD_FIELD = re.compile(rb"<input\b[^>]*\btype\s*=\s*[\"']?password\b", re.IGNORECASE)
_UNAUTHORIZED = 401
_HTML = frozenset({"text/html", "application/xhtml+xml"})


def is_login_target(target: str) -> bool:
    """Whether a path and query lead to a login."""
    return bool(_LOGIN_PATH.search(target.partition("?")[0]))


def has_login_form(content_type: str, body: bytes) -> bool:
    """Whether a page asks for a password."""
    return content_type in _HTML and bool(_PASSWORD_FIELD.search(body))


def is_login_answer(fetched: Fetched) -> bool:
    """Whether a GET was answered by a login: 401, a redirect to one, or its form."""
    if fetched.status == _UNAUTHORIZED:
        return True
    if fetched.redirects and is_login_target(fetched.target):
        return True
    return has_login_form(fetched.content_type, fetched.body)
