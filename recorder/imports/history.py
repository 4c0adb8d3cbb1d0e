"""What the site answered before the decisive request, read again from the file in bounded memory.

Rules:
1. The newest go first where not all fit: 4000 exchanges, 24 MiB of pages, 8 MiB of other answers.
2. An answer that does not fit, or holds nothing of what was sent, keeps its headers.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.answers import MAX_ANSWER, MAX_EXCHANGES
from recorder.imports.passed import Passed, Source, Spot
from recorder.imports.relevance import is_relevant
from recorder.traffic import RawResponse

_MAX_PAGES = 24 * 1024 * 1024
_MAX_OTHERS = 8 * 1024 * 1024


def history(
    source: Source, spots: Sequence[Spot], runs: frozenset[bytes]
) -> list[tuple[Spot, Passed]]:
    """The exchanges at these places, oldest first.

    Args:
        source: the file.
        spots: in the file's order.
        runs: what an answer must hold to be worth reading.
    """
    left = {True: _MAX_PAGES, False: _MAX_OTHERS}
    kept: list[tuple[Spot, Passed]] = []
    for spot in reversed(spots[-MAX_EXCHANGES:]):
        passed = source.again(spot)
        if passed.response is not None:
            response = _bounded(passed.response, runs, left)
            kept.append((spot, replace(passed, response=response, sent=())))
    return kept[::-1]


def _bounded(response: RawResponse, runs: frozenset[bytes], left: dict[bool, int]) -> RawResponse:
    page = "html" in (response.header("content-type") or "")
    size = len(response.body)
    if size > min(MAX_ANSWER, left[page]) or not is_relevant(response, runs):
        return replace(response, body=b"")
    left[page] -= size
    return response
