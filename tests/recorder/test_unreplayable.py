"""Each kind that can't be sent again is named, and what only resembles one is not refused."""

import base64
from typing import Any

import pytest

from recorder import unreplayable as kinds
from tests.recorder.traffic import arequest, declared, stripped

VALUE = "zebra 4711"
SAID = declared(message=VALUE)
JWE = "eyJhbGciOiJSU0EtT0FFUCJ9.a2V5.aXY.Y2lwaGVy.dGFn"
JWS = "eyJhbGciOiJFUzI1NiJ9.eyJ0IjoxfQ.c2lnbmF0dXJl"
ANSWER = "03AGdBq2" + "x" * 120
HMAC = "9b2f0c4de1a85377ab90cd1122334455"


def reason(body: Any, *, target: str = "/api/messages", **changes: Any) -> str | None:
    return stripped(arequest(target, body, **changes), SAID).ui_only


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("application/grpc-web+proto", "gRPC-web"),
        ("application/grpc-web", "gRPC-web"),
        ("application/x-protobuf", "protobuf"),
        ("application/protobuf", "protobuf"),
        ("application/proto", "protobuf"),
        ("application/connect+proto", "a Connect stream"),
        ("application/msgpack", "MessagePack"),
        ("application/vnd.msgpack", "MessagePack"),
        ("application/cbor", "CBOR"),
        ("application/x-thrift", "binary"),
    ],
)
def test_a_binary_body_is_named_by_its_media_type(kind: str, named: str) -> None:
    body = b"\x00\x00\x00\x00\x0c\x0a\x0a" + VALUE.encode() + b"\xff"
    why = reason(body, kind=kind)
    assert why == f"The body is {named}, which only the page's script can write."


def test_grpc_web_in_base64_is_named() -> None:
    frame = base64.b64encode(b"\x00\x00\x00\x00\x0c\x0a\x0a" + VALUE.encode())
    assert "gRPC-web" in str(reason(frame, kind="application/grpc-web-text"))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (JWE.encode(), "application/jose"),
        (JWE.encode(), "text/plain"),
        (JWS.encode(), "text/plain"),
        (b"\x30\x82", "application/pkcs7-mime"),
        (b"\x01\x00", "message/ohttp-req"),
        ({"protected": "e30", "ciphertext": "Q2FuIHlvdSByZWFkIHRoaXM/Cg", "iv": "MTIz"}, None),
        ({"payload": "e30", "protected": "e30", "signature": "c2ln"}, None),
        ({"data": "U2FsdGVkX1+vupppZksvRf5pq5g5XjFRIipRkwB0K1Y="}, None),
        ("encryptedData=9b2f0c4de1a85377ab90cd1122334455", None),
    ],
    ids=["jwe", "jwe as text", "jws", "pkcs7", "ohttp", "jwe json", "jws json", "salted", "form"],
)
def test_an_encrypted_or_signed_body_is_named(body: Any, kind: str | None) -> None:
    assert reason(body, kind=kind) == kinds.ENCRYPTED


def test_a_stream_of_bytes_is_named() -> None:
    assert reason(b"\x91\xf3\xc4", kind="application/octet-stream") == kinds.BYTES


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/protobuf"])
def test_a_content_type_that_lies_about_json_is_not_believed(kind: str) -> None:
    assert reason({"text": VALUE}, kind=kind) is None


@pytest.mark.parametrize(
    ("target", "body", "headers"),
    [
        ("/", f'["{VALUE}"]', {"next-action": "7f" * 20}),
        ("/", {"text": VALUE}, {"rsc-action": "actions.js#add"}),
        ("/", f"$ACTION_ID_{'7f' * 20}=&text={VALUE}", {}),
        ("/_serverFn/abc", {"text": VALUE}, {}),
        ("/_app/remote/1x/add", {"text": VALUE}, {}),
        ("/_server", {"text": VALUE}, {"x-server-instance": "server-fn:3"}),
        ("/?qfunc=abc", {"text": VALUE}, {"x-qrl": "abc"}),
    ],
    ids=["next", "rsc", "next form", "tanstack", "sveltekit", "solid", "qwik"],
)
def test_a_server_action_is_named(target: str, body: Any, headers: dict[str, str]) -> None:
    assert reason(body, target=target, headers=headers) == kinds.SERVER_ACTION


def test_a_sveltekit_form_action_is_an_ordinary_form() -> None:
    why = reason(f"text={VALUE}", target="/?/add", headers={"x-sveltekit-action": "true"})
    assert why is None


@pytest.mark.parametrize(
    "name",
    [
        "g-recaptcha-response",
        "h-captcha-response",
        "cf-turnstile-response",
        "recaptchaToken",
        "captcha_token",
        "frc-captcha-solution",
        "turnstileToken",
    ],
)
def test_a_captchas_answer_is_named(name: str) -> None:
    assert reason({"text": VALUE, name: "an-answer"}) == kinds.CAPTCHA
    assert reason(f"text={VALUE}&{name}=an-answer") == kinds.CAPTCHA


def test_a_captchas_answer_is_known_by_its_shape_too() -> None:
    assert reason({"text": VALUE, "verify": ANSWER}) == kinds.CAPTCHA


def test_a_captcha_that_was_not_asked_is_no_reason() -> None:
    assert reason(f"text={VALUE}&g-recaptcha-response=") is None
    assert reason({"text": VALUE, "captcha": None}) is None


def test_a_captcha_that_the_caller_answers_is_no_reason() -> None:
    said = declared(message=VALUE, answer="x7k2p")
    request = arequest(body={"text": VALUE, "captcha": "x7k2p"})
    assert stripped(request, said).ui_only is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x-signature", HMAC),
        ("x-hub-signature-256", f"sha256={HMAC}"),
        ("signature", f"sig1=:{HMAC}:"),
        ("x-request-hmac", HMAC),
        ("x-sign", HMAC),
        ("dpop", JWS),
        ("authorization", f"AWS4-HMAC-SHA256 Credential=A/1, Signature={HMAC}"),
        ("authorization", f'Digest username="u", response="{HMAC}"'),
    ],
)
def test_a_signed_request_is_named(name: str, value: str) -> None:
    assert reason({"text": VALUE}, headers={name: value}) == kinds.SIGNED


def test_a_short_header_of_that_name_is_no_signature() -> None:
    assert reason({"text": VALUE}, headers={"x-sign-in": "form"}) is None


def test_a_captchas_answer_in_a_header_is_named() -> None:
    assert reason({"text": VALUE}, headers={"x-recaptcha-token": ANSWER}) == kinds.CAPTCHA


def test_a_passkeys_answer_is_named() -> None:
    body = {
        "text": VALUE,
        "response": {"clientDataJSON": "e30", "authenticatorData": "e30", "signature": "e30"},
    }
    assert reason(body) == kinds.PASSKEY


@pytest.mark.parametrize(
    "target",
    [
        "/socket.io/?EIO=4&transport=polling&sid=abc",
        "/live/longpoll?vsn=2.0.0",
        "/sockjs/123/abcdef/xhr_send",
    ],
)
def test_a_socket_that_polls_is_named(target: str) -> None:
    assert reason(f'42["say","{VALUE}"]', target=target, kind="text/plain") == kinds.SOCKET_SESSION


def test_no_reason_holds_anything_of_the_request() -> None:
    why = reason({"text": VALUE, "captcha": "CANARY"}, headers={"x-signature": HMAC})
    assert why is not None
    assert "CANARY" not in why
    assert VALUE not in why
