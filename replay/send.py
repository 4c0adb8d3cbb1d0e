"""The send: one prepared request, one attempt, once.

Rules:
1. Nothing here can loop or retry, and nothing that can retry reaches this (import-linter).
2. It never raises past the audit: whatever happens to the request is an answer or the lack of
   one. Only a program that sends twice, or with another's attempt, gets an exception.
"""

import asyncio
from collections.abc import Iterable, Iterator

from replay.attempt import Attempt
from replay.prepared import Prepared
from replay.wire import Wire
from verifier.answers import Answered, NoAnswer
from verifier.matching import SlotValue, text_of
from verifier.verdict import no_answer_for


async def send(prepared: Prepared, attempt: Attempt, wire: Wire) -> Answered | NoAnswer:
    """Send the request that the attempt was written down for.

    Raises:
        AlreadySentError: the request was taken before.
        ValueError: the attempt belongs to another request.
    """
    if attempt.fingerprint != prepared.fingerprint:
        raise ValueError("the attempt was written down for another request")
    request = prepared.take()
    said = (*_texts(prepared.values.values()), *prepared.live.values())
    try:
        return await wire.write(request, said)
    except asyncio.CancelledError:
        return NoAnswer("cancelled", maybe_sent=True)
    except Exception as error:  # noqa: BLE001  (rule 2; the table decides what it means)
        return no_answer_for(error)


def _texts(values: Iterable[SlotValue]) -> Iterator[str]:
    for value in values:
        yield from map(text_of, value if isinstance(value, tuple) else (value,))
