"""One ``Set-Cookie`` line, put so that ``http.cookiejar`` reads it as browsers do.

Rules:
1. An attribute that cannot be read is left out; the cookie stays (RFC 6265 section 5.2).
2. A ``Domain`` that only repeats a host without domains above it (one word, or an address) means
   that host alone.
3. What browsers refuse is refused: a ``Secure`` cookie from an insecure place, and a name with
   the prefix ``__Secure-`` or ``__Host-`` that does not keep its promise (RFC 6265bis 4.1.3).
"""

import ipaddress
import re

from cards.origin import Origin

_SECONDS = re.compile(r"-?[0-9]{1,12}")


def readable(line: str, origin: Origin) -> str | None:
    """The line without what is unreadable, or none where a browser refuses the cookie.

    Args:
        line: the header's value.
        origin: the one that answered.
    """
    pair, *rest = line.split(";")
    attributes = [(part.partition("=")[0].strip().lower(), part.strip()) for part in rest]
    kept = [text for name, text in attributes if _counts(name, text, origin)]
    names = {name for name, _ in attributes}
    secure = "secure" in names
    if secure and not is_trustworthy(origin):
        return None
    prefix = pair.strip().lower()
    if prefix.startswith(("__secure-", "__host-")) and not secure:
        return None
    at_root = any(re.fullmatch(r"path\s*=\s*/", text, re.IGNORECASE) for text in kept)
    if prefix.startswith("__host-") and ("domain" in names or not at_root):
        return None
    return "; ".join([pair.strip(), *kept])


def is_trustworthy(origin: Origin) -> bool:
    """Whether ``Secure`` cookies go there: https, or loopback as in browsers."""
    return origin.scheme == "https" or is_loopback(origin.host)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    host = host.strip("[]")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _counts(name: str, text: str, origin: Origin) -> bool:
    value = text.partition("=")[2].strip()
    match name:
        case "max-age":
            return bool(_SECONDS.fullmatch(value))
        case "path":
            return value.startswith("/")
        case "domain":
            return bool(value.lstrip(".")) and not _is_lone(value, origin)
        case _:
            return True


def _is_lone(domain: str, origin: Origin) -> bool:
    named = domain.lstrip(".").lower()
    host = origin.host.strip("[]")
    return named.strip("[]") == host and ("." not in host or _is_address(host))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
