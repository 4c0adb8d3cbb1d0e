import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.decodings import decode
from cards.sources import Decoding


@pytest.mark.parametrize(
    ("step", "value", "expected"),
    [
        ("url", "a%2Bb+c", "a+b+c"),
        ("url", "plain", None),
        ("html", "a&amp;b", "a&b"),
        ("html", "plain", None),
        ("base64", "eyJhIjoxMjM0NX0=", '{"a":12345}'),
        ("base64", "eyJhIjoxMjM0NX0", '{"a":12345}'),
        ("base64", "short", None),
        ("base64", "////////", None),
        ("json", '"a\\u0062"', "ab"),
        ("json", "3", None),
        ("json", '"broken', None),
    ],
)
def test_a_step_applies_or_is_none(step: Decoding, value: str, expected: str | None) -> None:
    assert decode(value, step) == expected


@given(st.text(max_size=60))
def test_any_text_is_taken(value: str) -> None:
    for step in ("url", "html", "base64", "json"):
        decode(value, step)
