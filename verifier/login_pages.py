"""What tells a login page, or the way to one, from the answer that was asked for."""

import re

from verifier.http import Fetched

# Whole segments only: /admin/auth/group/ and /blog/login-tips are pages like any other.
_LOGIN_SEGMENT = re.compile(
    r"(?:[a-z]+-)?(?:log|sign)[-_]?(?:in|on)(?:\.[a-z]+)?|sso|saml2?|authenticate|authorize",
    re.IGNORECASE,
)
_LOGIN_ENDING = re.compile(r"/sessions?/new/?$", re.IGNORECASE)
# [^<>] keeps the search linear on a page of brackets without an end.
_PASSWORD_FIELD = re.compile(rb"<input\b[^<>]*\btype\s*=\s*[\"']?password\b[^<>]*", re.IGNORECASE)
_NEW_PASSWORD = re.compile(rb"\bautocomplete\s*=\s*[\"']?new-password\b", re.IGNORECASE)
_UNAUTHORIZED = 401
_HTML = frozenset({"text/html", "application/xhtml+xml"})


def is_login_target(target: str) -> bool:
    """Whether a path and query lead to a login."""
    path = target.partition("?")[0]
    if _LOGIN_ENDING.search(path):
        return True
    # A session's number may hang on a segment (RFC 3986 section 3.3): /login;jsessionid=….
    return any(_LOGIN_SEGMENT.fullmatch(part.partition(";")[0]) for part in path.split("/"))


def has_login_form(content_type: str, body: bytes) -> bool:
    """Whether a page asks for the password: one field, and not for a new one.

    A new password is asked for by two fields, or as ``new-password`` (HTML section 4.10.18.7.1).
    """
    fields = _PASSWORD_FIELD.findall(body) if content_type in _HTML else []
    return len(fields) == 1 and not _NEW_PASSWORD.search(fields[0])


def is_login_answer(fetched: Fetched) -> bool:
    """Whether a GET was answered by a login: 401, a redirect to one, or its form."""
    if fetched.status == _UNAUTHORIZED:
        return True
    if fetched.redirects and is_login_target(fetched.target):
        return True
    return has_login_form(fetched.content_type, fetched.body)
