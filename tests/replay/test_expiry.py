import base64
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.expiry import has_expired


def jwt(claims: Any) -> str:
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"eyJhbGciOiJub25lIn0.{body}.c2ln"


@pytest.mark.parametrize(
    ("claims", "expired"),
    [
        ({"exp": 1}, True),
        ({"exp": time.time() + 3600}, False),
        ({"sub": "u1"}, False),
        ({"exp": True}, False),
        ({"exp": "1"}, False),
        ([], False),
    ],
)
def test_a_token_says_when_it_has_ended(claims: Any, expired: bool) -> None:
    assert has_expired(jwt(claims)) is expired
    assert has_expired(f"Bearer {jwt(claims)}") is expired


@given(st.text())
def test_any_other_text_has_no_end(text: str) -> None:
    assert not has_expired(text)
