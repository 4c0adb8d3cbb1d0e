from urllib.parse import unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.escaping import encode
from cards.shapes import Escaping


@pytest.mark.parametrize(
    ("escaping", "expected"),
    [
        (Escaping(), "a+b%2Fc%7E%C3%A9"),
        (Escaping(space="%20", safe="~/"), "a%20b/c~%C3%A9"),
        (Escaping(lower=True), "a+b%2fc%7e%c3%a9"),
    ],
)
def test_a_text_is_written_in_its_manner(escaping: Escaping, expected: str) -> None:
    assert encode("a b/c~é", escaping) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_what_was_written_reads_back(text: str, lower: bool) -> None:
    assert unquote_plus(encode(text, Escaping(lower=lower))) == text
