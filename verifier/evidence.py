"""Evidence: counts before and after, and what acted between them.

Rules:
1. It is made here only, from two counts that only ``records`` makes.
2. Whether it *proves* is computed from the numbers; nothing can be told to it.
"""

from dataclasses import InitVar, dataclass
from typing import Any, Literal, NoReturn, SupportsIndex, final, override

from cards.card import CountRecord, EvidenceRecord
from cards.readback import Expect
from verifier.records import Count

Actor = Literal["ui", "replay"]
_KEY = object()


@final
@dataclass(frozen=True, slots=True)
class Evidence:
    """Two counts of one readback. Caution: made by ``Evidence.between``.

    Attributes:
        window: the collection shows only a part, so that its total says nothing.
        expect: what the action does. A ``change`` is exactly one record that takes the value, among
            as many as before.
    """

    before: Count
    after: Count
    acted: Actor
    window: bool
    expect: Expect
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not _KEY:
            raise TypeError("evidence is made from two counts, by Evidence.between")

    @classmethod
    def between(
        cls,
        before: Count,
        after: Count,
        acted: Actor,
        *,
        window: bool = False,
        expect: Expect = "increase",
    ) -> "Evidence":
        """The evidence of two counts."""
        return cls(before, after, acted, window, expect, _KEY)

    @property
    def rise(self) -> int:
        """Matching records after, less those before; turned round where a decrease is expected."""
        change = self.after.matching - self.before.matching
        return -change if self.expect == "decrease" else change

    @property
    def rose(self) -> bool:
        return self.rise > 0

    @property
    def _total_rise(self) -> int:
        change = self.after.total - self.before.total
        return -change if self.expect == "decrease" else change

    @property
    def vanished(self) -> bool:
        """The record changed as expected, and other records vanished with it."""
        if not self.rose or (self.window and self.expect != "change"):
            return False
        if self.expect == "decrease":
            return self._total_rise > self.rise
        return self._total_rise < 0

    @property
    def replaced(self) -> bool:
        """The matching records changed as expected, and the number of all records did not."""
        if not self.rose or self.window or self.expect == "change":
            return False
        return self._total_rise <= 0 and not self.vanished

    @property
    def added(self) -> bool:
        """A record took the value, and there are more records: it may be a new one."""
        return self.expect == "change" and self.rose and self._total_rise > 0

    @property
    def spread(self) -> bool:
        """More records than one took the value."""
        return self.expect == "change" and self.rise > 1

    @property
    def proves(self) -> bool:
        other = self.vanished or self.replaced or self.added or self.spread
        return self.rose and not other

    def record(self) -> EvidenceRecord:
        """What a card's file keeps of it."""
        return EvidenceRecord(
            acted=self.acted, before=_record(self.before), after=_record(self.after)
        )

    def as_json(self) -> dict[str, Any]:
        """All counts, for results and the audit."""
        return {
            "acted": self.acted,
            "before": {"matching": self.before.matching, "total": self.before.total},
            "after": {"matching": self.after.matching, "total": self.after.total},
            "rise": self.rise,
            "expect": self.expect,
        }

    @override
    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("evidence is not copied or pickled")


def _record(count: Count) -> CountRecord:
    return CountRecord(matching=count.matching, total=count.total, at=count.at)
