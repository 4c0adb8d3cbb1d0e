"""The only request that writes: straight on the bound transport, one call, no loop.

Rules:
1. No client stands between this and the transport: a client follows redirects and repeats
   requests for authentication.
2. The answer is read to a limit and handed to the verifier; nothing of it is kept.
"""

import asyncio
from collections.abc import AsyncIterator

from replay.building import WireRequest
from verifier.answers import Answered
from verifier.http import USER_AGENT, Site, request_for

_MAX_ANSWER = 2 * 1024 * 1024


class Wire:
    """Sends to one origin with one login.

    Args:
        site: the card's origin with the login.
        timeout: seconds for the whole of the send.
    """

    def __init__(self, site: Site, timeout: float) -> None:
        self._site = site
        self._timeout = timeout

    async def write(self, request: WireRequest, sent_values: tuple[str, ...]) -> Answered:
        """Send once and read the answer.

        Raises:
            httpx.HTTPError, TimeoutError, OSError: no answer, or not all of it.
        """
        site = self._site
        cookie = site.login.cookie_header(site.origin, request.target)
        headers = [
            ("user-agent", USER_AGENT),
            ("accept-encoding", "gzip, deflate"),
            *request.headers,
            *([("cookie", cookie)] if cookie else []),
        ]
        body = request.body
        content = body if isinstance(body, bytes) else body.chunks()
        raw = request_for(
            site.origin, request.method, request.target, headers, content, self._timeout
        )
        async with asyncio.timeout(self._timeout):
            response = await site.transport.handle_async_request(raw)
            # Before the body: a login that the answer renewed stays renewed when the rest breaks.
            renewed = response.headers.get_list("set-cookie")
            site.login.absorb(site.origin, request.target, renewed)
            try:
                answer = await _bounded(response.aiter_bytes())
            finally:
                await response.aclose()
        return Answered.of(
            response.status_code,
            {name.lower(): value for name, value in response.headers.items()},
            answer,
            origin=site.origin,
            sent_values=sent_values,
        )


async def _bounded(chunks: AsyncIterator[bytes]) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for chunk in chunks:
        parts.append(chunk[: _MAX_ANSWER - size])
        size += len(chunk)
        if size >= _MAX_ANSWER:
            break
    return b"".join(parts)
