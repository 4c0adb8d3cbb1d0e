"""The end of a recording: which file stays, under which name, in which state.

Rules:
1. A card that only is sealed never takes the place of one that is confirmed or promoted.
2. The same contract recorded again is the same card: its evidence is kept.
3. What is dropped is dropped after what is kept is on disk.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from filelock import Timeout

from cards.card import Card, ConfirmedCard, PromotedCard, SealedCard, UiOnlyCard
from cards.errors import BadCard, UnknownCard
from cards.store import CardStore
from recorder.seal import undecided_name
from verifier import Evidence
from verifier.promotion import confirm

_LOCK_S = 10.0


@dataclass(frozen=True, slots=True)
class Kept:
    """The card that the recording leaves, its file, and what there is to say about it."""

    card: Card
    file: Path
    notes: tuple[str, ...] = ()


def keep(
    store: CardStore,
    card: SealedCard | UiOnlyCard,
    evidence: Evidence | None,
    rivals: Iterable[SealedCard | UiOnlyCard],
) -> Kept:
    """Give the decided card its action's name, with its evidence, and drop its rivals' files.

    Raises:
        UserError: the directory can't be written.
    """
    proved = _proved(card, evidence)
    lock = store.locked(card.action)
    try:
        lock.acquire(timeout=_LOCK_S)
    except Timeout:
        kept = _beside(store, card, proved, "Another program is busy with the card of that name.")
    else:
        try:
            kept = _named(store, card, proved)
        finally:
            lock.release()
    for rival in rivals:
        store.remove(undecided_name(rival))
    return kept


def _proved(card: SealedCard | UiOnlyCard, evidence: Evidence | None) -> Card:
    if isinstance(card, SealedCard) and evidence is not None and evidence.proves:
        return confirm(card, evidence)
    return card


def _named(store: CardStore, card: SealedCard | UiOnlyCard, proved: Card) -> Kept:
    old = _existing(store, card.action)
    if isinstance(old, ConfirmedCard | PromotedCard):
        if old.digest == card.digest and not _is_better(proved, old):
            store.remove(undecided_name(card))
            note = f"It is the card that is there already, which stays {old.state}."
            return Kept(old, store.path_of(card.action), (note,))
        if not isinstance(proved, ConfirmedCard):
            note = f"{card.action}.json is {old.state} and was not overwritten."
            return _beside(store, card, proved, note)
    file = store.write(proved)
    store.remove(undecided_name(card))
    return Kept(proved, file)


def _is_better(new: Card, old: ConfirmedCard | PromotedCard) -> bool:
    return isinstance(new, ConfirmedCard) and isinstance(old, ConfirmedCard)


def _beside(store: CardStore, card: SealedCard | UiOnlyCard, proved: Card, why: str) -> Kept:
    file = store.write(proved, undecided_name(card))
    return Kept(proved, file, (f"{why} The new card is {file.name}.",))


def _existing(store: CardStore, name: str) -> Card | None:
    try:
        return store.load(name)
    except (UnknownCard, BadCard):
        return None
