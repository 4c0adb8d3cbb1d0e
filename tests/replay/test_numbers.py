import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.numbers import number_text


@pytest.mark.parametrize(
    ("value", "expected"),
    # What String(value) gives in Chromium.
    [
        (1e-5, "0.00001"),
        (1e-7, "1e-7"),
        (1.5e300, "1.5e+300"),
        (1e16, "10000000000000000"),
        (1e21, "1e+21"),
        (5e-324, "5e-324"),
        (-0.0, "0"),
        (3.0, "3"),
        (0.1, "0.1"),
        (12345678901234567890, "12345678901234567890"),
    ],
)
def test_a_number_is_written_as_a_script_writes_it(value: float, expected: str) -> None:
    assert number_text(value) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_the_same_double_to_its_reader(value: float) -> None:
    assert float(number_text(value)) == value


@given(st.integers())
def test_a_whole_number_keeps_its_digits(value: int) -> None:
    assert json.loads(number_text(value)) == value
