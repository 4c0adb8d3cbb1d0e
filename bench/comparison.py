"""One ratio, what it should be, and the clock that measures both sides in turn."""

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Act = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measured ratio and its goal.

    Attributes:
        ratio: of the medians of both sides; without a unit.
        at_least: the least that is wanted, or none.
        at_most: the most that is wanted, or none.
    """

    what: str
    against: str
    ratio: float
    at_least: float | None = None
    at_most: float | None = None

    @property
    def goal(self) -> str:
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return f"at most {self.at_most:g}"

    @property
    def verdict(self) -> str:
        too_small = self.at_least is not None and self.ratio < self.at_least
        too_large = self.at_most is not None and self.ratio > self.at_most
        return "no" if too_small or too_large else "yes"


async def medians(rounds: int, *acts: Act) -> list[float]:
    """Median seconds of each act, run in turn so that drift of the machine meets all alike."""
    taken: list[list[float]] = [[] for _ in acts]
    for act in acts:
        await act()
    for _ in range(rounds):
        for times, act in zip(taken, acts, strict=True):
            begin = time.perf_counter()
            await act()
            times.append(time.perf_counter() - begin)
    return [statistics.median(times) for times in taken]
