"""What passed, in numbers: so that a recording that sealed nothing can say why.

Rules:
1. It holds counts and the fixed reasons of ``candidates``, and nothing of any request.
"""

from collections import Counter

from cards.errors import NothingCaptured
from cards.origin import Origin

BEFORE_SEAL = "came before the seal was armed"


class Tally:
    """Counts of what was seen of one recording."""

    def __init__(self) -> None:
        self.elsewhere = 0
        self.reads = 0
        self.refused: Counter[str] = Counter()

    def nothing_captured(self, origin: Origin) -> NothingCaptured:
        """The error of a recording that sealed no card: what was seen, and what to try."""
        own = self.reads + self.refused.total()
        if own == 0:
            return NothingCaptured(
                f"Nothing was captured: no request to {origin} passed the proxy, "
                f"and {self.elsewhere} to other origins did.",
                "Check --origin (scheme, host and port as in the address bar), and that the "
                "client uses the proxy.",
            )
        refused = "; ".join(f"{count} {reason}" for reason, count in self.refused.most_common(6))
        writes = self.refused.total()
        seen = f"{own} requests to {origin}, {writes} of them state-changing"
        return NothingCaptured(
            f"Nothing was captured: {seen}{f' ({refused})' if refused else ''}.", self._way_out()
        )

    def _way_out(self) -> str:
        if self.refused[BEFORE_SEAL]:
            return "Arm the seal before acting, or leave it automatic."
        if self.refused:
            return "Check that each --slot holds exactly what was typed, and that it was submitted."
        return "Act once in the page (submit, send, save) before the recording ends."
