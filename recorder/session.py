"""Record from Python: ``async with Recording(…) as recording: … card = await recording.card()``.

Rules:
1. The proxy runs in this process, on the running loop, for as long as the block lasts.
2. Values that the author declares, and all that passes, stay in memory and go with the block.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cards.card import Card
from cards.errors import UsageError
from cards.origin import Origin
from cards.readback import Readback
from recorder.conductor import Conductor
from recorder.explaining import Explained
from recorder.plan import Plan, SlotText, make_plan
from recorder.proxy import Proxy, proxy
from recorder.recorded import Recorded
from verifier.login import Login

NO_READBACK_WAIT_S = 3.0
_SLACK_S = 5.0


class Recording:
    """One recording, as an async context manager.

    Args:
        origin: scheme, host and port of the application.
        action: the card's name.
        slots: the values about to be typed, by ``name``, ``name:type``, ``name:enum[a,b]``,
            ``name:list`` or ``name:file``.
        readback: the author's form, as JSON, as a file's name, or parsed.
        cards: the directory where the card is written.
        pins: ``FIELD=VALUE`` or ``FIELD``.
        listen: ``HOST:PORT`` of the proxy; port 0 takes a free one.
        automatic: seal the first request that carries a slot's value, whenever it comes. Otherwise
            nothing is sealed before ``seal`` was called.
        login: asks the readback where the page's requests carry no login of their own.
        told: called with one line for each thing that happens.
        explain: remember what each request was taken for.

    Attributes:
        plan: what was understood of the arguments.
        explains: whether it remembers what each request was taken for.

    Raises:
        UserError: an argument is wrong.
    """

    def __init__(
        self,
        *,
        origin: str | Origin,
        action: str,
        slots: Mapping[str, SlotText],
        readback: str | Mapping[str, object] | Readback | None = None,
        cards: Path = Path("cards.d"),
        pins: Iterable[str] = (),
        listen: str = "127.0.0.1:0",
        automatic: bool = True,
        login: Login | None = None,
        told: Callable[[str], None] = lambda _: None,
        explain: bool = False,
    ) -> None:
        self._login = login
        self.plan: Plan = make_plan(
            origin=origin,
            action=action,
            slots=slots,
            readback=_as_text(readback),
            cards=cards,
            pins=pins,
        )
        self._host, self._port = split_listen(listen)
        self._automatic = automatic
        self._told = told
        self.explains = explain
        self._stack = AsyncExitStack()
        self._conductor: Conductor | None = None
        self._proxy: Proxy | None = None
        self._recorded: Recorded | None = None

    async def __aenter__(self) -> Self:
        from recorder.addon import Recorder

        self._conductor = Conductor(
            self.plan,
            automatic=self._automatic,
            login=self._login,
            told=self._told,
            explain=self.explains,
        )
        self._proxy = await self._stack.enter_async_context(
            proxy(Recorder(self._conductor), host=self._host, port=self._port)
        )
        self._stack.push_async_callback(self._conductor.close)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    @property
    def proxy_url(self) -> str:
        """Where clients find the proxy."""
        return self._running_proxy.url

    @property
    def spki(self) -> str:
        """The hash of the proxy CA's key, for Chromium's command line."""
        return self._running_proxy.spki

    @property
    def ca(self) -> Path:
        """The proxy CA's certificate, which lasts as long as the block."""
        return self._running_proxy.ca

    @property
    def _running_proxy(self) -> Proxy:
        if self._proxy is None:
            raise UsageError("The recording has not begun.", "Use it with `async with`.")
        return self._proxy

    @property
    def _running(self) -> Conductor:
        if self._conductor is None:
            raise UsageError("The recording has not begun.", "Use it with `async with`.")
        return self._conductor

    @property
    def has_sealed(self) -> bool:
        """Whether a candidate's card is on disk."""
        return self._running.has_sealed

    @property
    def explained(self) -> tuple[Explained, ...]:
        """What each same-origin request was taken for, also after a failed ``finish``."""
        return self._running.explained

    def attach(self, page: Any) -> None:
        """Let the storage of a Playwright page be a source of live values, such as bearer tokens.

        Args:
            page: of a browser that uses this proxy.
        """
        self._running.page = page

    async def seal(self) -> None:
        """Arm the seal: the next request that carries a slot's value is sealed before it leaves.

        Returns as soon as it is armed, so that the caller can act.
        """
        self._running.arm()

    async def decided(self, seconds: float) -> None:
        """Wait until the readback rose, or nothing can rise any more, for at most so long."""
        await self._running.until_decided(seconds)

    async def finish(self, seconds: float | None = None) -> Recorded:
        """End the recording: the card, its file, its evidence, and what there is to say.

        Args:
            seconds: how long to wait for the request and its counts; the readback's deadline and
                a little more unless given.

        Raises:
            NothingCaptured: no card was sealed.
            AmbiguousAction: several requests could be the action.
            UserError: the card could not be written.
        """
        if self._recorded is None:
            patience = self._patience() if seconds is None else seconds
            await self._running.until_quiet(patience)
            recorded = await self._running.finish()
            explained = self.explained if self.explains else None
            self._recorded = replace(recorded, explained=explained)
        return self._recorded

    async def card(self, seconds: float | None = None) -> Card:
        """End the recording and give its card; see ``finish``."""
        return (await self.finish(seconds)).card

    def _patience(self) -> float:
        readback = self.plan.readback
        return readback.deadline + _SLACK_S if readback else NO_READBACK_WAIT_S


def split_listen(listen: str) -> tuple[str, int]:
    """The host and port of ``HOST:PORT``.

    Raises:
        UsageError: it is not of that form.
    """
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65535:  # noqa: PLR2004
        raise UsageError(
            "The address to listen on is not HOST:PORT.", "Write it as 127.0.0.1:8080."
        )
    return host.strip("[]"), int(port)


def _as_text(readback: str | Mapping[str, object] | Readback | None) -> str | Readback | None:
    if isinstance(readback, Mapping):
        import json

        return json.dumps(dict(readback))
    return readback
