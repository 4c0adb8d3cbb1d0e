"""The Netscape ``cookies.txt``: one cookie for each line, seven fields between tabs."""

from collections.abc import Sequence

from cards.errors import BadLogin
from verifier.login import CookieRecord

_HTTP_ONLY = "#HttpOnly_"
_FIELDS = 7
_HEADER = "# Netscape HTTP Cookie File"


def parse(text: str, name: str) -> list[CookieRecord]:
    """The cookies of a file.

    Raises:
        BadLogin: a line is no cookie.
    """
    cookies = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or (line.startswith("#") and not line.startswith(_HTTP_ONLY)):
            continue
        try:
            cookies.append(_cookie(line))
        except ValueError:
            raise BadLogin(
                f"The login {name} is neither a storage_state nor a cookies.txt "
                f"(line {number} is no cookie).",
                "A line of cookies.txt has seven fields between tabs.",
            ) from None
    return cookies


def merged(_: str, cookies: Sequence[CookieRecord]) -> str:
    """A file with these cookies."""
    return "\n".join([_HEADER, *(_line(cookie) for cookie in cookies), ""])


def _cookie(line: str) -> CookieRecord:
    http_only = line.startswith(_HTTP_ONLY)
    fields = line.removeprefix(_HTTP_ONLY).split("\t")
    if len(fields) != _FIELDS:
        raise ValueError
    domain, below, path, secure, expires, name, value = fields
    seconds = float(expires or 0)
    return CookieRecord(
        name=name,
        value=value,
        domain=domain.lstrip("."),
        path=path,
        expires=seconds or None,
        secure=secure.upper() == "TRUE",
        http_only=http_only,
        host_only=below.upper() != "TRUE",
    )


def _line(cookie: CookieRecord) -> str:
    domain = cookie.domain if cookie.host_only else f".{cookie.domain}"
    return "\t".join(
        [
            f"{_HTTP_ONLY if cookie.http_only else ''}{domain}",
            "FALSE" if cookie.host_only else "TRUE",
            cookie.path,
            "TRUE" if cookie.secure else "FALSE",
            str(int(cookie.expires or 0)),
            cookie.name,
            cookie.value,
        ]
    )
