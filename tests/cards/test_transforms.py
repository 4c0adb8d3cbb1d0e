from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.holes import Transform
from cards.transforms import transformed


@pytest.mark.parametrize(
    ("transform", "value", "expected"),
    [
        ("text", "a", "a"),
        ("strip", " a\n", "a"),
        ("lower", "Zebra", "zebra"),
        ("slug", "Zébra & Lion!", "zebra-lion"),
        ("html", "a<b>&", "a&lt;b&gt;&amp;"),
        ("url", "a b/c", "a%20b%2Fc"),
        ("json", 'a"b', '"a\\"b"'),
        ("crlf", "a\nb\r\nc", "a\r\nb\r\nc"),
    ],
)
def test_each_transform_makes_its_shape(transform: Transform, value: str, expected: str) -> None:
    assert transformed(value, transform) == expected


@given(st.text(max_size=40), st.sampled_from(get_args(Transform)))
def test_every_transform_takes_any_text(value: str, transform: Transform) -> None:
    assert isinstance(transformed(value, transform), str)
