import asyncio
from typing import Any

from recorder.stored import NOTHING, stored_by, stored_in
from tests.recorder.traffic import ORIGIN
from verifier.login import Login


class AFrame:
    def __init__(self, url: str, items: Any) -> None:
        self.url = url
        self._items = items

    async def evaluate(self, _script: str) -> Any:
        if self._items is None:
            await asyncio.Event().wait()
        return self._items


class APage:
    def __init__(self, *frames: AFrame) -> None:
        self.frames = frames


ITEMS = {"local": {"token": "T"}, "session": {}}


async def test_the_frame_of_the_own_origin_is_read_and_no_other() -> None:
    page = APage(AFrame("https://other.example.test/", {}), AFrame(f"{ORIGIN}/a", ITEMS))
    assert await stored_in(page, ORIGIN) == ITEMS
    assert await stored_in(APage(AFrame("about:blank", ITEMS)), ORIGIN) == NOTHING


async def test_a_page_that_does_not_answer_is_not_waited_for() -> None:
    assert await stored_in(APage(AFrame(f"{ORIGIN}/a", None)), ORIGIN) == NOTHING


def test_a_login_file_holds_both_storages() -> None:
    login = Login("x", (), {str(ORIGIN): {"a": "1"}}, {str(ORIGIN): {"b": "2"}})
    assert stored_by(login, ORIGIN) == {"local": {"a": "1"}, "session": {"b": "2"}}
