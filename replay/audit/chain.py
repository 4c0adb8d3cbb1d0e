"""The hash chain: each row carries the hash of the one before.

Rules:
1. A hash covers the row's own members in their canonical form (RFC 8785) and the hash before.
"""

import hashlib
from collections.abc import Mapping

import rfc8785

GENESIS = "0" * 64
"""What stands before the first row."""


def link(previous: str, members: Mapping[str, str | int | None]) -> str:
    """The hash of a row, as 64 hexadecimal digits."""
    canonical = rfc8785.dumps({**members, "previous": previous})
    return hashlib.sha256(canonical).hexdigest()
