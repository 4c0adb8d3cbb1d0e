"""The search for markers finds what is planted, in every form: a search that can't is no proof."""

import base64
import html
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from e2e.markers import FORMS, Leak, Marks, leaks_below, leaks_in


@pytest.fixture
def marks() -> Marks:
    return Marks()


def every(template: str) -> Callable[[str], str]:
    return lambda text: "".join(template.format(ord(character)) for character in text)


ENCODERS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper case": str.upper,
    "URL, as needed": quote,
    "URL, every character": every("%{:02X}"),
    "double URL": lambda text: quote(every("%{:02X}")(text), safe=""),
    "HTML, as needed": html.escape,
    "HTML, decimal": every("&#{};"),
    "HTML, hexadecimal": every("&#x{:X};"),
    "JSON": lambda text: json.dumps({"deep": [text]}),
    "JSON, every character": every("\\u{:04x}"),
    "JSON in JSON": lambda text: json.dumps(every("\\u{:04x}")(text)),
    "hexadecimal": lambda text: text.encode().hex(),
    "base64, aligned": lambda text: base64.b64encode(text.encode()).decode(),
    "base64, shifted by one": lambda text: base64.b64encode(f"x{text}y".encode()).decode(),
    "base64, shifted by two": lambda text: base64.b64encode(f"xy{text}".encode()).decode(),
    "base64, in lines": lambda text: base64.encodebytes(b"xyz" * 18 + text.encode()).decode(),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(f"~~~?{text}".encode()).decode(),
    "base64 twice": lambda text: base64.b64encode(base64.b64encode(f"u:{text}".encode())).decode(),
    "UTF-16": lambda text: text.encode("utf-16-le").decode(),
}


@pytest.mark.parametrize("encode", ENCODERS.values(), ids=ENCODERS)
@pytest.mark.parametrize("kind", ["text", "number"])
def test_a_marker_planted_beside_a_card_is_found_and_named(
    marks: Marks, tmp_path: Path, encode: Callable[[str], str], kind: str
) -> None:
    value = marks.text("the token") if kind == "text" else str(marks.number("the token"))
    planted = tmp_path / "cards.d" / ".locks" / "send_message.lock"
    planted.parent.mkdir(parents=True)
    planted.write_text(f"before {encode(value)} after")
    found = leaks_below(marks, tmp_path)
    assert {(leak.where, leak.what) for leak in found} == {
        ("cards.d/.locks/send_message.lock", "the token")
    }


def test_a_marker_that_was_cut_off_is_found(marks: Marks) -> None:
    value = marks.text("the token")
    found = leaks_in(marks, "stderr", f"token={value[:16]}…")
    assert found == [Leak("stderr", "a part of some marker", "plain")]


def test_a_marker_in_a_files_name_is_found(marks: Marks, tmp_path: Path) -> None:
    (tmp_path / f"{marks.text('the title')}.json").touch()
    assert [leak.what for leak in leaks_below(marks, tmp_path)] == ["the title"]


def test_what_a_file_may_hold_is_allowed_to_it_alone(marks: Marks, tmp_path: Path) -> None:
    value = marks.text("the cookie")
    for name in ("login.json", "login.json.bak"):
        (tmp_path / name).write_text(value)
    found = leaks_below(marks, tmp_path, but=[tmp_path / "login.json"])
    assert [leak.where for leak in found] == ["login.json.bak"]


def test_a_noted_value_is_searched_for_as_it_is(marks: Marks) -> None:
    marks.note("the request's id", "0b7a5a3e-9f1d-4c62-8a55-2f0c7d1e9b44")
    found = leaks_in(marks, "audit.db", b"\0id 0B7A5A3E-9F1D-4C62-8A55-2F0C7D1E9B44\xff")
    assert [leak.what for leak in found] == ["the request's id"]


def test_a_leak_does_not_tell_the_value(marks: Marks) -> None:
    value = marks.text("the token")
    assert value not in repr(leaks_in(marks, "stdout", value))


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_base64_hides_no_marker_whatever_stands_around_it(before: bytes, after: bytes) -> None:
    marks = Marks()
    value = marks.text("the token").encode()
    assert leaks_in(marks, "", base64.b64encode(before + value + after))


@given(st.binary(max_size=400))
def test_noise_is_no_marker(noise: bytes) -> None:
    assert leaks_in(Marks(), "", noise + base64.b64encode(noise)) == []


def test_every_form_of_a_marker_is_a_form_of_its_own() -> None:
    texts = [text for encode in FORMS.values() for text in encode("CANARY7f3a9c")]
    assert len(set(texts)) == len(texts)
