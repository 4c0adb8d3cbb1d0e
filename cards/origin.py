"""The one definition of "same origin" (RFC 6454 section 4: scheme, host and port).

Rules:
1. Browsers and Python libraries disagree about odd URLs. Whatever they could read in two ways is
   refused here, before any of them parses it: backslashes, user info, white space and control
   characters, percent signs in a host, numbers that are not a dotted quad, a trailing dot.
2. No URL is ever joined by a library: a target is this origin followed by a path that starts with
   exactly one slash.
"""

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal, Self, cast, override

from cards.errors import BadOrigin

Scheme = Literal["http", "https"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
# RFC 3986 section 2 allows none of these anywhere in a URL; WHATWG parsers strip or convert them.
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\\\u2028\u2029\ufeff\ud800-\udfff]")
_ABSOLUTE = re.compile(r"(?P<scheme>(?i:https?))://(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL)
_AUTHORITY = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^:\[\]@%]+)(?::(?P<port>[0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*", re.IGNORECASE)
_MAX_HOST = 253
_MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class Origin:
    """A scheme, a host in its ASCII form and a port, each explicit.

    Attributes:
        scheme: ``http`` or ``https``.
        host: lower-case A-labels (RFC 5890), a dotted quad, or a bracketed IPv6 address.
        port: 1 to 65535, never left out.
    """

    scheme: Scheme
    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an origin: an absolute URL with nothing after the port but an optional slash.

        Raises:
            BadOrigin: the text is no origin, or one that two parsers could read differently.
        """
        origin, rest = cls._split(text)
        if rest not in ("", "/"):
            raise BadOrigin(
                "The origin has a path, query or fragment behind its host.",
                "Give only scheme, host and port, such as https://app.example.test.",
            )
        return origin

    @classmethod
    def of_url(cls, url: str) -> Self:
        """The origin of an absolute URL.

        Raises:
            BadOrigin: the URL is not absolute, not http(s), or ambiguous.
        """
        return cls._split(url)[0]

    @classmethod
    def _split(cls, url: str) -> tuple[Self, str]:
        if _UNSAFE.search(url):
            raise BadOrigin(
                "The URL holds a backslash, white space or a control character.",
                "Write it without them, percent-encoded in its path if they belong there.",
            )
        absolute = _ABSOLUTE.fullmatch(url)
        if absolute is None:
            raise BadOrigin(
                "The text is not an http or https URL.",
                "Start it with http:// or https:// and a host.",
            )
        scheme = cast("Scheme", absolute["scheme"].lower())
        host, port = _authority(absolute["authority"], scheme)
        return cls(scheme, host, port), absolute["rest"]

    def target_of(self, url: str) -> str:
        """The path and query of an absolute URL of this origin, without its fragment.

        Raises:
            BadOrigin: the URL belongs to another origin, or is ambiguous.
        """
        origin, rest = self._split(url)
        if origin != self:
            raise BadOrigin(f"The URL belongs to another origin than {self}.")
        target = rest.partition("#")[0]
        if not target.startswith("/"):
            target = f"/{target}"
        return checked_target(target)

    def follow(self, location: str, base: str = "/") -> str:
        """The target that a ``Location`` header names, seen from ``base`` (RFC 9110 10.2.2).

        Args:
            location: the header's value.
            base: the path and query of the request that was answered.

        Raises:
            BadOrigin: it leads to another origin, or could be read as if it did.
        """
        if _ABSOLUTE.match(location):
            return self.target_of(location)
        if re.match(r"[a-z][a-z0-9+.-]*:", location, re.IGNORECASE):
            raise BadOrigin(f"The redirect leaves {self} for another scheme.")
        reference = location.partition("#")[0]
        if reference.startswith("/"):
            return checked_target(_without_dots(checked_target(reference)))
        path = base.partition("?")[0]
        if reference.startswith("?"):
            return checked_target(path + reference)
        return checked_target(_without_dots(path.rpartition("/")[0] + "/" + reference))

    def url(self, target: str) -> str:
        """This origin followed by a path and query.

        Raises:
            BadOrigin: the target could be read as another host.
        """
        return f"{self}{checked_target(target)}"

    @override
    def __str__(self) -> str:
        if self.port == _DEFAULT_PORTS[self.scheme]:
            return f"{self.scheme}://{self.host}"
        return f"{self.scheme}://{self.host}:{self.port}"


def checked_target(target: str) -> str:
    """The path and query given, if no parser can read a host into it.

    Raises:
        BadOrigin: it does not start with exactly one slash, or holds a character that parsers
            strip or convert.
    """
    if _UNSAFE.search(target):
        raise BadOrigin("The path holds a backslash, white space or a control character.")
    if not target.startswith("/") or target.startswith("//"):
        raise BadOrigin(
            "The path does not start with exactly one slash.",
            "Write it from the root of the site, such as /api/messages.",
        )
    return target


def _without_dots(target: str) -> str:
    """A target with its dot segments resolved (RFC 3986 section 5.2.4)."""
    path, mark, query = target.partition("?")
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == ".." and kept:
            kept.pop()
        elif segment not in {".", ".."}:
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept) + mark + query


def _authority(authority: str, scheme: Scheme) -> tuple[str, int]:
    if "@" in authority:
        raise BadOrigin("The URL holds a user name or password before its host.")
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        raise BadOrigin("The URL's host or port is malformed.")
    port = int(parts["port"]) if parts["port"] else _DEFAULT_PORTS[scheme]
    if not 0 < port <= _MAX_PORT:
        raise BadOrigin("The URL's port is not between 1 and 65535.")
    return _host(parts["host"]), port


def _host(text: str) -> str:
    if text.startswith("["):
        try:
            return f"[{ipaddress.IPv6Address(text[1:-1]).compressed}]"
        except ValueError:
            raise BadOrigin("The URL's host is no IPv6 address.") from None
    host = text.lower() if text.isascii() else _to_ascii(text)
    labels = host.split(".")
    if len(host) > _MAX_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        raise BadOrigin("The URL's host is not a plain host name.")
    if any(label.startswith("xn--") for label in labels):
        _to_ascii(_to_unicode(host))
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        return _dotted_quad(host)
    return host


def _dotted_quad(host: str) -> str:
    # WHATWG reads 0x7f.1, 017700000001 and 2130706433 as 127.0.0.1; most libraries do not.
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise BadOrigin("The URL's host is a number that is not a dotted quad.") from None


def _to_ascii(host: str) -> str:
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise BadOrigin("The URL's host is no valid internationalised name.") from None


def _to_unicode(host: str) -> str:
    import idna

    try:
        return idna.decode(host)
    except idna.IDNAError:
        raise BadOrigin("The URL's host is no valid internationalised name.") from None
