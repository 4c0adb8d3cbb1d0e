"""An attempt without an outcome, settled by what the readback shows.

Rules:
1. It can only read: import-linter keeps the send out of its reach.
2. What cannot be seen is uncertain, and left for a person.
"""

from collections.abc import Mapping

from cards.readback import Readback
from verifier import Evidence, Outcome, Success, Uncertain
from verifier.http import Reader
from verifier.matching import SlotValue
from verifier.records import Count, CountFailed, count


async def settle(
    reader: Reader, readback: Readback, values: Mapping[str, SlotValue], before: Count
) -> Outcome:
    """What became of an attempt whose outcome nobody wrote down.

    Args:
        reader: of the card's origin, with the login.
        readback: the card's own.
        values: of the attempt.
        before: the count taken before it.
    """
    after = await count(reader, readback, values)
    if isinstance(after, CountFailed):
        return Uncertain(f"The attempt has no outcome, and the readback failed. {after.message}")
    evidence = Evidence.between(
        before, after, "replay", window=readback.is_part, expect=readback.expect
    )
    if evidence.proves:
        return Success(evidence, notes=("settled by readback after an interruption",))
    return Uncertain(
        "The attempt has no outcome, and the readback does not show its record.",
        evidence=evidence,
    )
