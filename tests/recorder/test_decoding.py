import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mitmproxy.net import encoding

from cards.spellings import spellings
from recorder import decoding
from recorder.decoding import Undecodable, decode_body, percent_decoded, unprefixed, ways


@pytest.mark.parametrize("name", ["gzip", "br", "zstd", "deflate", "identity", ""])
def test_a_body_is_read_without_its_encoding(name: str) -> None:
    plain = b'{"password":"x"}' * 20
    raw = plain if name in ("identity", "") else encoding.encode(plain, name)
    assert isinstance(raw, bytes)
    assert decode_body(raw, name) == plain


def test_a_bare_deflate_stream_is_read_too() -> None:
    packer = zlib.compressobj(wbits=-15)
    assert decode_body(packer.compress(b"plain") + packer.flush(), "deflate") == b"plain"


@pytest.mark.parametrize("name", ["snappy", "sdch, gzip", "br, gzip", "gzip"])
def test_an_unknown_or_broken_encoding_is_told_by_name(name: str) -> None:
    assert decode_body(b'\r0{"ti', name) == Undecodable(f"cannot decode body (encoding {name})")


def test_an_odd_encoding_name_is_not_repeated() -> None:
    said = decode_body(b"x", "CANARY\r\n_token=1")
    assert said == Undecodable("cannot decode body (encoding unknown)")


def test_a_body_that_is_cut_short_is_no_body() -> None:
    assert isinstance(decode_body(gzip.compress(b"x" * 1000)[:-9], "gzip"), Undecodable)


def test_a_small_body_cannot_become_all_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_BODY", 1000)
    said = decode_body(gzip.compress(bytes(5000)), "gzip")
    assert isinstance(said, Undecodable)
    assert "larger than 64 MiB" in said.reason


def test_ways_lead_from_an_issued_value_to_each_sent_one() -> None:
    found = {form: way for way, form in ways("dG9r%2BZQ%3D%3D")}
    assert found["dG9r%2BZQ%3D%3D"] == ()
    assert found["dG9r+ZQ=="] == ("url",)
    assert {form: way for way, form in ways("%22tok-1%22")}["tok-1"] == ("url", "json")


@pytest.mark.parametrize(
    ("sent", "expected"),
    [("Bearer a", ("Bearer ", "a")), ("JWT b", ("JWT ", "b")), ("plain", ("", "plain"))],
)
def test_a_known_prefix_is_taken_off(sent: str, expected: tuple[str, str]) -> None:
    assert unprefixed(sent) == expected


def test_percent_decoding_fails_as_a_value() -> None:
    assert percent_decoded("a+b%20c", plus=True) == "a b c"
    assert percent_decoded("a+b%20c", plus=False) == "a+b c"
    assert percent_decoded("%ff", plus=True) is None


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_has_itself_among_its_spellings(value: str) -> None:
    assert value in spellings(value)
    assert next(ways(value)) == ((), value)
