"""One replay: prepare → attempt → send → verify, in that order (DESIGN section 5).

Rules:
1. An attempt is on disk before its request leaves, and its outcome row is written whatever
   happens, cancellation included.
2. Only a promoted card is replayed, or one for which the author holds a ``Trial``.
3. Every ending is a ``Result``. Once the attempt is written, whatever breaks (the audit, a file,
   the verification itself) changes nothing about what is said to have been sent.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal, Self

from cards.card import ConfirmedCard, PromotedCard, SealedCard, UiOnlyCard
from cards.errors import NotUsable, UserError
from cards.readback import Readback
from cards.store import CardStore
from replay.attempt import Attempt
from replay.audit import Trail
from replay.audit.trail import MARK, Call
from replay.bookkeeping import Bookkeeping, Usable
from replay.connections import Connections
from replay.prepare import NotPrepared, authorization, prepare
from replay.prepared import Prepared
from replay.result import Result, new_call_id, refused
from replay.send import send
from replay.trial import Trial
from replay.wire import Wire
from verifier.answers import Answered, NoAnswer
from verifier.http import Site
from verifier.login import Login
from verifier.matching import SlotValue
from verifier.outcome import Outcome, Simulated, Uncertain
from verifier.verdict import decide
from verifier.watching import watch

Stage = Literal["preparing", "sending", "waiting for the readback"]
DEFAULT_TIMEOUT_S = 30.0
_LONGEST_READ_S = 10.0


@dataclass(frozen=True, slots=True)
class _Engine:
    """What the runs of one replayer share."""

    store: CardStore
    books: Bookkeeping
    connections: Connections
    on_stage: Callable[[Stage], None]

    def stage(self, stage: Stage) -> None:
        # Whoever watches may be gone (a closed terminal); the run goes on.
        with suppress(Exception):
            self.on_stage(stage)


class Replayer:
    """Replays cards of one directory with one login, over connections that it keeps.

    Args:
        cards: the directory of cards.
        login: a login file, or a login in memory; nobody's where there is none.
        audit: URL of the audit's database; the user's own where there is none.
        ca: a PEM file of more certificate authorities to trust.
        on_stage: told what is being done, for a person who waits.
    """

    def __init__(
        self,
        *,
        cards: Path,
        login: Path | Login | None = None,
        audit: str | None = None,
        ca: Path | None = None,
        on_stage: Callable[[Stage], None] = lambda _: None,
    ) -> None:
        store = CardStore(cards)
        self._engine = _Engine(store, Bookkeeping(store), Connections(login, ca), on_stage)
        self._audit = audit
        self._trail: Trail | None = None

    async def replay(
        self,
        name: str,
        values: Mapping[str, object],
        *,
        dry_run: bool = False,
        timeout: float | None = None,
        trial: Trial | None = None,
    ) -> Result:
        """Replay a card once.

        Args:
            name: the card's.
            values: by slot; text or typed.
            dry_run: prepare everything and send nothing.
            timeout: seconds for the send, and at most for each read; 30 unless given.
            trial: the author's leave for a card that is not promoted.
        """
        call_id = new_call_id()
        async with AsyncExitStack() as held:
            try:
                card, readback = self._usable(name, trial)
                using = self._engine.connections.using(card.contract)
                site = await held.enter_async_context(using)
                run = _Run(self._engine, call_id, name, card, readback, site, trial)
                run.timeout = timeout or DEFAULT_TIMEOUT_S
                prepared = await run.prepare(values)
                if not isinstance(prepared, Prepared):
                    return Result(call_id, prepared, name, dry_run)
                trail = self._opened()
                if dry_run:
                    trail.rehearsed(run.call(prepared), Simulated())
                    return Result(call_id, Simulated(), name, dry_run=True)
                attempt = trail.begin(run.call(prepared), prepared.fingerprint)
            except UserError as error:
                return Result(call_id, refused(error), name, dry_run)
            return await run.send_and_verify(prepared, attempt, trail)

    def _usable(self, name: str, trial: Trial | None) -> tuple[Usable, Readback]:
        card = self._engine.books.load(name)
        match card:
            case UiOnlyCard():
                raise NotUsable(
                    f"The card {name} stays on the UI path: {card.reason}.", "Use the page."
                )
            case ConfirmedCard() | SealedCard() if trial is None:
                raise NotUsable(
                    f"The card {name} is {card.state}, and only promoted cards may be called.",
                    f"Its author can promote it: reqcard replay {name} … --trial",
                )
            case PromotedCard() | ConfirmedCard() | SealedCard():
                readback = card.contract.readback
        if readback is None:
            raise NotUsable(
                f"The card {name} has no readback, so nothing could prove its effect.",
                "Record the action again with --readback.",
            )
        return card, readback

    def _opened(self) -> Trail:
        if self._trail is None:
            self._trail = Trail(self._audit)
        return self._trail

    async def aclose(self) -> None:
        """Close the connections and the audit."""
        await self._engine.connections.aclose()
        if self._trail is not None:
            self._trail.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


@dataclass(slots=True)
class _Run:
    """One call, from its values to its result."""

    engine: _Engine
    call_id: str
    name: str
    card: Usable
    readback: Readback
    site: Site
    trial: Trial | None
    timeout: float = DEFAULT_TIMEOUT_S

    async def prepare(self, values: Mapping[str, object]) -> Prepared | NotPrepared:
        self.engine.stage("preparing")
        keep = self.engine.connections.keep_rotated
        try:
            prepared = await prepare(
                self.site,
                self.card.contract,
                self.readback,
                values,
                timeout=min(self.timeout, _LONGEST_READ_S),
            )
        except BaseException:
            _told(keep)
            raise
        keep()
        if not isinstance(prepared, Prepared):
            await asyncio.to_thread(
                self.engine.books.not_prepared,
                self.card,
                self.name,
                prepared,
                signed_in=self.engine.connections.signed_in,
            )
        return prepared

    async def send_and_verify(self, prepared: Prepared, attempt: Attempt, trail: Trail) -> Result:
        warnings: list[str] = []
        outcome: Outcome = Uncertain("The run was interrupted after its attempt.")
        try:
            self.engine.stage("sending")
            answer = await self._send(prepared, attempt)
            if isinstance(answer, NoAnswer) and answer.reason == "cancelled":
                raise asyncio.CancelledError
            outcome = await self._verify(prepared, answer)
        finally:
            warnings += _told(lambda: trail.finish(attempt, outcome))
            warnings += _told(self.engine.connections.keep_rotated)
        kept = await asyncio.to_thread(
            self.engine.books.ended,
            self.card,
            self.name,
            answer,
            outcome,
            self.trial,
            signed_in=self.engine.connections.signed_in,
        )
        told = (*warnings, *kept.warnings)
        return Result(self.call_id, outcome, self.name, promoted=kept.promoted, warnings=told)

    async def _send(self, prepared: Prepared, attempt: Attempt) -> Answered | NoAnswer:
        try:
            return await send(prepared, attempt, Wire(self.site, self.timeout))
        except Exception:  # noqa: BLE001  (a bug of ours may have sent it all the same)
            return NoAnswer("protocol", maybe_sent=True)

    async def _verify(self, prepared: Prepared, answer: Answered | NoAnswer) -> Outcome:
        self.engine.stage("waiting for the readback")
        headers = authorization(self.card.contract, prepared.live)
        try:
            after = await watch(
                self.site.reader.with_headers(headers),
                self.readback,
                prepared.values,
                prepared.before,
                deadline_s=self.readback.deadline,
            )
            return decide(answer, prepared.before, after, self.readback, cached_s=prepared.cached_s)
        except Exception as error:  # noqa: BLE001  (rule 3: the request was sent all the same)
            return Uncertain(f"The verification broke off ({type(error).__name__}).")

    def call(self, prepared: Prepared) -> Call:
        contract = self.card.contract
        params = {
            name: MARK if contract.slots[name].secret else _noted(value)
            for name, value in prepared.values.items()
        }
        return Call(self.call_id, contract.action, contract.origin, self.card.digest, params)


def _noted(value: SlotValue) -> SlotValue:
    # Of a file the audit knows the name, never where it lies.
    return value.name if isinstance(value, PurePath) else value


def _told(act: Callable[[], None]) -> list[str]:
    try:
        act()
    except UserError as error:
        return [error.message]
    return []
