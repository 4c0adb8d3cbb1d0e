import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.imports.har_body import (
    DAMAGED,
    DIFFERENT,
    FORM,
    GARBLED,
    OPENED,
    SentBody,
    answered_body,
    sent_body,
)

JSON = "application/json"
NOWHERE = Path("/nonexistent")


def body(
    post: Any = None,
    *,
    kind: str = JSON,
    encoding: str = "",
    length: str = "",
    creator: str = "x",
    folder: Path = NOWHERE,
    **request: Any,
) -> SentBody:
    members = {**request, **({} if post is None else {"postData": post})}
    return sent_body(members, kind, encoding, length, creator=creator, folder=folder)


def params(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


# -- text


def test_text_is_the_body() -> None:
    assert body({"text": '{"ä":1}'}).content == '{"ä":1}'.encode()


@pytest.mark.parametrize("mark", ["encoding", "_encoding"])
def test_base64_is_decoded_where_it_is_said(mark: str) -> None:
    assert body({"text": b64(b"\x00\xff"), mark: "base64"}).content == b"\x00\xff"


def test_base64_json_that_nobody_announced_is_decoded_and_said() -> None:
    found = body({"text": b64('{"a":1}')})
    assert (found.content, found.notes) == (b'{"a":1}', (OPENED,))


def test_text_that_only_looks_like_base64_stays() -> None:
    assert body({"text": "abcd"}).content == b"abcd"
    assert body({"text": b64('{"a":1}')}, kind="text/plain").content == b64('{"a":1}').encode()


def test_damaged_base64_is_said() -> None:
    assert body({"text": "§", "encoding": "base64"}).undecodable == DAMAGED


def test_a_compressed_body_is_decoded() -> None:
    post = {"text": b64(gzip.compress(b'{"a":1}')), "encoding": "base64"}
    assert body(post, encoding="gzip").content == b'{"a":1}'


def test_a_text_that_the_exporter_decoded_already_is_taken_as_it_is() -> None:
    found = body({"text": '{"a":1}'}, encoding="gzip")
    assert (found.content, found.undecodable) == (b'{"a":1}', None)


def test_a_compressed_body_that_became_garbled_text_is_said() -> None:
    assert body({"text": "\x1f\ufffd\x08"}, encoding="gzip").undecodable == GARBLED


def test_an_unknown_encoding_is_said() -> None:
    found = body({"text": b64("x"), "encoding": "base64"}, encoding="snappy")
    assert "snappy" in (found.undecodable or "")


# -- params


@pytest.mark.parametrize(
    ("pairs", "creator", "expected"),
    [
        ([("a", "go now"), ("b", "")], "Fiddler", b"a=go+now&b="),
        ([("a", "x&y=z")], "WebInspector", b"a=x%26y%3Dz"),
        ([("ä", "100%")], "x", b"%C3%A4=100%25"),
        # as they stood on the wire
        ([("a%5B%5D", "x%20y")], "x", b"a%5B%5D=x%20y"),
        ([("a", "x+y")], "WebInspector", b"a=x+y"),
        # a plus sign of a decoded text
        ([("a", "x+y")], "Fiddler", b"a=x%2By"),
    ],
)
def test_params_without_text_are_a_form(
    pairs: list[tuple[str, str]], creator: str, expected: bytes
) -> None:
    found = body({"params": params(*pairs)}, kind=FORM, creator=creator)
    assert found.content == expected
    assert len(found.notes) == 1


def test_params_of_multipart_are_built_with_the_boundary_of_the_header() -> None:
    fields = [{"name": "t", "value": "zebra"}, {"name": "f", "fileName": "a.txt"}]
    found = body({"params": fields}, kind='multipart/form-data; boundary="B"')
    assert found.content == (
        b'--B\r\nContent-Disposition: form-data; name="t"\r\n\r\nzebra\r\n'
        b'--B\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n\r\n--B--\r\n'
    )


def test_params_of_multipart_without_a_boundary_are_no_body() -> None:
    found = body({"params": params(("t", "zebra"))}, kind="multipart/form-data")
    assert found.content is None


@pytest.mark.parametrize("written", ["x y", "x+y", "x%20y"])
def test_params_that_agree_with_the_text_are_not_spoken_of(written: str) -> None:
    assert body({"text": "a=x+y", "params": params(("a", written))}, kind=FORM).notes == ()


def test_params_that_differ_from_the_text_are_said() -> None:
    found = body({"text": "a=1", "params": params(("a", "2"))}, kind=FORM)
    assert (found.content, found.notes) == (b"a=1", (DIFFERENT,))


# -- missing


@pytest.mark.parametrize("post", [None, {}, {"text": "", "params": []}, {"text": None}, "text", []])
def test_no_text_and_no_size_is_an_empty_body(post: Any) -> None:
    assert body(post).content == b""


@pytest.mark.parametrize("said", [{"bodySize": 512}, {"length": "512"}, {"bodySize": 5.0}])
def test_a_size_without_text_is_a_missing_body(said: dict[str, Any]) -> None:
    assert body(**said).content is None


@pytest.mark.parametrize("said", [{"bodySize": -1}, {"bodySize": 0}, {"bodySize": True}])
def test_a_size_that_says_nothing_is_none(said: dict[str, Any]) -> None:
    assert body(**said).content == b""


# -- files beside the HAR


def test_a_file_beside_the_har_is_read(tmp_path: Path) -> None:
    (tmp_path / "ab12.json").write_bytes(b"{}")
    assert body({"_file": "ab12.json"}, folder=tmp_path).content == b"{}"


def test_a_file_that_is_not_there_is_a_missing_body(tmp_path: Path) -> None:
    assert body({"_file": "ab12.json"}, folder=tmp_path).content is None


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "..", ".hidden", ""])
def test_a_file_elsewhere_is_not_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (tmp_path / "secret").write_text("CANARY")
    (folder / ".hidden").write_text("CANARY")
    assert not body({"_file": name}, folder=folder).content


def test_a_link_beside_the_har_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert body({"_file": "link"}, folder=tmp_path).content is None


# -- answers


def test_an_answer_is_decoded_from_base64() -> None:
    assert answered_body({"text": b64("ä"), "encoding": "base64"}, NOWHERE) == "ä".encode()


@pytest.mark.parametrize("content", [{}, {"text": None}, {"text": "§", "encoding": "base64"}])
def test_an_answer_without_a_body_is_empty(content: dict[str, Any]) -> None:
    assert answered_body(content, NOWHERE) == b""


MESS = st.recursive(
    st.one_of(st.none(), st.text(max_size=8), st.integers(), st.booleans(), st.floats()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
    max_leaves=4,
)
POST = st.fixed_dictionaries(
    {},
    optional={
        "text": st.one_of(MESS, st.text(), st.builds(json.dumps, st.integers())),
        "encoding": st.one_of(MESS, st.just("base64")),
        "params": st.one_of(
            MESS,
            st.lists(st.fixed_dictionaries({}, optional={"name": MESS, "value": st.text() | MESS})),
        ),
        "_file": MESS,
    },
)


@given(POST | MESS, st.sampled_from(["", JSON, FORM, "multipart/form-data; boundary=B"]), MESS)
def test_whatever_an_exporter_writes_is_a_body_or_none(post: Any, kind: str, size: Any) -> None:
    found = body(post, kind=kind, bodySize=size)
    assert found.content is None or isinstance(found.content, bytes)
