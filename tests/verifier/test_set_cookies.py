import pytest

from cards.origin import Origin
from verifier.set_cookies import is_loopback, is_trustworthy, readable

APP = Origin.parse("https://app.example.test")
PLAIN = Origin.parse("http://app.example.test")
LOCALHOST = Origin.parse("http://localhost:8000")


@pytest.mark.parametrize(
    ("line", "origin", "expected"),
    [
        ("a=1", APP, "a=1"),
        ("a=1; Path=/; HttpOnly", APP, "a=1; Path=/; HttpOnly"),
        # what cannot be read is left out, and the cookie stays
        ("a=1; Max-Age=soon; Path=/", APP, "a=1; Path=/"),
        ("a=1; Max-Age=; Path=/", APP, "a=1; Path=/"),
        ("a=1; Max-Age=0", APP, "a=1; Max-Age=0"),
        ("a=1; Path=app", APP, "a=1"),
        ("a=1; Domain=", APP, "a=1"),
        # a domain that only repeats a lone host
        ("a=1; Domain=localhost", LOCALHOST, "a=1"),
        ("a=1; domain=.LOCALHOST", LOCALHOST, "a=1"),
        ("a=1; Domain=127.0.0.1", Origin.parse("http://127.0.0.1:8000"), "a=1"),
        ("a=1; Domain=[::1]", Origin.parse("http://[::1]:8000"), "a=1"),
        ("a=1; Domain=app.example.test", APP, "a=1; Domain=app.example.test"),
        # what browsers refuse
        ("a=1; Secure", PLAIN, None),
        ("a=1; Secure", LOCALHOST, "a=1; Secure"),
        ("__Secure-a=1", APP, None),
        ("__Secure-a=1; Secure", APP, "__Secure-a=1; Secure"),
        ("__Host-a=1; Secure; Path=/", APP, "__Host-a=1; Secure; Path=/"),
        ("__Host-a=1; Secure", APP, None),
        ("__Host-a=1; Path=/", APP, None),
        ("__Host-a=1; Secure; Path=/app", APP, None),
        ("__Host-a=1; Secure; Path=/; Domain=app.example.test", APP, None),
        ("__Host-a=1; Secure; Path=/; Domain=localhost", LOCALHOST, None),
        ("__host-A=1; Path=/", APP, None),
    ],
)
def test_a_line_is_put_as_browsers_read_it(line: str, origin: Origin, expected: str | None) -> None:
    assert readable(line, origin) == expected


@pytest.mark.parametrize("host", ["localhost", "app.localhost", "127.0.0.1", "127.8.8.8", "[::1]"])
def test_this_machine_is_known_by_its_name(host: str) -> None:
    assert is_loopback(host)
    assert is_trustworthy(Origin("http", host, 80))


@pytest.mark.parametrize("host", ["example.test", "localhost.example.test", "10.0.0.1", "[::2]"])
def test_another_machine_is_trusted_over_https_alone(host: str) -> None:
    assert not is_loopback(host)
    assert not is_trustworthy(Origin("http", host, 80))
    assert is_trustworthy(Origin("https", host, 443))
