import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from replay.attempt import Attempt, _minted
from replay.building import WireRequest
from replay.prepared import AlreadySentError, Prepared
from replay.send import send
from replay.wire import Wire
from tests.support.counting import acount
from tests.support.sites import APP, alogin, answering, asite, names
from verifier.answers import Answered, NoAnswer
from verifier.http import Site

REQUEST = WireRequest("POST", "/api/messages?x=a%20b", (("content-length", "2"),), b"{}")
BEFORE = acount(0, 0)
NO_ANSWER: dict[type[Exception], tuple[str, bool]] = {
    httpx.ConnectError: ("connect", False),
    httpx.ConnectTimeout: ("connect", False),
    httpx.ReadTimeout: ("timeout", True),
    httpx.WriteTimeout: ("timeout", True),
    httpx.ReadError: ("reset", True),
    httpx.RemoteProtocolError: ("reset", True),
    OSError: ("protocol", True),
    ValueError: ("protocol", True),
}


def aprepared() -> Prepared:
    return Prepared(REQUEST, BEFORE, {"message": "zebra"}, {"token": "T"})


def anattempt(prepared: Prepared) -> Attempt:
    return _minted("call-1", prepared.fingerprint)


async def sent(site: Site) -> Answered | NoAnswer:
    prepared = aprepared()
    attempt = anattempt(prepared)
    attempt.close()
    return await send(prepared, attempt, Wire(site, timeout=1))


@pytest.mark.parametrize("status", [200, 301, 302, 307, 401, 404, 429, 500, 503])
async def test_one_request_leaves_whatever_the_answer(status: int) -> None:
    handle, asked = answering(httpx.Response(status, headers={"location": "/api/again"}))
    assert isinstance(await sent(asite(handle)), Answered)
    assert names(asked) == ["POST /api/messages?x=a%20b"]


@pytest.mark.parametrize(("error", "expected"), [*NO_ANSWER.items()])
async def test_one_request_leaves_whatever_breaks(
    error: type[Exception], expected: tuple[str, bool]
) -> None:
    tries: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        tries.append(request)
        raise error("x")

    answer = await sent(asite(handle))
    assert isinstance(answer, NoAnswer)
    assert (answer.reason, answer.maybe_sent) == expected
    assert len(tries) == 1


async def test_a_second_send_is_refused_and_nothing_leaves() -> None:
    handle, asked = answering(httpx.Response(200))
    wire, prepared = Wire(asite(handle), timeout=1), aprepared()
    attempt = anattempt(prepared)
    attempt.close()
    await send(prepared, attempt, wire)
    with pytest.raises(AlreadySentError):
        await send(prepared, attempt, wire)
    assert len(asked) == 1


async def test_an_attempt_for_another_request_sends_nothing() -> None:
    handle, asked = answering(httpx.Response(200))
    foreign = _minted("call-2", "another fingerprint")
    foreign.close()
    with pytest.raises(ValueError, match="another request"):
        await send(aprepared(), foreign, Wire(asite(handle), timeout=1))
    assert asked == []


async def test_a_retry_around_the_send_sends_once() -> None:
    """What a wrapper would do if it got hold of the send: the second round meets an empty cell."""
    handle, asked = answering(httpx.Response(503))
    wire, prepared = Wire(asite(handle), timeout=1), aprepared()
    attempt = anattempt(prepared)
    attempt.close()

    async def retried(act: Callable[[], Any]) -> None:
        for _ in range(3):
            await act()

    with pytest.raises(AlreadySentError):
        await retried(lambda: send(prepared, attempt, wire))
    assert len(asked) == 1


class _Hanging(httpx.AsyncBaseTransport):
    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.reached.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_cancelled_send_may_have_been_sent() -> None:
    transport = _Hanging()
    task = asyncio.create_task(sent(Site(APP, alogin(), inner=transport)))
    await transport.reached.wait()
    task.cancel()
    assert await task == NoAnswer("cancelled", maybe_sent=True)


async def test_a_server_that_never_answers_is_given_up_in_time() -> None:
    prepared = aprepared()
    attempt = anattempt(prepared)
    attempt.close()
    site = Site(APP, alogin(), inner=_Hanging())
    assert await send(prepared, attempt, Wire(site, timeout=0.05)) == NoAnswer(
        "timeout", maybe_sent=True
    )


async def test_the_logins_cookies_go_along_and_new_ones_are_kept() -> None:
    login = alogin()
    handle, asked = answering(httpx.Response(200, headers={"set-cookie": "sid=NEW; Path=/"}))
    await sent(asite(handle, login))
    assert asked[0].headers["cookie"] == "sid=SECRET"
    assert login.cookie_header(APP, "/") == "sid=NEW"


async def test_an_endless_answer_is_read_to_a_limit() -> None:
    handle, _ = answering(httpx.Response(200, content=b"x" * 5_000_000))
    assert isinstance(await sent(asite(handle)), Answered)


async def test_a_login_that_the_answer_renewed_stays_when_its_body_breaks() -> None:
    class Breaking(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"{"
            raise httpx.ReadError("x")

    class Renewing(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            headers = {"set-cookie": "sid=NEW; Path=/"}
            return httpx.Response(200, headers=headers, stream=Breaking())

    login = alogin()
    answer = await sent(Site(APP, login, inner=Renewing()))
    assert answer == NoAnswer("reset", maybe_sent=True)
    assert login.cookie_header(APP, "/") == "sid=NEW"
