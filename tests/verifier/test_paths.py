import pytest

from cards.errors import BadReadback
from verifier.paths import MISSING, at, compiled

DOCUMENT = {"a": [{"b": None}, 2], "c": {"0": "zero"}}


@pytest.mark.parametrize(
    ("path", "expected"),
    [((), DOCUMENT), (("a", 1), 2), (("a", 0, "b"), None), (("c", "0"), "zero")],
)
def test_keys_lead_to_a_value(path: tuple[str | int, ...], expected: object) -> None:
    assert at(DOCUMENT, path) == expected


@pytest.mark.parametrize("path", [("x",), ("a", 2), ("a", -1), ("a", "b"), ("a", 1, "b"), ("c", 0)])
def test_keys_that_lead_to_nothing_are_missing(path: tuple[str | int, ...]) -> None:
    assert at(DOCUMENT, path) is MISSING


def test_a_path_is_compiled_once() -> None:
    assert compiled("$.a[*]") is compiled("$.a[*]")


def test_a_path_that_does_not_parse_is_refused_without_its_text() -> None:
    with pytest.raises(BadReadback) as refusal:
        compiled("$.[CANARY")
    assert "CANARY" not in str(refusal.value)
