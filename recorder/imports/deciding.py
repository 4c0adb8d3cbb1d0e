"""Which request of a file is the action: no count can tell, so only what the requests say.

Rules:
1. The request that carries the most declared slots goes first; a path of telemetry or drafts last.
2. One that was answered goes before one that was not; one that succeeded before the same one that
   failed. What was never answered is taken only where the author insists.
3. What is left must make one and the same card. Otherwise the author decides, by a smaller file or
   by more slots; nothing is written.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cards.card import SealedCard, UiOnlyCard
from cards.errors import AmbiguousAction, NothingCaptured, UsageError, UserError
from cards.origin import Origin
from recorder.imports.passed import Spot
from recorder.tally import Tally

_FAILED = 400
_MOST_LISTED = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A request of the file that may be the action.

    Attributes:
        spot: where it stands.
        template: method and path without values, for messages.
        slots: how many declared slots it carries.
        hinted: its path speaks of telemetry, drafts or previews.
        status: of its answer, or zero where none came.
        ui_only: known beforehand: why no card can describe it.
        refused: why it can't be imported.
    """

    spot: Spot
    template: str
    slots: int = 0
    hinted: bool = False
    status: int = 0
    ui_only: str | None = None
    refused: str | None = None

    @property
    def succeeded(self) -> bool:
        """Whether its answer reports no failure."""
        return 0 < self.status < _FAILED


@dataclass(frozen=True, slots=True)
class Trial:
    """A request of the file and the card that it would make."""

    found: Found
    card: SealedCard | UiOnlyCard
    script_fields: tuple[str, ...]
    unused_pins: tuple[str, ...]
    notes: tuple[str, ...]


def contenders(
    found: Sequence[Found], *, force: bool, origin: Origin, tally: Tally, kind: str
) -> list[Found]:
    """The requests that are most likely the action, in the file's order.

    Raises:
        UserError: there is none, or none that can be imported.
    """
    usable = [one for one in found if one.refused is None]
    if not usable:
        raise _refused(found) if found else nothing_found(origin, tally, kind)
    best = max((not one.hinted, one.slots) for one in usable)
    likely = [one for one in usable if (not one.hinted, one.slots) == best]
    answered = [one for one in likely if one.status > 0]
    if not answered and not force:
        raise NothingCaptured(
            f"Nothing was imported: {likely[-1].template} was never answered in this {kind}.",
            "Give a file in which it succeeds, or insist with --force.",
        )
    return answered or likely


def decide(trials: Sequence[Trial]) -> Trial:
    """The one that is the action.

    Raises:
        AmbiguousAction: several could be.
    """
    worked = {trial.found.template for trial in trials if trial.found.succeeded}
    left = [
        trial for trial in trials if trial.found.succeeded or trial.found.template not in worked
    ]
    different = {trial.card.digest: trial for trial in left}
    if len(different) > 1:
        raise _ambiguous(list(different.values()))
    return left[-1]


def nothing_found(origin: Origin, tally: Tally, kind: str) -> UserError:
    """The error of a file that has no request which may be the action."""
    own = tally.reads + tally.refused.total()
    if own == 0:
        return UsageError(
            f"The {kind} has no request to {origin}; its {tally.elsewhere} requests go elsewhere.",
            "Check --origin (scheme, host and port as in the address bar), and the file.",
        )
    reasons = "; ".join(f"{n} {why}" for why, n in tally.refused.most_common(_MOST_LISTED))
    writes = tally.refused.total()
    return NothingCaptured(
        f"Nothing was imported: {own} requests to {origin}, {writes} of them state-changing"
        f"{f' ({reasons})' if reasons else ''}.",
        "Check that each --slot holds exactly what was typed, and that the file was saved after "
        "it was submitted.",
    )


def _refused(found: Sequence[Found]) -> NothingCaptured:
    different = {(one.template, one.refused): one for one in found}
    listed = "; ".join(f"{template}: {why}" for template, why in [*different][:_MOST_LISTED])
    return NothingCaptured(
        f"Nothing was imported: {listed}.",
        "Export the file again with its bodies, or record the action with reqcard record.",
    )


def _ambiguous(trials: Sequence[Trial]) -> AmbiguousAction:
    listed = "; ".join(
        f"{trial.found.template} (entry {trial.found.spot.number})"
        for trial in trials[:_MOST_LISTED]
    )
    return AmbiguousAction(
        f"{len(trials)} requests could be the action, and a file has no readback to tell which: "
        f"{listed}.",
        "Give every value that was typed as a --slot, or a file that holds this action alone.",
    )
