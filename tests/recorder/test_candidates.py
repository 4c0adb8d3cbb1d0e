import base64
import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.candidates import Candidate, NotACandidate, judge
from tests.recorder.traffic import aget, arequest, declared

VALUE = "zebra 4711"
SAID = declared(message=VALUE)


def reason(request: Any) -> str:
    verdict = judge(request, SAID)
    assert isinstance(verdict, NotACandidate)
    return verdict.reason


@pytest.mark.parametrize(
    "request_",
    [
        # bodies
        arequest(body={"text": VALUE}),
        arequest(body={"a": [{"b": VALUE}]}, method="PUT"),
        arequest(body={"inner": json.dumps({"deep": json.dumps({"text": VALUE})})}),
        arequest(body={"html": f"<p class='x'>{VALUE}</p>"}),
        arequest(body={"text": VALUE.upper()}, method="PATCH"),
        arequest(body={"slug": "zebra-4711"}),
        arequest(body={"blob": "emVicmEgNDcxMQ=="}),
        arequest(body="title=zebra+4711"),
        arequest(body="data=%7B%22t%22%3A%22zebra%204711%22%7D"),
        arequest(
            body=f"--B\r\n\r\n{VALUE}\r\n--B--".encode(), kind="multipart/form-data; boundary=B"
        ),
        arequest(body=b"\x0a\x0a" + VALUE.encode() + b"\xff", kind="application/grpc-web"),
        arequest(body={"query": "mutation($t:String!){add(t:$t){id}}", "variables": {"t": VALUE}}),
        # query and path
        arequest("/api/x?text=zebra%204711", method="DELETE"),
        arequest("/api/zebra%204711", {}),
    ],
)
def test_a_request_that_carries_the_value_is_a_candidate(request_: Any) -> None:
    said = declared(message=VALUE.upper() if b"ZEBRA" in (request_.body or b"") else VALUE)
    assert judge(request_, said) == Candidate(frozenset({"message"}))


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (aget("/api/messages?text=zebra%204711"), "its method changes nothing"),
        (arequest(body={"text": VALUE}, method="OPTIONS"), "its method changes nothing"),
        (replace(aget("/ws"), headers=(("upgrade", "WebSocket"),)), "on a WebSocket"),
        (arequest(body={"t": VALUE}, headers={"sec-purpose": "prefetch"}), "it is a prefetch"),
        (arequest(body={"query": "query($t:String){a(t:$t)}", "t": VALUE}), "a GraphQL query"),
        (arequest(body=[{"query": "{me{id}}"}, {"query": f'{{a(t:"{VALUE}")}}'}]), "GraphQL query"),
        (arequest("/heartbeat", {"n": 1}), "it carries no declared slot value"),
        (arequest("/api/x", b""), "it carries no declared slot value"),
        (arequest("/api/x", {"text": "another"}), "it carries no declared slot value"),
    ],
)
def test_each_refusal_has_its_reason(request_: Any, expected: str) -> None:
    assert expected in reason(request_)
    assert VALUE not in reason(request_)


@pytest.mark.parametrize(
    "request_",
    [
        arequest("/telemetry", {"text": VALUE}),
        arequest("/wp-admin/admin-ajax.php", f"action=heartbeat&data={quote(VALUE)}"),
        arequest("/x", VALUE.encode(), headers={"sec-fetch-dest": "report"}),
    ],
)
def test_what_looks_like_noise_and_carries_the_value_is_a_hinted_candidate(request_: Any) -> None:
    verdict = judge(request_, SAID)
    assert isinstance(verdict, Candidate)
    assert verdict.slots_carried == {"message"}
    assert verdict.telemetry_hint


@pytest.mark.parametrize("changes", [{"body": None}, {"undecodable": "cannot decode body"}])
def test_a_body_that_nobody_can_read_may_be_the_one(changes: Any) -> None:
    request = replace(arequest(body={"text": VALUE}), **changes)
    assert judge(request, SAID) == Candidate(frozenset())
    hinted = replace(request, target="/telemetry", body=None)
    assert isinstance(judge(hinted, SAID), NotACandidate)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"eyJhbGciOiJSU0EtT0FFUCJ9.a2V5.aXY.Y2lwaGVy.dGFn", "application/jose"),
        (b"\x00\x91\xf3\xc4", "application/octet-stream"),
        (b"\x01\x00\x00\x00\x04\x1f\x8b\x08\x00", "application/grpc-web+proto"),
        ({"ciphertext": "Q2FuIHlvdSByZWFkIHRoaXM/Cg", "iv": "MTIz"}, None),
    ],
    ids=["jwe", "bytes", "compressed", "cipher text"],
)
def test_a_body_that_hides_its_values_may_be_the_one(body: Any, kind: str | None) -> None:
    request = arequest("/api/messages", body, kind=kind)
    assert judge(request, SAID) == Candidate(frozenset())
    hinted = replace(request, target="/telemetry")
    assert isinstance(judge(hinted, SAID), NotACandidate)


def test_a_body_that_keeps_texts_as_they_are_is_believed_when_it_has_none() -> None:
    body = b"\x00\x00\x00\x00\x07\x0a\x05hello"
    request = arequest("/api/messages", body, kind="application/grpc-web+proto")
    assert isinstance(judge(request, SAID), NotACandidate)


def test_grpc_web_in_base64_is_looked_into() -> None:
    frame = b"\x00\x00\x00\x00\x0c\x0a\x0a" + VALUE.encode()
    request = arequest(body=base64.b64encode(frame), kind="application/grpc-web-text")
    assert judge(request, SAID) == Candidate(frozenset({"message"}))


def test_the_slots_that_are_carried_are_named() -> None:
    said = declared(title="a long title", lang="de", other="nothing of it")
    verdict = judge(arequest(body={"title": "a long title", "lang": "de"}), said)
    assert verdict == Candidate(frozenset({"title", "lang"}))


@settings(deadline=None)
@given(st.text(min_size=4, max_size=30).filter(lambda text: text.strip() == text))
def test_any_typed_text_is_found_in_json_and_in_forms(value: str) -> None:
    said = declared(message=value)
    inner = json.dumps({"deep": value})
    for body in (
        json.dumps({"text": value}),
        json.dumps({"text": inner}),
        f"text={quote(value)}",
        f"text={quote_plus(value)}",
    ):
        kind = "application/json" if body[:1] == "{" else "application/x-www-form-urlencoded"
        assert isinstance(judge(arequest(body=body, kind=kind), said), Candidate)
