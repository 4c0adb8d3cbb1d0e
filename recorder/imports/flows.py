"""A flow file of mitmproxy as a source of traffic, read by mitmproxy itself."""

from collections.abc import Iterator
from typing import BinaryIO

from mitmproxy.exceptions import FlowReadException
from mitmproxy.flow import Flow
from mitmproxy.http import HTTPFlow
from mitmproxy.io import FlowReader

from cards.errors import BadOrigin, UsageError
from cards.origin import Origin
from recorder.capture import raw_request, raw_response
from recorder.imports.passed import READS, Passed, Progress, Spot
from recorder.tally import Tally

NO_BODY = "the flow file has no body for this request, which was streamed"


class FlowFile:
    """The HTTP flows of one origin in a flow file.

    Args:
        file: open for reading, and seekable.
        origin: the only one that is looked at.
        progress: told the number of bytes that were scanned.
    """

    kind = "flow file"

    def __init__(self, file: BinaryIO, origin: Origin, progress: Progress) -> None:
        self._file = file
        self._origin = origin
        self._progress = progress
        self.tally = Tally()

    def scan(self) -> Iterator[tuple[Spot, Passed | None]]:
        """See ``Source``."""
        start = 0
        for number, flow in enumerate(self._flows(), 1):
            end = self._file.tell()
            spot, start = Spot(number, start, end), end
            self._progress(end)
            if not isinstance(flow, HTTPFlow) or not self._is_own(flow):
                self.tally.elsewhere += 1
            elif flow.request.method.upper() in READS and flow.websocket is None:
                self.tally.reads += 1
                yield spot, None
            else:
                yield spot, _passed(flow)
            self._file.seek(end)

    def again(self, spot: Spot) -> Passed:
        """See ``Source``."""
        self._file.seek(spot.start)
        flow = next(iter(FlowReader(self._file).stream()), None)
        if not isinstance(flow, HTTPFlow):
            raise UsageError("The flow file changed while it was read.", "Import it again.")
        return _passed(flow)

    def remarks(self) -> tuple[str, ...]:
        """See ``Source``."""
        return ()

    def _flows(self) -> Iterator[Flow]:
        number = 0
        try:
            for flow in FlowReader(self._file).stream():
                number += 1
                yield flow
        except FlowReadException:
            raise UsageError(
                f"The flow file is cut off, damaged or of a newer mitmproxy behind flow {number}.",
                "Save it again with mitmdump -w, and end the proxy before you import it.",
            ) from None

    def _is_own(self, flow: HTTPFlow) -> bool:
        request = flow.request
        host = f"[{request.host}]" if ":" in request.host else request.host
        try:
            return Origin.of_url(f"{request.scheme}://{host}:{request.port}") == self._origin
        except BadOrigin:
            return False


def _passed(flow: HTTPFlow) -> Passed:
    request = raw_request(flow.request)
    response = None if flow.response is None else raw_response(flow.response)
    messages = flow.websocket.messages if flow.websocket else ()
    sent = tuple(message.content for message in messages if message.from_client)
    return Passed(request, response, NO_BODY if request.body is None else None, sent)
