import httpx
import pytest

from verifier.fetched import Fetched


def afetched(**headers: str) -> Fetched:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fetched(200, httpx.Headers(named), b"", "/")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"age": "0"}, 0),
        ({"age": "120"}, 120),
        ({"age": "soon"}, 0),
        ({"age": "-5"}, 0),
        ({"age": "9" * 40}, 0),
        ({"x_cache": "HIT"}, 1),
        ({"x_cache": "Hit from cloudfront"}, 1),
        ({"x_cache": "MISS, HIT", "age": "7"}, 7),
        ({"x_cache": "Miss from cloudfront"}, 0),
        ({"cf_cache_status": "HIT"}, 1),
        ({"cf_cache_status": "DYNAMIC"}, 0),
        ({"cache_status": "ExampleCache; hit; ttl=30"}, 1),
        ({"cache_status": "ExampleCache; fwd=miss"}, 0),
    ],
)
def test_an_answer_tells_how_old_a_cache_says_that_it_is(
    headers: dict[str, str], seconds: int
) -> None:
    assert afetched(**headers).cached_s == seconds


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("Text/HTML; charset=utf-8", "text/html"),
        ("", ""),
        (" application/json ", "application/json"),
    ],
)
def test_a_media_type_is_told_without_its_parameters(content_type: str, expected: str) -> None:
    assert afetched(content_type=content_type).content_type == expected
