"""Playwright's ``storage_state``: cookies and ``localStorage`` as one JSON object."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cards.errors import BadLogin
from verifier.login import CookieRecord

Storage = dict[str, dict[str, str]]
_SESSION = -1  # Playwright's expiry of a cookie that has none


def parse(text: str, name: str) -> tuple[list[CookieRecord], Storage, Storage]:
    """The cookies and the items of both storages of a file.

    Playwright keeps ``localStorage``; ``sessionStorage`` stands beside it in the same form, as
    ``reqcard login`` writes it.


    Raises:
        BadLogin: it is not a ``storage_state``.
    """
    try:
        state = json.loads(text)
        cookies = [_cookie(entry) for entry in state["cookies"]]
        local, session = (_items(state, area) for area in ("localStorage", "sessionStorage"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadLogin(
            f"The login {name} is no Playwright storage_state.",
            "It is a JSON object with cookies and origins; reqcard login writes one.",
        ) from None
    return cookies, local, session


def _items(state: Mapping[str, Any], area: str) -> Storage:
    return {
        entry["origin"]: {item["name"]: item["value"] for item in entry.get(area, [])}
        for entry in state.get("origins", [])
    }


def merged(text: str, cookies: Sequence[CookieRecord]) -> str:
    """The file's text with these cookies in it, and all else as it was."""
    state = json.loads(text)
    known = {(c["name"], c["domain"].lstrip("."), c["path"]): c for c in state["cookies"]}
    entries = []
    for cookie in cookies:
        old = known.get((cookie.name, cookie.domain, cookie.path), {})
        entries.append({**old, **_entry(cookie)})
    return json.dumps({**state, "cookies": entries}, indent=2)


def _cookie(entry: Mapping[str, Any]) -> CookieRecord:
    domain = str(entry["domain"])
    expires = float(entry.get("expires", _SESSION))
    return CookieRecord(
        name=str(entry["name"]),
        value=str(entry["value"]),
        domain=domain.lstrip("."),
        path=str(entry.get("path", "/")),
        expires=None if expires < 0 else expires,
        secure=bool(entry.get("secure", False)),
        http_only=bool(entry.get("httpOnly", False)),
        same_site=entry.get("sameSite"),
        host_only=not domain.startswith("."),
    )


def _entry(cookie: CookieRecord) -> dict[str, Any]:
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain if cookie.host_only else f".{cookie.domain}",
        "path": cookie.path,
        "expires": _SESSION if cookie.expires is None else cookie.expires,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site or "Lax",
    }
