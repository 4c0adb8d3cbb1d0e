from hypothesis import given
from hypothesis import strategies as st

from replay.audit.chain import GENESIS, link

ROWS = st.dictionaries(st.text(max_size=8), st.text(max_size=20) | st.none() | st.integers(0, 99))


@given(ROWS)
def test_a_link_is_a_function_of_the_row(row: dict[str, str | int | None]) -> None:
    assert link(GENESIS, row) == link(GENESIS, dict(reversed(row.items())))


@given(ROWS, ROWS)
def test_two_rows_have_two_links(
    one: dict[str, str | int | None], other: dict[str, str | int | None]
) -> None:
    assert (link(GENESIS, one) == link(GENESIS, other)) == (one == other)


def test_the_row_before_is_part_of_a_link() -> None:
    assert link(GENESIS, {"a": 1}) != link("1" * 64, {"a": 1})
