"""Whatever a page sends: the card is valid, has the same shape, and holds no value of it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cards.card import seal, seal_ui_only
from cards.contract import Contract
from cards.escaping import encode
from cards.shapes import OpaqueBody
from cards.spellings import spellings
from recorder.escaping import take_apart
from recorder.naming import identifier, is_name
from recorder.stripping import Stripped
from tests.recorder.traffic import arequest, declared, shape, stripped

NAMES = st.one_of(
    st.sampled_from(["text", "id", "user[tag]", "meta", "csrf_token", "$ref", "0", "größe", ""]),
    st.text(max_size=12),
)
# What the nets below the structure say; the structure must never need them.
NETS = (
    "the request has a part that no card can describe",
    "a captured value would have stayed in the card",
)
# Long enough and unlike any word of a card, so that finding one means that it was kept.
MARKS = st.integers(0, 10**6).map(lambda n: f"Q{n:07d}w")
TEXTS = st.one_of(st.text(max_size=30), MARKS, st.builds(lambda a, b: f"{a} {b}", MARKS, MARKS))
SCALARS = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.uuids().map(str),
    st.datetimes().map(lambda at: at.isoformat() + "Z"),
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(NAMES, inner, max_size=4),
        inner.map(lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False)),
    ),
    max_leaves=20,
)
BODIES = st.one_of(st.dictionaries(NAMES, DOCUMENTS, max_size=5), st.lists(DOCUMENTS, max_size=5))
PAIRS = st.lists(st.tuples(NAMES, TEXTS), max_size=8)


def scalars_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from scalars_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from scalars_of(item)
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield json.dumps(value)


def card_text(result: Stripped) -> str:
    reason = result.ui_only
    assert reason not in NETS
    card = seal(result.contract) if reason is None else seal_ui_only(result.contract, reason)
    text = card.file.model_dump_json(by_alias=True, exclude_defaults=True, exclude={"digest"})
    assert Contract.model_validate_json(result.contract.canonical()) == result.contract
    return text


def assert_none_is_kept(values: list[str], names: Iterable[str], text: str) -> None:
    known = [form for name in names for form in (*spellings(name), identifier(name))]
    skeleton = card_text(stripped(arequest(body={"a": 1}))) + "\n".join(known)
    for value in values:
        if len(value) > 3 and any(character.isdigit() for character in value):
            for form in {value, quote(value), quote_plus(value), *spellings(value)}:
                if len(form) > 3 and form not in skeleton:
                    assert form not in text


@settings(deadline=None)
@given(BODIES)
def test_no_scalar_of_a_json_body_is_in_its_card(body: Any) -> None:
    result = stripped(arequest(body=body), declared(message="zebra 4711"))
    assert_none_is_kept(list(scalars_of(body)), _names(body), card_text(result))


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, str) and value[:1] in ("{", "["):
        try:
            yield from _names(json.loads(value))
        except ValueError:
            return


@settings(deadline=None)
@given(PAIRS)
def test_no_value_of_a_form_is_in_its_card(pairs: list[tuple[str, str]]) -> None:
    result = stripped(arequest(body=urlencode(pairs, errors="surrogatepass")))
    names = [name for name, _ in pairs]
    assert_none_is_kept([value for _, value in pairs], names, card_text(result))


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, TEXTS), max_size=5), st.lists(TEXTS, max_size=4))
def test_no_value_of_query_or_headers_is_in_a_card(
    pairs: list[tuple[str, str]], headers: list[str]
) -> None:
    sent = tuple((f"x-custom-{i}", value) for i, value in enumerate(headers))
    request = arequest(f"/api/x?{urlencode(pairs)}", body={}, headers=(*sent, ("cookie", "a=Q1w")))
    names = [name for name, _ in pairs]
    assert_none_is_kept(
        [*headers, *(value for _, value in pairs)], names, card_text(stripped(request))
    )


@settings(deadline=None)
@given(st.lists(st.one_of(MARKS, st.uuids().map(str), st.integers(0).map(str)), max_size=5))
def test_no_identifier_of_a_path_is_in_a_card(segments: list[str]) -> None:
    target = "/api/" + "/".join(quote(segment, safe="") for segment in segments)
    assert_none_is_kept(segments, (), card_text(stripped(arequest(target, body={}))))


@settings(deadline=None)
@given(BODIES)
def test_a_json_body_keeps_its_shape(body: Any) -> None:
    assume(all(map(is_name, _names(body))))
    result = stripped(arequest(body=body))
    assert not isinstance(result.contract.body, OpaqueBody)
    assert _same_shape(shape(result), body)


def _same_shape(kept: Any, sent: Any) -> bool:
    if isinstance(sent, dict):
        members = kept["object"]
        return list(members) == list(sent) and all(
            _same_shape(members[name], item) for name, item in sent.items()
        )
    if isinstance(sent, list):
        items = kept["array"]
        return len(items) == len(sent) and all(map(_same_shape, items, sent))
    if "json_text" in kept:
        return isinstance(sent, str) and _same_shape(kept["json_text"], json.loads(sent))
    if sent is None:
        return bool(kept == {"null": True})
    return bool({"slot", "generated"} & set(kept))


@settings(deadline=None)
@given(PAIRS)
def test_form_pairs_keep_their_order_and_names(pairs: list[tuple[str, str]]) -> None:
    assume(pairs and all(is_name(name) for name, _ in pairs))
    result = stripped(arequest(body=urlencode(pairs)))
    assert [pair["name"] for pair in shape(result)["pairs"]] == [name for name, _ in pairs]


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_becomes_a_valid_card(body: str) -> None:
    for kind in ("application/json", "application/x-www-form-urlencoded", "text/plain"):
        card_text(stripped(arequest(body=body.encode("utf-8", "replace"), kind=kind)))


@settings(deadline=None)
@given(st.binary(max_size=60), st.text(max_size=20))
def test_any_bytes_and_target_become_a_valid_card(body: bytes, target: str) -> None:
    card_text(stripped(arequest(f"/{target}", body=body, kind="application/json")))


@settings(deadline=None)
@given(PAIRS, st.sampled_from([quote_plus, quote]))
def test_one_manner_of_escaping_gives_the_same_bytes(
    pairs: list[tuple[str, str]], escape: Any
) -> None:
    raw = "&".join(f"{escape(name, safe='-._')}={escape(text, safe='-._')}" for name, text in pairs)
    taken = take_apart(raw)
    assert taken is not None
    again = "&".join(
        f"{encode(pair.name or '', taken.escaping)}={encode(pair.value or '', taken.escaping)}"
        for pair in taken.pairs
    )
    assert again == raw or not pairs


@settings(max_examples=50, deadline=None)
@given(MARKS, st.sampled_from(["text", "note"]))
def test_a_declared_value_is_found_in_every_place(value: str, name: str) -> None:
    inner = json.dumps({"deep": value}, separators=(",", ":"))
    body = {name: value, "copy": [value], "inner": inner, "html": f"<p>{value}</p>"}
    result = stripped(arequest(f"/api/{value}?q={value}", body=body), declared(message=value))
    assert set(result.contract.slots) == {"message"}
    assert result.ui_only is None
