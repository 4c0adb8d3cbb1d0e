from typing import Any

import pytest

from recorder.stripping import Stripped
from tests.recorder.traffic import arequest, declared, stripped

UUID = "6f1c0c5e-0000-4000-8000-000000000001"


def headers_of(*headers: tuple[str, str], **changes: Any) -> Stripped:
    return stripped(arequest(body=changes.pop("body", {}), headers=headers, **changes))


def test_structural_headers_keep_their_value() -> None:
    result = headers_of(
        ("accept", "application/json, */*;q=0.5"),
        ("x-requested-with", "XMLHttpRequest"),
        ("origin", "https://app.example.test"),
        ("referer", "https://app.example.test/rooms/42?token=CANARY"),
    )
    assert result.contract.pretty()["headers"] == {
        "content_type": "application/json",
        "accept": "application/json, */*;q=0.5",
        "requested_with": "XMLHttpRequest",
        "origin": True,
        "referer": True,
    }
    assert "CANARY" not in str(result.contract.pretty())
    assert result.contract.unresolved == ()


def test_origin_and_referer_are_sent_only_if_the_page_sent_them() -> None:
    headers = headers_of().contract.headers
    assert (headers.origin, headers.referer) == (False, False)


def test_a_content_type_loses_its_boundary() -> None:
    result = headers_of(body=b"--B", kind="multipart/form-data; boundary=B7CANARY")
    assert result.contract.headers.content_type == "multipart/form-data"


def test_a_charset_stays_as_it_was_written() -> None:
    result = headers_of(body=b"{}", kind="text/plain;charset=UTF-8")
    assert result.contract.headers.content_type == "text/plain;charset=UTF-8"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("accept", "CANARY"),
        ("accept", "application/json; token=CANARY"),
        ("x-requested-with", "com.example.CANARY"),
        ("origin", "null"),
        ("referer", "https://other.example.test/CANARY"),
        ("authorization", "Bearer CANARY-1234567"),
        ("x-client", "CANARY"),
    ],
)
def test_what_nobody_explains_is_unresolved_by_name(name: str, value: str) -> None:
    result = headers_of((name, value))
    assert result.contract.unresolved == (f"header:{name}",)
    assert value not in str(result.contract.pretty())
    assert result.ui_only is None


@pytest.mark.parametrize(
    "name",
    [
        *("host", "connection", "content-length", "accept-encoding", "accept-language"),
        *("user-agent", "sec-fetch-site", "sec-ch-ua", "date", "if-none-match", "traceparent"),
        *("dnt", "pragma", "cache-control", "priority", "upgrade-insecure-requests", "te", "via"),
        *("cookie", "content-encoding", "if-modified-since", ":authority"),
    ],
)
def test_what_browsers_and_transports_add_is_left_out(name: str) -> None:
    result = headers_of((name, "CANARY=CANARY"))
    assert result.contract.unresolved == ()
    assert result.contract.custom_headers == {}
    assert "CANARY" not in str(result.contract.pretty())


@pytest.mark.parametrize("name", ["idempotency-key", "x-request-id", "x-correlation-id"])
def test_ids_of_one_request_are_made_afresh(name: str) -> None:
    result = headers_of((name, UUID))
    assert [value.kind for value in result.contract.generated.values()] == ["uuid"]
    assert list(result.contract.custom_headers) == [name]
    assert UUID not in str(result.contract.pretty())


def test_a_declared_value_in_a_header_is_its_slot() -> None:
    request = arequest(body={}, headers={"x-title": "zebra 4711"})
    result = stripped(request, declared(title="zebra 4711"))
    assert result.contract.pretty()["custom_headers"] == {"x-title": {"slot": "title"}}


def test_a_structural_header_may_be_pinned() -> None:
    said = declared({"header:content-type": "application/vnd.api.v2+json"})
    request = arequest(body={"a": 1}, kind="application/vnd.api.v2+json")
    assert stripped(request).contract.unresolved == ("header:content-type",)
    result = stripped(request, said)
    shown = result.contract.pretty()["custom_headers"]
    assert shown == {"content-type": {"pin": "application/vnd.api.v2+json"}}


def test_a_header_that_repeats_is_unresolved() -> None:
    result = headers_of(("x-one", "a"), ("x-one", "b"))
    assert result.contract.unresolved == ("header:x-one",)


@pytest.mark.parametrize("name", ["x-http-method-override", "x-http-method", "x-method-override"])
def test_a_header_that_changes_the_method_needs_a_pin(name: str) -> None:
    request = arequest(body={}, headers={name: "DELETE"})
    result = stripped(request)
    assert result.ui_only == (
        f"the header {name} changes what the request does and has no source: pin it"
    )
    assert "DELETE" not in str(result.contract.pretty())
    pinned = stripped(request, declared({f"header:{name}": "DELETE"}))
    assert pinned.ui_only is None


def test_a_cookie_is_never_pinned() -> None:
    request = arequest(body={}, headers={"cookie": "a=CANARY"})
    result = stripped(request, declared(kept=frozenset({"header:cookie"})))
    assert result.contract.custom_headers == {}
    assert result.unused_pins == ("header:cookie",)
