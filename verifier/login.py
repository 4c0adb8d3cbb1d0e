"""The login: cookies and stored values of one browser, usable and not readable.

Rules:
1. A login does not print, pickle, copy or serialise. Whoever needs a cookie asks for the header of
   one request to one origin.
2. Cookies follow RFC 6265 through ``http.cookiejar``. One thing differs on purpose, as in browsers:
   ``Secure`` cookies go to loopback over http.
3. The jar knows a host of one word by the ending ``.local``, which is also a name of real hosts,
   and an IPv6 address hardly at all. It sees such hosts under names that no real host can have.
4. A cookie knows no port, so the origin is the transport's matter, never the jar's.
"""

import http.cookiejar
import math
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from typing import Literal, NoReturn, Self, SupportsIndex, override

from cards.origin import Origin
from verifier.set_cookies import is_loopback, readable

# No host has them (RFC 6761 section 6.4), and they survive http.cookiejar's own rules.
_ONE_WORD = ".one-word.invalid"
_IPV6 = ".ipv6.invalid"


Area = Literal["local", "session"]
Storage = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class CookieRecord:
    """One cookie as a login file holds it.

    Attributes:
        domain: the host, without a leading dot.
        expires: seconds since the epoch, or none for a session cookie.
        host_only: sent to that host alone, not to the hosts below it.
    """

    name: str
    value: str = field(repr=False)
    domain: str
    path: str = "/"
    expires: float | None = None
    secure: bool = False
    http_only: bool = False
    same_site: str | None = None
    host_only: bool = True


class Login:
    """Cookies and stored values of one browser.

    Args:
        label: what people call it; shown in messages.
        cookies: what it holds at the start.
        storage: the items of ``localStorage``, by origin.
        session: the items of ``sessionStorage``, by origin.
    """

    def __init__(
        self,
        label: str,
        cookies: Iterable[CookieRecord] = (),
        storage: Storage | None = None,
        session: Storage | None = None,
    ) -> None:
        self.label = label
        self._jar = http.cookiejar.CookieJar(policy=_BrowserPolicy())
        self._storage: dict[Area, dict[str, dict[str, str]]] = {
            "local": {origin: dict(items) for origin, items in (storage or {}).items()},
            "session": {origin: dict(items) for origin, items in (session or {}).items()},
        }
        self._borrowed: str | None = None
        self._authorization: str | None = None
        self._rotated = False
        for cookie in cookies:
            self._jar.set_cookie(_to_jar(cookie))

    @classmethod
    def anonymous(cls) -> Self:
        """A browser that nobody has logged in with."""
        return cls("nobody")

    @classmethod
    def borrowed(cls, cookie_header: str, authorization: str | None = None) -> Self:
        """A running browser's own login, as it stood in one of its requests."""
        login = cls("the browser")
        login._borrowed = cookie_header
        login._authorization = authorization
        return login

    @property
    def authorization(self) -> str | None:
        """The ``Authorization`` header of a borrowed login, or none."""
        return self._authorization

    @property
    def rotated(self) -> bool:
        """Whether an answer has changed a cookie since the login was made."""
        return self._rotated

    def kept(self) -> None:
        """Say that the changed cookies are in their file now."""
        self._rotated = False

    def cookie_header(self, origin: Origin, target: str) -> str:
        """The ``Cookie`` header of a request, longest path first; empty where there is none."""
        if self._borrowed is not None:
            return self._borrowed
        request = _asking(origin, target)
        self._jar.add_cookie_header(request)
        return str(request.get_header("Cookie", ""))

    def cookie(self, origin: Origin, target: str, name: str) -> str | None:
        """The value that a request would send for a name, of the longest path that has it."""
        for pair in self.cookie_header(origin, target).split("; "):
            key, _, value = pair.partition("=")
            if key == name:
                return value
        return None

    def absorb(self, origin: Origin, target: str, set_cookies: Sequence[str]) -> None:
        """Take what an answer's ``Set-Cookie`` headers say."""
        if not set_cookies or self._borrowed is not None:
            return
        before = self.export()
        lines = [kept for line in set_cookies if (kept := readable(line, origin)) is not None]
        answer = _Answer(lines)
        self._jar.extract_cookies(answer, _asking(origin, target))  # type: ignore[arg-type]
        self._rotated = self._rotated or self.export() != before

    def export(self) -> tuple[CookieRecord, ...]:
        """All cookies, for the file that the login came from."""
        return tuple(sorted((_from_jar(cookie) for cookie in self._jar), key=_identity))

    def has_cookies_for(self, origin: Origin) -> bool:
        """Whether any cookie or stored value belongs to the origin's host."""
        if self._borrowed is not None or self.stored(origin) or self.stored(origin, "session"):
            return True
        return any(_covers(cookie, origin.host) for cookie in self.export())

    def stored(self, origin: Origin, area: Area = "local") -> Mapping[str, str]:
        """The items of the origin's ``localStorage`` or ``sessionStorage``."""
        return self._storage[area].get(str(origin), {})

    @override
    def __repr__(self) -> str:
        return "<Login>"

    __str__ = __repr__

    @override
    def __reduce__(self) -> NoReturn:
        raise TypeError("a login is not pickled or copied")

    @override
    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a login is not pickled or copied")

    def __copy__(self) -> NoReturn:
        raise TypeError("a login is not copied")

    def __deepcopy__(self, memo: object) -> NoReturn:
        raise TypeError("a login is not copied")


class _BrowserPolicy(http.cookiejar.DefaultCookiePolicy):
    def __init__(self) -> None:
        # Without this a host-only cookie would go to the hosts below its own (RFC 6265 5.4).
        super().__init__(strict_ns_domain=self.DomainStrictNonDomain)

    @override
    def return_ok_secure(
        self, cookie: http.cookiejar.Cookie, request: urllib.request.Request
    ) -> bool:
        return not cookie.secure or request.type == "https" or is_loopback(_host(request.host))

    @override
    def return_ok_port(
        self, cookie: http.cookiejar.Cookie, request: urllib.request.Request
    ) -> bool:
        return True


class _Answer:
    """What ``CookieJar.extract_cookies`` wants of a response."""

    def __init__(self, set_cookies: Sequence[str]) -> None:
        self._message = Message()
        for line in set_cookies:
            self._message["Set-Cookie"] = line

    def info(self) -> Message:
        return self._message


def _asking(origin: Origin, target: str) -> urllib.request.Request:
    # Only the jar reads it. Without a port, which cookies do not know.
    path = origin.url(target).removeprefix(str(origin))
    url = f"{origin.scheme}://{_jar_host(origin.host)}{path}"
    return urllib.request.Request(url)  # noqa: S310  (never opened)


def _jar_host(host: str) -> str:
    host = host.strip("[]").lower()
    if ":" in host:
        return f"{host.replace(':', '-')}{_IPV6}"
    return host if "." in host else f"{host}{_ONE_WORD}"


def _host(jar_host: str) -> str:
    if jar_host.endswith(_IPV6):
        return f"[{jar_host.removesuffix(_IPV6).replace('-', ':')}]"
    return jar_host.removesuffix(_ONE_WORD)


def _to_jar(cookie: CookieRecord) -> http.cookiejar.Cookie:
    domain = _jar_host(cookie.domain.lstrip("."))
    if not cookie.host_only:
        domain = f".{domain}"
    # A file may say any number; what no date can be is no date.
    expires = cookie.expires if cookie.expires is None or math.isfinite(cookie.expires) else None
    rest: dict[str, str] = {}
    if cookie.http_only:
        rest["HttpOnly"] = ""
    if cookie.same_site:
        rest["SameSite"] = cookie.same_site
    return http.cookiejar.Cookie(
        version=0,
        name=cookie.name,
        value=cookie.value,
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=not cookie.host_only,
        domain_initial_dot=not cookie.host_only,
        path=cookie.path,
        path_specified=True,
        secure=cookie.secure,
        expires=None if expires is None else int(expires),
        discard=expires is None,
        comment=None,
        comment_url=None,
        rest=rest,
    )


def _from_jar(cookie: http.cookiejar.Cookie) -> CookieRecord:
    return CookieRecord(
        name=cookie.name,
        value=cookie.value or "",
        domain=_host(cookie.domain.lstrip(".")),
        path=cookie.path,
        expires=cookie.expires,
        secure=cookie.secure,
        http_only=cookie.has_nonstandard_attr("HttpOnly"),
        same_site=cookie.get_nonstandard_attr("SameSite"),
        host_only=not cookie.domain_specified,
    )


def _identity(cookie: CookieRecord) -> tuple[str, str, str]:
    return cookie.domain, cookie.path, cookie.name


def _covers(cookie: CookieRecord, host: str) -> bool:
    return cookie.domain == host or (not cookie.host_only and host.endswith(f".{cookie.domain}"))
