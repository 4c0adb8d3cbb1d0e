"""Which request may be the decisive one, with a named reason for each that is not."""

from dataclasses import dataclass

from recorder.traffic import Declared, RawRequest


@dataclass(frozen=True, slots=True)
class Candidate:
    """A request that may perform the action.

    Attributes:
        slots_carried: names of the declared slots whose value it carries.
        telemetry_hint: its path speaks of telemetry, drafts or previews.
    """

    slots_carried: frozenset[str]
    telemetry_hint: bool


@dataclass(frozen=True, slots=True)
class NotACandidate:
    """A request that cannot be the one; ``reason`` is one sentence without values."""

    reason: str


def judge(request: RawRequest, declared: Declared) -> Candidate | NotACandidate:
    """Whether a same-origin request may be the decisive one."""
    raise NotImplementedError
