"""Feeds the machine and carries its commands out; knows no proxy and no browser.

Rules:
1. A request that is offered here is released exactly once, whatever happens: every way out of
   ``at_the_door`` lets it go, and no exception leaves that method.
2. Captured values live in ``closing.Held`` until the recording is over, and nowhere else.
3. One event at a time: what a command causes at once waits in line.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, assert_never

from cards.errors import UsageError, UserError
from cards.store import CardStore
from recorder import events as ev
from recorder.candidates import Candidate, NotACandidate, judge
from recorder.closing import Held, between, conclude
from recorder.counting import Counting, SiteOf
from recorder.explaining import TOO_LATE, Explained, Explaining
from recorder.plan import Plan
from recorder.prelude import Prelude
from recorder.recorded import Recorded
from recorder.recording import OVER, Machine, State
from recorder.seal import (
    EarlierRose,
    SealedRequest,
    failure_reason,
    seal_request,
    write_ui_only,
)
from recorder.stored import NOTHING, Stored, stored_by, stored_in
from recorder.tally import BEFORE_SEAL, Tally
from recorder.traffic import RawRequest, RawResponse
from verifier.http import Site
from verifier.login import Login
from verifier.records import Count, CountFailed

HOLD_S = 1.5
BRIEF_HOLD_S = 0.4
ANSWER_S = 3.0
QUIET_S = 0.5
NO_READBACK_WAIT_S = 3.0


class Conductor:
    """One recording on the running event loop.

    Args:
        plan: what the author said.
        automatic: the seal is armed from the start.
        site_of: makes the verifier's site for a login.
        login: asks the readback where the page's requests carry no login of their own.
        told: called with one line for each thing that a person may want to see at once.
        explain: remember what each request was taken for.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        automatic: bool = True,
        site_of: SiteOf | None = None,
        login: Login | None = None,
        told: Callable[[str], None] = lambda _: None,
        explain: bool = False,
    ) -> None:
        self.plan = plan
        self.explaining = Explaining(plan.declared, wanted=explain)
        self._login = login
        self.page: Any = None
        self.tally = Tally()
        self._machine = Machine(automatic=automatic)
        self._prelude = Prelude(plan.origin)
        self._store = CardStore(plan.cards)
        self._counting = Counting(plan, site_of or (lambda login: Site(plan.origin, login)))
        self._told = told
        self._held: dict[int, Held] = {}
        self._line: deque[ev.Event] = deque()
        self._draining = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: list[asyncio.TimerHandle] = []
        self._work: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self._verdict: ev.Settle | None = None
        self._broken: UserError | None = None
        self._earlier: Count | None = None
        self._fallback_authorization: str | None = None

    @property
    def over(self) -> bool:
        """Nothing is looked at any more."""
        return self._machine.state in OVER

    @property
    def has_sealed(self) -> bool:
        """A candidate's card is on disk."""
        return bool(self._machine.sealed)

    @property
    def explained(self) -> tuple[Explained, ...]:
        """What each request was taken for, where that was asked for."""
        return self.explaining.told(self._verdict, self._machine.sealed)

    def arm(self) -> None:
        """From now on the next candidate is sealed."""
        self._feed(ev.SealAsked())

    def saw(self, request: RawRequest, response: RawResponse) -> None:
        """A same-origin exchange: what it offered may be a source."""
        self._fallback_authorization = request.header("authorization") or (
            self._fallback_authorization
        )
        self._prelude.saw(request, response)

    async def at_the_door(
        self, request: RawRequest, *, ui_only: str | None = None, hint: str | None = None
    ) -> int | None:
        """Judge a same-origin, state-changing request, and keep it until it may leave.

        Args:
            request: as it would leave.
            ui_only: known beforehand: why no card can describe it.
            hint: known with that: what it looks like besides the action.

        Returns:
            the candidate's number, for ``answered``; none where it is no candidate.
        """
        verdict: Candidate | NotACandidate | str = ui_only or self._judge(request)
        if isinstance(verdict, NotACandidate):
            self._pass(request, verdict.reason)
            return None
        if self._machine.state == State.WATCHING:
            self._pass(request, BEFORE_SEAL)
            return None
        if self.over or self._broken is not None:
            self.explaining.passed(request, TOO_LATE)
            return None
        ui_only = None if isinstance(verdict, Candidate) else verdict
        seen = verdict if isinstance(verdict, Candidate) else Candidate(frozenset(), hint)
        key = len(self._held)
        held = self._held[key] = Held(request, ui_only)
        self.explaining.candidate(key, request, seen, ui_only)
        # What can't be read is a candidate too, and believed after what carries a slot.
        unseen = ui_only is None and not seen.slots_carried
        self._feed(ev.Offered(key, hinted=seen.telemetry_hint or unseen))
        await held.released.wait()
        return key

    def _pass(self, request: RawRequest, reason: str) -> None:
        self.tally.refused[reason] += 1
        self.explaining.passed(request, reason)

    def _judge(self, request: RawRequest) -> Candidate | NotACandidate | str:
        try:
            return judge(request, self.plan.declared)
        except Exception as error:  # noqa: BLE001 (unjudged it may be the one, and must not go unsaid)
            return failure_reason(error)

    def answered(self, key: int, set_cookies: Sequence[str] = ()) -> None:
        """The candidate's answer came, or none will."""
        held = self._held.get(key)
        if held is None:
            return
        if set_cookies:
            held.login.absorb(self.plan.origin, held.request.target, set_cookies)
        self._feed(ev.Answered(key))

    async def until_decided(self, seconds: float) -> None:
        """Wait until nothing more can be learnt, for at most so long.

        Without a usable readback nothing can rise: then it is enough that a candidate was sealed
        and a moment passed in which no other came.
        """
        await self._until(lambda: self._quiet() and not self._can_rise(), seconds)

    async def until_quiet(self, seconds: float) -> None:
        """Wait until decided, or until a candidate is sealed and its counts are taken."""
        await self._until(self._quiet, seconds)

    async def finish(self) -> Recorded:
        """End the recording with what it has.

        Raises:
            NothingCaptured: no card was sealed.
            AmbiguousAction: several could be the action.
            UserError: a card could not be written.
        """
        while self._machine.state == State.SEALING:
            self._changed.clear()
            await self._changed.wait()
        self._feed(ev.EndAsked())
        try:
            if self._broken is not None:
                raise self._broken
            return await conclude(
                self.plan,
                self._store,
                self._verdict or ev.Settle(None),
                tuple(self._held.items()),
                self.tally,
                overlapped=self._machine.overlapped,
            )
        finally:
            await self.close()

    async def close(self) -> None:
        """Let everything go and end every task."""
        for held in self._held.values():
            held.released.set()
        for timer in self._timers:
            timer.cancel()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._counting.close()

    # Waiting.

    def _quiet(self) -> bool:
        return self._machine.waits_for_nothing

    def _can_rise(self) -> bool:
        rulers = (held.sealed.ruler for held in self._held.values() if held.sealed)
        return any(ruler is not None and isinstance(ruler.before, Count) for ruler in rulers)

    async def _until(self, reached: Callable[[], bool], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not self.over and (left := end - loop.time()) > 0:
            self._changed.clear()
            quiet = reached()
            try:
                async with asyncio.timeout(min(QUIET_S, left) if quiet else left):
                    await self._changed.wait()
            except TimeoutError:
                if quiet:
                    return

    # The machine.

    def _feed(self, event: ev.Event) -> None:
        self._line.append(event)
        if self._draining:
            return
        self._draining = True
        try:
            while self._line:
                for command in self._machine.send(self._line.popleft()):
                    self._perform(command)
        except Exception as error:  # noqa: BLE001 (no bug of ours may keep a page waiting)
            self._broken = UsageError(
                f"The recorder failed ({type(error).__name__}); everything passed untouched.",
                "Look at the card's file before you trust it, and record again.",
            )
            for held in self._held.values():
                held.released.set()
        finally:
            self._draining = False
            self._changed.set()

    def _perform(self, command: ev.Command) -> None:
        match command:
            case ev.Seal(key, since):
                self._start("seal", self._seal(key, since))
            case ev.WriteUiOnly(key, reason):
                self._write_ui_only(key, reason)
            case ev.Hold(key, briefly):
                # Without a readback no count can tell two candidates apart: nothing to wait for.
                patience = BRIEF_HOLD_S if briefly else HOLD_S
                self._later(patience if self.plan.readback else 0.0, ev.HoldOver(key))
            case ev.Release(key):
                self._held[key].released.set()
            case ev.AwaitAnswer(key):
                self._later(ANSWER_S, ev.AnswerOverdue(key))
            case ev.Watch(key):
                self._start("watch", self._watch(key))
            case ev.StopWatching():
                self._stop("watch")
            case ev.Settle():
                self._stop("seal")
                self._verdict = command
            case _:
                assert_never(command)

    def _later(self, seconds: float, event: ev.Event) -> None:
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(seconds, self._feed, event))

    def _start(self, name: str, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._work[name] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _stop(self, name: str) -> None:
        task = self._work.pop(name, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    # The commands.

    async def _seal(self, key: int, since: int | None) -> None:
        held = self._held[key]
        try:
            held.login = self._login_of(held.request)
            self._prelude.stored = await self._stored()
            found = await seal_request(
                held.request,
                plan=self.plan,
                prelude=self._prelude,
                store=self._store,
                ui_only=held.ui_only,
                count=lambda: self._counting.before(held.login),
                earlier_rose=lambda count: self._shows_rise(since, count),
            )
        except Exception as error:  # noqa: BLE001 (a bug here must never let the request out unsaid)
            self._feed(ev.SealFailed(key, failure_reason(error)))
            return
        match found:
            case EarlierRose(at):
                assert since is not None
                self._held[since].after = at
                self._feed(ev.Rose(since))
            case SealedRequest():
                self._sealed(key, found)

    def _write_ui_only(self, key: int, reason: str) -> None:
        held = self._held[key]
        try:
            written = write_ui_only(held.request, plan=self.plan, store=self._store, reason=reason)
        except UserError as error:
            self._break(key, error)
        except Exception as error:  # noqa: BLE001 (as above)
            self._break(key, UsageError(failure_reason(error)))
        else:
            self._sealed(key, written)

    def _break(self, key: int, error: UserError) -> None:
        self._broken = error
        self._told(f"not sealed: {error.message}")
        self._feed(ev.NotWritten(key))

    def _sealed(self, key: int, sealed: SealedRequest) -> None:
        self._held[key].sealed = sealed
        self._told(f"sealed before sending: {sealed.template} ({sealed.card.state})")
        self._feed(ev.Sealed(key, sealed.card.digest))

    async def _watch(self, key: int) -> None:
        held = self._held[key]
        rose = False
        try:
            rose = await self._rises(held)
        except Exception as error:  # noqa: BLE001 (a bug in counting is no evidence, and no more)
            held.after = CountFailed("unreachable", f"Counting failed ({type(error).__name__}).")
        self._feed(ev.Rose(key) if rose else ev.NotRisen(key))

    async def _rises(self, held: Held) -> bool:
        ruler = held.sealed.ruler if held.sealed else None
        if ruler is None or not isinstance(ruler.before, Count):
            return False
        held.after = await self._counting.after(ruler)
        return isinstance(held.after, Count) and between(self.plan, ruler.before, held.after).rose

    def _shows_rise(self, since: int | None, count: Count) -> bool:
        sealed = self._held[since].sealed if since is not None else None
        if sealed is None or sealed.ruler is None or not isinstance(sealed.ruler.before, Count):
            return False
        return between(self.plan, sealed.ruler.before, count).rose

    async def _stored(self) -> Stored:
        if self.page is not None:
            return await stored_in(self.page, self.plan.origin)
        return NOTHING if self._login is None else stored_by(self._login, self.plan.origin)

    def _login_of(self, request: RawRequest) -> Login:
        # HTTP/2 splits the cookie header (RFC 9113 section 8.2.3); joined it is one again.
        cookies = "; ".join(value for name, value in request.headers if name == "cookie")
        authorization = request.header("authorization") or self._fallback_authorization
        if not cookies and authorization is None and self._login is not None:
            return self._login
        return Login.borrowed(cookies, authorization)
