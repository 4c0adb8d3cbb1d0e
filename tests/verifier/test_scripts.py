import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.scripts import literals, single_places


def texts_of(script: str) -> dict[tuple[str, str], str | None]:
    places = single_places(f"<script>{script}</script>".encode())
    return {(name, ".".join(map(str, path))): text for (_, name, path), text in places.items()}


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ('a = "x1"', ("a", "")),
        ("a.b['c'] = 'x1'", ("a.b[c]", "")),
        ('var a = {"k": ["x1"]};', ("a", "k.0")),
        ("f('x1')", ("f", "")),
        (r"a = 'x\x31'", ("a", "")),
    ],
)  # fmt: skip
def test_a_literal_has_its_name_and_path(script: str, place: tuple[str, str]) -> None:
    assert texts_of(script)[place] == "x1"


@pytest.mark.parametrize("script", ["a == 'x1'", "a = x1", "a = `x1`", "a = {k: 1", "// nothing"])
def test_what_is_no_literal_is_not_seen(script: str) -> None:
    assert texts_of(script) == {}


def test_differing_values_under_one_name_are_told_apart_from_none() -> None:
    assert texts_of("a = 'x'; a = 'y'; b = 'z'") == {("a", ""): None, ("b", ""): "z"}


DOCUMENTS = st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), st.text(max_size=9))


@given(DOCUMENTS)
def test_every_text_of_an_assigned_document_is_found(document: dict[str, str]) -> None:
    script = f"window.config = {json.dumps(document)};".replace("</", "<\\/")
    found = {
        (one.name, one.path): one.value for one in literals(f"<script>{script}</script>".encode())
    }
    for key, value in document.items():
        assert found["window.config", (key,)] == value


@given(st.text())
def test_any_page_is_read(markup: Any) -> None:
    single_places(f"<script>{markup}</script><p data-x='{markup}'>".encode("utf-8", "replace"))
