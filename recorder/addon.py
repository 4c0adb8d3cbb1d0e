"""The mitmproxy addon: hooks become calls of the conductor, and nothing else happens here.

``mitmdump -s recorder/addon.py --set reqcard_origin=URL --set reqcard_action=NAME
--set reqcard_slot=name=value --set reqcard_readback=JSON|FILE --set reqcard_cards=DIR``

Rules:
1. mitmproxy awaits a hook before it forwards the message, and swallows what a hook raises. So
   nothing may raise here: a failure while sealing is the conductor's, and says itself in a card.
2. A flow is never altered. The one attribute that is set lets event streams, sound and film pass
   while they arrive, since a page would wait for ever for their end.
3. What is not of the recorded origin costs one look into a small table, and a read of it not much
   more: bodies are decoded for requests that may write, and for answers that may be a source.
"""

import logging
import os
from collections.abc import Awaitable, Sequence
from functools import lru_cache
from pathlib import Path

from mitmproxy import command, exceptions
from mitmproxy.addonmanager import Loader
from mitmproxy.http import HTTPFlow, Request

from cards.errors import BadOrigin, UserError
from cards.origin import Origin
from recorder.capture import raw_request, raw_response
from recorder.conductor import Conductor
from recorder.explaining import TOO_LATE
from recorder.plan import make_plan, split_slots
from recorder.sockets import needles_of, socket_hint, socket_reason

_READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "CONNECT"})
_STREAMS = ("text/event-stream", "video/", "audio/")
_LAST_COUNT_S = 3.0

_log = logging.getLogger("reqcard")


class Recorder:
    """Watches one origin for one conductor.

    Args:
        conductor: given in process; under ``mitmdump`` it is made from the options.
    """

    name = "reqcard"

    def __init__(self, conductor: Conductor | None = None) -> None:
        self._from_options = conductor is None
        self._conductor: Conductor | None = None
        self._waiting: dict[str, int] = {}
        if conductor is not None:
            self._watch(conductor)

    def _watch(self, conductor: Conductor) -> None:
        origin = conductor.plan.origin

        @lru_cache(maxsize=512)
        def is_own(scheme: str, host: str, port: int) -> bool:
            try:
                named = f"[{host}]" if ":" in host else host
                return Origin.of_url(f"{scheme}://{named}:{port}") == origin
            except BadOrigin:
                return False

        self._is_own = is_own
        self._needles = needles_of(conductor.plan.declared)
        self._conductor = conductor

    # mitmproxy's hooks.

    def load(self, loader: Loader) -> None:
        if not self._from_options:
            return
        loader.add_option("reqcard_origin", str, "", "Origin whose action is recorded.")
        loader.add_option("reqcard_action", str, "", "Name of the action's card.")
        loader.add_option("reqcard_slot", Sequence[str], [], "Slot: name[:type]=value.")
        loader.add_option("reqcard_pin", Sequence[str], [], "Pin: FIELD=VALUE or FIELD.")
        loader.add_option("reqcard_readback", str, "", "Readback: JSON, or a file's name.")
        loader.add_option(
            "reqcard_cards", str, os.environ.get("REQCARD_CARDS", "cards.d"), "Directory of cards."
        )
        loader.add_option(
            "reqcard_seal",
            str,
            "automatic",
            "When the seal is armed: from the start, or by the command reqcard.seal.",
            choices=("automatic", "command"),
        )

    def configure(self, updated: set[str]) -> None:
        if not self._from_options or not any(name.startswith("reqcard_") for name in updated):
            return
        from mitmproxy import ctx

        options = ctx.options
        if not options.reqcard_origin or not options.reqcard_action:
            return
        try:
            plan = make_plan(
                origin=options.reqcard_origin,
                action=options.reqcard_action,
                slots=split_slots(options.reqcard_slot),
                readback=options.reqcard_readback or None,
                cards=Path(options.reqcard_cards).expanduser(),
                pins=options.reqcard_pin,
            )
        except UserError as error:
            # mitmproxy prints a traceback of what a script raises here. A logged error ends a proxy
            # that is starting just as well, with one line.
            _log.error("reqcard: %s", error)
            return
        self._watch(Conductor(plan, automatic=options.reqcard_seal == "automatic", told=_log.info))

    def running(self) -> None:
        if self._conductor is None:
            _log.warning("reqcard: set reqcard_origin and reqcard_action to record an action.")

    def requestheaders(self, flow: HTTPFlow) -> Awaitable[None] | None:
        # Streamed, the request leaves right after this hook; later would be too late to say so.
        if not flow.request.stream or not self._may_write(flow.request):
            return None
        return self._offer(flow)

    def request(self, flow: HTTPFlow) -> Awaitable[None] | None:
        if flow.request.stream or not self._may_write(flow.request):
            return None
        return self._offer(flow)

    def responseheaders(self, flow: HTTPFlow) -> None:
        response = flow.response
        if response and response.headers.get("content-type", "").startswith(_STREAMS):
            response.stream = True

    def response(self, flow: HTTPFlow) -> None:
        conductor, response = self._conductor, flow.response
        if conductor is None or conductor.over or response is None or not self._own(flow.request):
            return
        try:
            conductor.saw(raw_request(flow.request), raw_response(response))
        except Exception as error:  # noqa: BLE001 (rule 1; a prelude that fails only finds less)
            _log.debug("reqcard: an answer was not read (%s)", type(error).__name__)
        self._answered(flow, response.headers.get_all("set-cookie"))

    def error(self, flow: HTTPFlow) -> None:
        self._answered(flow, ())

    def websocket_message(self, flow: HTTPFlow) -> Awaitable[None] | None:
        conductor = self._conductor
        if conductor is None or conductor.over or not self._own(flow.request):
            return None
        assert flow.websocket is not None
        message = flow.websocket.messages[-1]
        if not message.from_client or not any(slot in message.content for slot in self._needles):
            return None
        return self._offer_message(flow, message.content)

    async def done(self) -> None:
        if not self._from_options or self._conductor is None:
            return
        conductor, self._conductor = self._conductor, None
        try:
            if conductor.has_sealed:
                # The proxy may be stopped the moment that the answer is there: one count is owed.
                await conductor.until_quiet(_LAST_COUNT_S)
            recorded = await conductor.finish()
        except UserError as error:
            _log.warning("reqcard: %s", error)
        else:
            reason = f" {recorded.reason}" if recorded.reason else ""
            _log.info("reqcard: %s: %s.%s", recorded.file, recorded.line(), reason)

    @command.command("reqcard.seal")  # type: ignore[untyped-decorator]
    def seal(self) -> None:
        """Arm the seal: the next request that carries a slot's value is sealed before it leaves."""
        if self._conductor is None:
            raise exceptions.CommandError("Set reqcard_origin and reqcard_action first.")
        self._conductor.arm()

    # What the hooks do.

    def _own(self, request: Request) -> bool:
        return self._is_own(request.scheme, request.host, request.port)

    def _may_write(self, request: Request) -> bool:
        conductor = self._conductor
        if conductor is None:
            return False
        if conductor.over:
            self._explain(conductor, request)
            return False
        if not self._own(request):
            conductor.tally.elsewhere += 1
            return False
        if request.method.upper() in _READS:
            conductor.tally.reads += 1
            self._explain(conductor, request)
            return False
        return True

    def _explain(self, conductor: Conductor, request: Request) -> None:
        explaining = conductor.explaining
        if not explaining.wanted or not self._own(request):
            return
        if request.method.upper() in _READS:
            explaining.read(raw_request(request), sealed=conductor.has_sealed)
        else:
            explaining.passed(raw_request(request), TOO_LATE)

    async def _offer(self, flow: HTTPFlow) -> None:
        assert self._conductor is not None
        key = await self._conductor.at_the_door(raw_request(flow.request))
        if key is not None:
            self._waiting[flow.id] = key

    async def _offer_message(self, flow: HTTPFlow, message: bytes) -> None:
        assert self._conductor is not None
        request = raw_request(flow.request)
        reason = socket_reason(request.header("sec-websocket-protocol"), message)
        key = await self._conductor.at_the_door(request, ui_only=reason, hint=socket_hint(message))
        if key is not None:
            self._conductor.answered(key)

    def _answered(self, flow: HTTPFlow, set_cookies: Sequence[str]) -> None:
        key = self._waiting.pop(flow.id, None)
        if key is not None and self._conductor is not None:
            self._conductor.answered(key, set_cookies)


# Loaded as a script, the module is the addon; imported, it only offers the class.
addons = [Recorder()]
