"""When a token says of itself that it has ended (RFC 7519 section 4.1.4)."""

import base64
import binascii
import json
import time

_PARTS = 3


def has_expired(token: str) -> bool:
    """Whether a value is a JSON Web Token whose ``exp`` has passed; no signature is judged."""
    parts = token.rpartition(" ")[2].split(".")
    if len(parts) != _PARTS:
        return False
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return False
    expires = claims.get("exp") if isinstance(claims, dict) else None
    if not isinstance(expires, int | float) or isinstance(expires, bool):
        return False
    return expires < time.time()
