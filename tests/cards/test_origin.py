import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.errors import BadOrigin
from cards.origin import Origin, checked_target

APP = Origin("https", "app.example.test", 443)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://app.example.test", "https://app.example.test"),
        ("HTTPS://APP.Example.TEST/", "https://app.example.test"),
        ("https://app.example.test:443", "https://app.example.test"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://[0:0:0:0:0:0:0:1]:8000", "http://[::1]:8000"),
        ("https://bücher.example.test", "https://xn--bcher-kva.example.test"),
        ("https://my_host.example.test", "https://my_host.example.test"),
    ],
)
def test_an_origin_is_written_in_one_way(text: str, expected: str) -> None:
    assert str(Origin.parse(text)) == expected


@pytest.mark.parametrize(
    "url",
    [
        # another host for one of two parsers
        "https://app.example.test\\@evil.example.test/x",
        "https://app.example.test@evil.example.test/x",
        "https://user:pw@app.example.test/x",
        "https://app.example.test\t.evil.example.test/x",
        "https://app.example.test/x\r\nX-Evil: 1",
        "https://app.example.test%2eevil.example.test/",
        "https:app.example.test/x",
        "https:////evil.example.test/x",
        "https:/app.example.test",
        " https://evil.example.test/x",
        "https://evil.example.test/x ",
        "//app.example.test/",
        "/api",
        "",
        # hosts that browsers convert
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "http://127.0.0.1./",
        "https://app.example.test./",
        "https://app..example.test/",
        "http://[::1%25eth0]/",
        "http://[::1/",
        "https://xn--a.example.test/",
        "https://app.example.test\ufeff/",
        "https://app。example.test\u2028/",
        # ports and schemes
        "https://app.example.test:0/",
        "https://app.example.test:65536/",
        "https://app.example.test:/x",
        "https://app.example.test:80:80/",
        "ftp://app.example.test/",
        "javascript://app.example.test/%0aalert(1)",
        "wss://app.example.test/",
    ],
)
def test_a_url_that_two_parsers_may_read_differently_is_refused(url: str) -> None:
    with pytest.raises(BadOrigin):
        Origin.of_url(url)


@pytest.mark.parametrize(
    "other",
    [
        "http://app.example.test",
        "https://app.example.test:8443",
        "https://example.test",
        "https://app.example.test.evil.test",
    ],
)
def test_scheme_host_and_port_all_count(other: str) -> None:
    assert Origin.parse(other) != APP


def test_an_origin_with_a_path_is_refused() -> None:
    with pytest.raises(BadOrigin, match="path"):
        Origin.parse("https://app.example.test/login")


def test_a_fragment_that_looks_like_user_info_is_not_part_of_an_origin() -> None:
    with pytest.raises(BadOrigin):
        Origin.parse("https://app.example.test#@evil.example.test/")


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example.test/list",
        "/\\evil.example.test/list",
        "\\\\evil.example.test\\list",
        "..//evil.example.test",
        "https:evil.example.test/x",
        "ht\ntps://evil.example.test/x",
        "",
        "api/messages",
        "/a b",
        "/a\x00b",
    ],
)
def test_a_path_that_could_name_a_host_is_refused(target: str) -> None:
    with pytest.raises(BadOrigin):
        checked_target(target)


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/next", "/next"),
        ("/next?a=1#part", "/next?a=1"),
        ("https://app.example.test/next", "/next"),
        ("https://app.example.test", "/"),
        ("https://app.example.test:443?x=1", "/?x=1"),
        ("created", "/api/created"),
        ("?page=2", "/api/messages?page=2"),
        ("../create", "/create"),
        ("./create?x=..", "/api/create?x=.."),
        ("..", "/"),
        ("/a/./b/../c", "/a/c"),
        ("../../../up", "/up"),
        ("/a/b/..", "/a/"),
    ],
)
def test_a_redirect_inside_the_origin_is_followed(location: str, expected: str) -> None:
    assert APP.follow(location, "/api/messages?page=1") == expected


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example.test/land",
        "http://app.example.test/",
        "https://app.example.test:8443/",
        "//evil.example.test/",
        "/\\evil.example.test/",
        "https:/evil.example.test/",
        "javascript:alert(1)",
        "data:text/html,x",
        "..//evil.example.test/",
        "/..//evil.example.test/",
        "/.//evil.example.test/",
    ],
)
def test_a_redirect_that_leaves_the_origin_is_refused(location: str) -> None:
    with pytest.raises(BadOrigin):
        APP.follow(location, "/")


@given(st.text(max_size=60))
def test_any_text_gives_an_origin_or_a_clear_refusal(text: str) -> None:
    try:
        origin = Origin.parse(text)
    except BadOrigin:
        return
    assert Origin.parse(str(origin)) == origin


@given(st.text(max_size=60))
def test_following_any_location_stays_at_the_origin_or_is_refused(location: str) -> None:
    try:
        target = APP.follow(location, "/a/b")
    except BadOrigin:
        return
    assert Origin.of_url(APP.url(target)) == APP


@given(st.text(min_size=4, max_size=30).filter(lambda text: text.isalnum()))
def test_a_refusal_does_not_repeat_what_it_refuses(secret: str) -> None:
    with pytest.raises(BadOrigin) as refusal:
        Origin.of_url(f"https://user:SECRET{secret}@app.example.test/")
    assert f"SECRET{secret}" not in str(refusal.value)
