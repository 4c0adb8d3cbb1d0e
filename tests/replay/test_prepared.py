import copy
import pickle  # noqa: TID251  (to see it refused)
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from replay.building import WireRequest
from replay.prepared import AlreadySentError, Prepared
from tests.support.counting import acount

REQUEST = WireRequest("POST", "/api/messages", (("accept", "*/*"),), b"{}")
BEFORE = acount(0, 0)


def aprepared(request: WireRequest = REQUEST) -> Prepared:
    return Prepared(request, BEFORE, {"message": "zebra"}, {"csrf_token": "T"})


def test_the_first_taker_gets_the_request() -> None:
    assert aprepared().take() is REQUEST


def test_a_second_take_is_refused() -> None:
    prepared = aprepared()
    prepared.take()
    with pytest.raises(AlreadySentError, match="twice"):
        prepared.take()


def test_of_four_threads_one_gets_it() -> None:
    barrier = Barrier(4)

    def race(prepared: Prepared) -> bool:
        barrier.wait()
        try:
            prepared.take()
        except AlreadySentError:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        for _ in range(300):
            won = list(threads.map(race, [aprepared()] * 4))
            assert won.count(True) == 1


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps])
def test_it_is_not_copied(act: object) -> None:
    with pytest.raises(TypeError):
        act(aprepared())  # type: ignore[operator]


def test_it_says_nothing_of_itself() -> None:
    assert repr(aprepared()) == "<Prepared>"


@pytest.mark.parametrize(
    "other",
    [
        WireRequest("PUT", "/api/messages", (("accept", "*/*"),), b"{}"),
        WireRequest("POST", "/api/other", (("accept", "*/*"),), b"{}"),
        WireRequest("POST", "/api/messages", (("accept", "text/html"),), b"{}"),
        WireRequest("POST", "/api/messages", (("accept", "*/*"),), b"[]"),
    ],
)
def test_another_request_has_another_fingerprint(other: WireRequest) -> None:
    assert aprepared().fingerprint == aprepared().fingerprint
    assert aprepared(other).fingerprint != aprepared().fingerprint
