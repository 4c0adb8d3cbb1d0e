import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.readback import Compare
from verifier.matching import SlotValue, matches, text_of


@pytest.mark.parametrize(
    ("shown", "value", "compare", "expected"),
    [
        ("zebra", "zebra", "exact", True),
        ("zebra ", "zebra", "exact", False),
        (" zebra\n", "zebra", "strip", True),
        ("a zebra runs", "zebra", "contains", True),
        ("anything", "", "contains", False),
        ("<p>a &amp; b</p>", "a & b", "html", True),
        ("<p>a</p>", "b", "html", False),
        ("3", 3, "exact", True),
        (3, "3", "exact", True),
        (3.0, 3, "exact", True),
        (True, "true", "exact", True),
        (1, True, "exact", False),
        (None, "None", "exact", False),
        (["zebra"], "zebra", "exact", False),
    ],
)
def test_a_field_shows_a_value_or_not(
    shown: object, value: SlotValue, compare: Compare, expected: bool
) -> None:
    assert matches(shown, value, compare) is expected


@given(st.text(min_size=1, max_size=40))
def test_every_text_matches_itself_in_every_way(text: str) -> None:
    for compare in ("exact", "strip", "contains"):
        assert matches(text, text, compare)


@given(st.text("abc <>&\"'", min_size=1, max_size=20))
def test_escaped_text_matches_its_plain_form(text: str) -> None:
    assert matches(f"<p>{html.escape(text)}</p>", text, "html")


@given(st.integers() | st.booleans())
def test_a_value_reads_as_json_writes_it(value: int) -> None:
    assert text_of(value) == str(value).lower()
