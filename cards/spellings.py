"""The spellings under which a value may hide in another text."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

from cards.suspicion import decoded_forms


def spellings(value: str) -> frozenset[str]:
    """The value, what it may be an encoding of, and how it may stand encoded in another text."""
    plain = value.encode("utf-8", "surrogatepass")
    forms = {
        *decoded_forms(value),
        html.unescape(value),
        html.escape(value),
        quote(plain, safe=""),
        quote_plus(plain),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        base64.b64encode(plain).decode().rstrip("="),
        base64.urlsafe_b64encode(plain).decode().rstrip("="),
    }
    return frozenset(forms)
