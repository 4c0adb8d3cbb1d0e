"""What a replay's ending means for its card: promotion, a failure noted, a fall back.

Rules:
1. A card's file is read again under its lock before it is written, and left alone when somebody
   has put another contract there.
2. Trouble with the card's file never changes what is said of the replay: it becomes a warning.
3. A promotion is lost at once only where it must be the card's fault. What a caller's identifier
   or a missing login may have caused is a failure like others: the third running takes it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from cards.card import Card, ConfirmedCard, PromotedCard, SealedCard, UiOnlyCard
from cards.errors import UserError
from cards.holes import SlotRef
from cards.shapes import Target
from cards.store import CardStore
from replay.trial import Trial
from verifier.answers import Answered, NoAnswer
from verifier.outcome import (
    HttpError,
    LoginRequired,
    NotApplicable,
    Outcome,
    Success,
    Uncertain,
    Unconfirmed,
)
from verifier.promotion import fall_back, note_failure, promote
from verifier.verdict import promotes

Change = Callable[[Card], Card | None]
Usable = SealedCard | ConfirmedCard | PromotedCard
_GONE = frozenset({404, 405, 410})
_LOCK_S = 10


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of the card."""

    promoted: bool = False
    warnings: tuple[str, ...] = ()


class Bookkeeping:
    """Reads cards, and writes what replays have shown of them."""

    def __init__(self, store: CardStore) -> None:
        self._store = store
        self._known: dict[str, tuple[tuple[int, int], Card]] = {}

    def load(self, name: str) -> Card:
        """A card, parsed again only when its file has changed.

        Raises:
            UnknownCard, BadCard: there is none, or it is refused.
        """
        try:
            state = self._store.path_of(name).stat()
        except OSError:
            return self._store.load(name)
        mark = (state.st_mtime_ns, state.st_size)
        known = self._known.get(name)
        if known is None or known[0] != mark:
            known = self._known[name] = (mark, self._store.load(name))
        return known[1]

    def not_prepared(
        self,
        card: Usable,
        name: str,
        outcome: NotApplicable | LoginRequired,
        *,
        signed_in: bool,
    ) -> None:
        """Take the promotion from a card whose source is gone."""
        if isinstance(outcome, NotApplicable) and outcome.code == "SOURCE_GONE":
            pages = (live.source.page for live in card.contract.live.values())
            sure = signed_in and not any(_has_slots(page) for page in pages if page is not None)
            change = _fallen if sure else _failed
            self._written(card, name, lambda now: change(now, outcome.message))

    def ended(
        self,
        card: Usable,
        name: str,
        answer: Answered | NoAnswer,
        outcome: Outcome,
        trial: Trial | None,
        *,
        signed_in: bool,
    ) -> Kept:
        """Write into the card's file what this ending means for it."""
        if isinstance(outcome, Success):
            return self._succeeded(card, name, answer, outcome, trial)
        if _verification_failed(outcome):
            gone = isinstance(outcome, HttpError) and outcome.status in _GONE
            sure = gone and signed_in and not _has_slots(card.contract.target)
            change = _fallen if sure else _failed
            return self._written(card, name, lambda now: change(now, outcome.message))
        return Kept()

    def _succeeded(
        self,
        card: Usable,
        name: str,
        answer: Answered | NoAnswer,
        outcome: Success,
        trial: Trial | None,
    ) -> Kept:
        if not promotes(answer, outcome.evidence):
            return Kept()
        if isinstance(card, PromotedCard) and not card.file.failures:
            return Kept()
        if isinstance(card, SealedCard) and not _author_sees(trial):
            reason = "the card stays sealed until its author says that the page shows the effect"
            return Kept(warnings=(reason,))
        kept = self._written(card, name, lambda now: _promoted(now, outcome))
        return Kept(not isinstance(card, PromotedCard) and not kept.warnings, kept.warnings)

    def _written(self, card: Usable, name: str, change: Change) -> Kept:
        try:
            with self._store.locked(name).acquire(timeout=_LOCK_S):
                now = self._store.load(name)
                if now.digest != card.digest:
                    return Kept(warnings=("the card was changed meanwhile and is left alone",))
                changed = change(now)
                if changed is not None:
                    self._store.write(changed, name)
        except (UserError, OSError) as error:
            message = error.message if isinstance(error, UserError) else type(error).__name__
            return Kept(warnings=(f"the card's file could not be kept up to date: {message}",))
        return Kept()


def _promoted(now: Card, outcome: Success) -> Card | None:
    return None if isinstance(now, UiOnlyCard) else promote(now, outcome.evidence)


def _failed(now: Card, reason: str) -> Card | None:
    if not isinstance(now, PromotedCard):
        return None
    return note_failure(now, reason, datetime.now(UTC))


def _fallen(now: Card, reason: str) -> Card | None:
    if not isinstance(now, PromotedCard):
        return None
    return fall_back(now, reason, datetime.now(UTC))


def _verification_failed(outcome: Outcome) -> bool:
    if isinstance(outcome, Uncertain):
        return outcome.was_sent != "no"
    return isinstance(outcome, Unconfirmed | HttpError)


def _has_slots(target: Target) -> bool:
    values = (*target.path, *(pair.value for pair in target.query.pairs))
    return any(isinstance(value, SlotRef) for value in values)


def _author_sees(trial: Trial | None) -> bool:
    try:
        return trial is not None and trial.sees_effect()
    except Exception:  # noqa: BLE001  (a question without an answer is no yes; the replay is done)
        return False
