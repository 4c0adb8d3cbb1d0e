"""The steps that lead from an issued value to the sent one."""

import base64
import binascii
import html
import json
import re
from urllib.parse import unquote

from cards.sources import Decoding

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")


def decode(value: str, step: Decoding) -> str | None:
    """One step from an issued value towards a sent one, or none where it does not apply.

    ``url`` is ECMAScript's decodeURIComponent, so that a plus sign stays one.
    """
    match step:
        case "url":
            return unquote(value) if "%" in value else None
        case "html":
            return html.unescape(value) if "&" in value else None
        case "base64":
            return _plain_base64(value)
        case "json":
            return _json_string(value)


def _plain_base64(value: str) -> str | None:
    if not _BASE64.fullmatch(value):
        return None
    compact = value.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        decoded = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
        return decoded.decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _json_string(value: str) -> str | None:
    if not value.startswith('"'):
        return None
    try:
        text = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return text if isinstance(text, str) else None
