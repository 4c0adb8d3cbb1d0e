import io
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.errors import UsageError
from recorder.imports.streaming import HarStream, Located, parse

# Texts that look like structure, and like the boundary that the reader guesses by.
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            '"},{"time":1},{"',
            "}, {",
            '\\"},{\\"request\\":',
            "\\",
            '\\\\"',
            "\u2028\U0001f98a",
            "\ud83d",
            "{[",
            ']}"',
            "\n  }",
        ]
    ),
)
NAMES = st.one_of(
    st.sampled_from(["startedDateTime", "time", "request", "_x", "name", "url", "id", "comment"]),
    TEXTS,
)
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(-(10**12), 10**12), st.booleans(), st.none(), st.floats()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)
ENTRIES = st.lists(st.dictionaries(NAMES, VALUES, max_size=5), max_size=6)
INDENTS = st.sampled_from([None, 0, 1, 2, "\t", "   "])
ASCII = st.booleans()


def ahar(entries: list[Any], **log: Any) -> dict[str, Any]:
    return {
        "log": {"version": "1.2", "creator": {"name": "WebInspector"}, "entries": entries, **log}
    }


def located(raw: bytes, **limits: int) -> list[Located]:
    return list(HarStream(io.BytesIO(raw), **limits).entries())


def entries_of(raw: bytes, **limits: int) -> list[Any]:
    return [entry.value for entry in located(raw, **limits)]


def spaced(text: str, seed: int) -> str:
    """The same JSON with other white space between its tokens."""
    chance, out, quoted, at = random.Random(seed), [], False, 0
    while at < len(text):
        char = text[at]
        out.append(text[at : at + 2] if quoted and char == "\\" else char)
        at += 2 if quoted and char == "\\" else 1
        quoted ^= char == '"' and len(out[-1]) == 1
        if not quoted and char in '{}[],:"':
            out.append("".join(chance.choices(" \n\t\r", k=chance.randrange(4))))
    return "".join(out)


def encoded(text: str) -> bytes:
    # A lone surrogate has no UTF-8: it can only stand as an escape.
    return text.encode("utf-8", "backslashreplace")


@given(ENTRIES, INDENTS, ASCII, st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_any_white_space_and_any_escapes_give_the_entries_of_the_parser(
    entries: list[Any], indent: Any, ascii_only: bool, seed: int
) -> None:
    text = json.dumps(ahar(entries), indent=indent, ensure_ascii=ascii_only)
    for written in (text, spaced(text, seed)):
        raw = encoded(written)
        assert repr(entries_of(raw)) == repr(json.loads(raw)["log"]["entries"])


@given(ENTRIES, INDENTS)
@settings(max_examples=100, deadline=None)
def test_the_bytes_of_an_entry_are_that_entry(entries: list[Any], indent: Any) -> None:
    raw = encoded(json.dumps(ahar(entries), indent=indent, ensure_ascii=False))
    for entry in located(raw):
        assert repr(parse(raw[entry.start : entry.end])) == repr(entry.value)


@given(ENTRIES, INDENTS, st.data())
@settings(max_examples=150, deadline=None)
def test_a_file_that_was_cut_off_is_told(entries: list[Any], indent: Any, data: Any) -> None:
    raw = encoded(json.dumps(ahar(entries), indent=indent, ensure_ascii=False))
    cut = data.draw(st.integers(0, len(raw) - 1))
    with pytest.raises(UsageError):
        entries_of(raw[:cut])


@given(st.lists(st.dictionaries(NAMES, TEXTS, max_size=3), max_size=5), st.data(), INDENTS)
@settings(max_examples=100, deadline=None)
def test_an_entry_that_is_too_large_is_counted_and_the_others_are_read(
    entries: list[Any], data: Any, indent: Any
) -> None:
    large = {"time": 1, "text": '\\"},{"time":"' * 9000}
    at = data.draw(st.integers(0, len(entries)))
    raw = encoded(json.dumps(ahar([*entries[:at], large, *entries[at:]]), indent=indent))
    stream = HarStream(io.BytesIO(raw), 8192)
    assert repr([entry.value for entry in stream.entries()]) == repr(
        json.loads(encoded(json.dumps(entries)))
    )
    assert stream.too_large == 1


def test_numbers_that_json_does_not_have_are_read() -> None:
    assert repr(entries_of(b'{"log":{"entries":[{"time":NaN},{"time":Infinity}]}}')) == (
        "[{'time': nan}, {'time': inf}]"
    )


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", b"\n\t "])
def test_a_byte_order_mark_is_passed_over(mark: bytes) -> None:
    assert entries_of(mark + b'{"log":{"entries":[{}]}}') == [{}]


def test_members_of_the_log_may_stand_in_any_order() -> None:
    raw = (
        b'{"x":{"entries":[{"a":1}]},"log":{"entries":[{"b":2}],"creator":{"name":"Late"},"z":1.5}}'
    )
    stream = HarStream(io.BytesIO(raw))
    assert [entry.value for entry in stream.entries()] == [{"b": 2}]
    assert stream.creator == "Late"


def test_what_is_no_object_is_no_entry() -> None:
    assert entries_of(b'{"log":{"entries":[null,{"a":1},[{"b":2}],"x"]}}') == [{"a": 1}]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"<html>",
        b'{"a":1}',
        b'{"log":[]}',
        b'{"log":{"entries":{}}}',
        b"12:3,",
        b"\x89PNG",
    ],
)
def test_what_is_no_har_is_told_to_be_none(raw: bytes) -> None:
    with pytest.raises(UsageError, match="no HAR"):
        entries_of(raw)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"log":{"entries":[{"a":tru},{"b":1}]}}',
        b'{"log":{"entries":[{"a":1},]}',
        b'{"log":{"entries":[{"a":1} {"b":1}]}}',
        b'{"log":{"entries":[{}]}}trailing',
        b'{"log":{"entries":[{}],}}',
        b'{"log":{"entries":[' + b'{"a":' * 200_000 + b"1" + b"}" * 200_000 + b"]}}",
    ],
)
def test_what_is_no_json_is_told_to_be_damaged(raw: bytes) -> None:
    with pytest.raises(UsageError, match="cut off or damaged"):
        entries_of(raw)


def test_utf_16_is_told_with_the_way_out() -> None:
    with pytest.raises(UsageError, match="UTF-8"):
        entries_of('{"log":{"entries":[]}}'.encode("utf-16"))


def test_an_entry_that_ends_at_the_edge_of_a_chunk_is_read() -> None:
    for size in range(1024 * 1024 - 40, 1024 * 1024 + 8):
        entries = [{"time": "x" * size}, {"time": 2}, {"a": 3}]
        assert entries_of(encoded(json.dumps(ahar(entries)))) == entries
