"""Bodies and values in their other spellings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why a body can't be read: one sentence, without values."""

    reason: str


def decode_body(raw: bytes, encoding: str) -> bytes | Undecodable:
    """A body without its content encoding (RFC 9110 section 8.4), at most 64 MiB."""
    raise NotImplementedError
