from typing import Any

import pytest

from cards.errors import BadReadback
from verifier.paths import MISSING, CannotFollowError, at, collection, compiled, find, is_path

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


GROUPS = {"g": [{"items": [1]}, {"items": [2]}]}
TABLE: list[tuple[str, Any, Any]] = [
    # one list
    ("$.m", {"m": [1, 2]}, [1, 2]),
    ("$.m", {"m": []}, []),
    ("m", {"m": [1]}, [1]),
    ("$", [1], [1]),
    ("$..m", {"x": {"m": [1]}}, [1]),
    # what is selected
    ("$.m[*]", {"m": [1, 2]}, [1, 2]),
    ("$.m[*]", {"m": [[1]]}, [[1]]),
    ("$[*]", [1], [1]),
    ("$.m[0:1]", {"m": [1, 2]}, [1]),
    ("$.m.*", {"m": {"k1": 1, "k2": 2}}, [1, 2]),
    ("$.m[?(@.ok==true)]", {"m": [{"ok": True}, {"ok": False}]}, [{"ok": True}]),
    ("$.m[?(@.n > 3)]", {"m": [{"n": "x"}, {"n": None}, 3, {"n": 5}]}, [{"n": 5}]),
    ("$.m[?(@.t=='x')].sub", {"m": [{"t": "x", "sub": {"a": 1}}]}, [{"a": 1}]),
    ("$.g[*].items[*]", GROUPS, [1, 2]),
    # a selection from a list that is there may be empty
    ("$.m[*]", {"m": []}, []),
    ("$.m[0:5]", {"m": []}, []),
    ("$.m[?(@.ok==true)]", {"m": []}, []),
    ("$.m[?(@.ok==true)]", {"m": [{"ok": 1}]}, []),
    ("$.g[*].items[*]", {"g": []}, []),
    ("$.g[*].items[*]", {"g": [{"items": []}]}, []),
    ("$.g[*].name", {"g": []}, []),
    # no place, no collection
    ("$.m", {"error": "x"}, MISSING),
    ("$.m[*]", {"error": "x"}, MISSING),
    ("$.m.*", {"error": "x"}, MISSING),
    ("$.m[?(@.ok==true)]", {"error": "x"}, MISSING),
    ("$.m[?(@.ok==true)]", {"m": {"error": "x"}}, MISSING),
    ("$.m[*]", {"m": None}, MISSING),
    ("$.g[*].items[*]", {"g": [{"other": 1}]}, MISSING),
    ("$..m", {"error": "x"}, MISSING),
    ("$[*]", {}, MISSING),
    # a place that is no collection
    ("$.m", {"m": {"text": "x"}}, None),
    ("$.m", {"m": "x"}, None),
    ("$.m[*]", {"m": {"text": "x"}}, None),
    ("$.g[*].items", GROUPS, None),
]


@pytest.mark.parametrize(("path", "document", "expected"), TABLE)
def test_a_jsonpath_leads_to_a_collection_or_says_that_there_is_none(
    path: str, document: Any, expected: Any
) -> None:
    assert collection(document, path) == expected


def test_a_document_that_a_path_cannot_be_followed_in_is_no_empty_collection() -> None:
    unsortable = {"m": [{"n": 1}, {"n": "a"}]}
    with pytest.raises(CannotFollowError):
        collection(unsortable, "$.m[\\n]")
    with pytest.raises(CannotFollowError):
        find(unsortable, "$.m[\\n]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("text", False), ("created-by", False), ("@id", False), ("a.b", True), ("$.a", True)],
)
def test_a_path_is_told_from_a_plain_key(text: str, expected: bool) -> None:
    assert is_path(text) is expected


def test_a_path_is_compiled_once() -> None:
    assert compiled("$.a[*]") is compiled("$.a[*]")


def test_a_path_that_does_not_parse_is_refused_without_its_text() -> None:
    with pytest.raises(BadReadback) as refusal:
        compiled("$.[CANARY")
    assert "CANARY" not in str(refusal.value)
