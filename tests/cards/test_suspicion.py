import base64
import uuid
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.suspicion import (
    carries_a_value,
    decoded_forms,
    looks_like_identifier,
    looks_like_secret,
    names_a_secret,
)

WORDS = [
    *("api", "messages", "v1", "v2", "wp-json", "index.php", "oauth2", "createInvoice", "jsonrpc"),
    *("create_item", "admin", "group", "add", "rest", "contents", "closed-post-boxes", "s3"),
]
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1MSJ9.RkFLRS1TSUdOQVRVUkU"


@pytest.mark.parametrize("segment", WORDS)
def test_a_word_in_a_path_is_kept(segment: str) -> None:
    assert not looks_like_identifier(segment)


@pytest.mark.parametrize(
    "segment",
    [
        "42",
        "2026",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "65b2f1c09d3e4a5b6c7d8e9f",
        "3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63",
        "PROJ-123",
        "i_1",
        "user1234",
        "a@example.test",
        "zebra 4711",
        "日本",
        "dQw4w9WgXcQbZ81kLmN0",
        JWT,
    ],
)
def test_a_segment_that_carries_a_value_is_an_identifier(segment: str) -> None:
    assert looks_like_identifier(segment)


@pytest.mark.parametrize(
    "value",
    [
        JWT,
        JWT.replace(".", "%2E"),
        base64.b64encode(JWT.encode()).decode(),
        quote(quote("Bearer " + JWT)),
        "9f86d081884c7d659a2feaa0c55ad015",
        "3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "AKIAIOSFODNN7EXAMPLE",
    ],
)
def test_a_secret_is_seen_in_every_spelling(value: str) -> None:
    assert looks_like_secret(value)


@pytest.mark.parametrize(
    "value",
    ["", "en-US", "true", "draft", "Save and continue", "text/plain", "2026-01-31", "normal"],
)
def test_an_everyday_constant_is_no_secret(value: str) -> None:
    assert not looks_like_secret(value)


@pytest.mark.parametrize(
    "name", ["password", "user[password]", "csrf_token", "X-API-Key", "sid", "otp", "__VIEWSTATE"]
)
def test_a_field_may_say_that_it_holds_a_secret(name: str) -> None:
    assert names_a_secret(name)


@pytest.mark.parametrize("name", ["title", "author", "passenger", "sidebar", "pinned"])
def test_a_field_with_a_harmless_name_holds_none(name: str) -> None:
    assert not names_a_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *("title", "user[tag]", "items[0][qty]", "clientMutationId", "address_2", "größe", "$ref"),
        *(
            "@type",
            "oauth2ClientId",
            "form:j_id1",
            "X-Api-Key",
            "0",
            "base64",
            "",
            "v1beta1",
            "__RequestVerificationToken",
            "ctl00$MainContent$TextBox1",
            "user[profile_attributes][0][address_line_1]",
            "oauth2ClientRegistrationId",
            "日本",
        ),
    ],
)
def test_a_word_is_a_name(name: str) -> None:
    assert not carries_a_value(name)


@pytest.mark.parametrize(
    "name",
    [
        *("4711", "items[4711][qty]", "3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63", "a@example.test"),
        *(
            "field_9f86d081884c7d65",
            "dQw4w9WgXcQ8",
            "eyJhbGciOiJI.eyJzdWIi",
            "user-65b2f1c09d3e4a5b",
        ),
    ],
)
def test_a_name_that_carries_a_value_is_none(name: str) -> None:
    assert carries_a_value(name)


@given(st.uuids())
def test_every_uuid_is_an_identifier_and_a_secret(value: uuid.UUID) -> None:
    assert looks_like_identifier(str(value))
    assert looks_like_secret(str(value))


@given(st.text(max_size=100))
def test_decoding_any_text_keeps_the_text_itself(value: str) -> None:
    assert value in decoded_forms(value)
