import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recorder.imports.relevance import is_relevant, runs_of
from tests.recorder.traffic import aget, ananswer, aprelude, arequest, declared, sources, stripped

TOKEN = "9f86d081884c7d659a2feaa0c55ad015"


def b64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()


@pytest.mark.parametrize(
    "issued",
    [TOKEN, b64(TOKEN), quote(b64(TOKEN), safe="")],
)
def test_an_answer_with_the_value_in_any_encoding_is_relevant(issued: str) -> None:
    runs = runs_of([arequest(body={"token": TOKEN})], declared())
    assert is_relevant(ananswer({"a": [{"b": issued}]}), runs)


def test_an_answer_without_the_value_is_not() -> None:
    runs = runs_of([arequest(body={"token": TOKEN})], declared())
    assert not is_relevant(ananswer({"a": "something else"}), runs)


def test_pages_are_relevant_in_any_case() -> None:
    assert is_relevant(ananswer("<p>x"), frozenset())


def test_what_the_author_typed_makes_no_answer_relevant() -> None:
    assert runs_of([arequest("/api/things", {"text": "zebra 4711"})], declared(t="zebra 4711")) == (
        frozenset()
    )


def test_a_prefix_of_a_header_is_not_looked_for() -> None:
    request = arequest(headers={"authorization": f"Bearer {TOKEN}", "accept": "application/json"})
    assert b"Bearer" not in runs_of([request], declared())
    assert TOKEN.encode() in runs_of([request], declared())


def test_a_value_without_letters_of_ascii_is_looked_for_everywhere() -> None:
    runs = runs_of([arequest(body={"t": "żżżżżżżżż"})], declared())
    assert is_relevant(ananswer({"a": 1}), runs)


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=8, max_size=24),
    st.sampled_from(["plain", "url", "html", "base64", "base64-url", "base64-html", "url-base64"]),
)
def test_no_source_is_lost(value: str, way: str) -> None:
    issued = {
        "plain": value,
        "url": quote(value, safe=""),
        "html": html.escape(value),
        "base64": b64(value),
        "base64-url": b64(quote(value)),
        "base64-html": b64(html.escape(value)),
        "url-base64": quote(b64(value), safe=""),
    }[way]
    request = arequest(body={"text": "zebra", "token": value})
    answer = ananswer({"session": {"token": issued}})
    found = sources(
        stripped(request, declared(m="zebra"), prelude=aprelude((aget("/api/me"), answer)))
    )
    assume(found)
    assert is_relevant(answer, runs_of([request], declared(m="zebra"))), json.dumps(issued)
