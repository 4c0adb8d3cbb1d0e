import html
import time
from typing import get_args

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
        ("<p>a</p>\n<p>b</p>", "a\n\nb", "html", True),
        ("<p>a<br />b</p>", "a\nb", "html", True),
        ("<P CLASS='x'>a <b>b</b>c</P>", "a bc", "html", True),
        ("<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->", "a", "html", True),
        ("a &lt; b &gt; c", "a < b > c", "html", True),
        ("a < b > c", "a < b > c", "html", True),
        ("a < x > c", "a < b > c", "html", False),
        ("&amp;lt;", "&lt;", "html", True),
        ("", "<br>", "html", False),
        ("<p></p>", "  ", "html", False),
        ("", "  ", "strip", False),
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
    assert matches(text, text, "exact")
    assert matches(text, text, "contains")
    assert matches(f"\t{text}\n", text, "strip") is bool(text.strip())


@given(st.text("abc <>&\"'", min_size=1, max_size=20))
def test_escaped_text_matches_its_plain_form(text: str) -> None:
    assert matches(f"<p>{html.escape(text)}</p>", text, "html") is bool(text.strip())


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(get_args(Compare)))
def test_any_two_texts_are_compared_without_a_fault(shown: str, value: str, by: Compare) -> None:
    if matches(shown, value, by) and by in {"exact", "contains"}:
        assert value in shown


def test_brackets_without_an_end_cost_no_time() -> None:
    begin = time.monotonic()
    assert not matches("<a" * 200_000, "x", "html")
    assert time.monotonic() - begin < 5


@given(st.integers() | st.booleans())
def test_a_value_reads_as_json_writes_it(value: int) -> None:
    assert text_of(value) == str(value).lower()
