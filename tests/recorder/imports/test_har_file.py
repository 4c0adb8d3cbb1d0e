import io
import json
from pathlib import Path
from typing import Any

import pytest

from cards.errors import UsageError
from cards.origin import Origin
from recorder.imports.har_file import HarFile
from recorder.imports.streaming import MAX_ENTRY
from tests.recorder.imports.saving import ORIGIN, anaction, anentry, apage

APP = Origin.parse(ORIGIN)


def opened(*entries: Any) -> HarFile:
    raw = json.dumps({"log": {"entries": entries, "creator": {"name": "x"}}}).encode()
    return HarFile(io.BytesIO(raw), Path("/nonexistent"), APP, lambda _: None)


def test_writes_come_whole_and_reads_by_their_place() -> None:
    file = opened(apage(), anaction())
    (page, nothing), (action, passed) = file.scan()
    assert (page.number, action.number, nothing) == (1, 2, None)
    assert passed is not None
    assert passed.request.method == "POST"


def test_a_place_is_read_again_as_what_it_was() -> None:
    file = opened(apage(), anaction())
    spots = [spot for spot, _ in file.scan()]
    again = file.again(spots[0])
    assert again.request.target == "/messages"
    assert again.response is not None
    assert b"csrf-token" in again.response.body


def test_scripts_media_and_other_origins_are_counted_and_passed_over() -> None:
    image = anentry("/a.png", method="GET", kind="image/png")
    file = opened(image, apage(origin="https://else.example.test"), None, {})
    assert list(file.scan()) == []
    assert (file.tally.reads, file.tally.elsewhere) == (1, 2)


def test_a_websocket_with_messages_comes_whole() -> None:
    entry = anentry("/live", method="GET", origin="wss://app.example.test")
    ((_, passed),) = opened(entry | {"_webSocketMessages": [{"type": "send", "data": "x"}]}).scan()
    assert passed is not None
    assert passed.sent == (b"x",)


def test_progress_is_told_in_bytes() -> None:
    told: list[int] = []
    raw = json.dumps({"log": {"entries": [apage(), anaction()]}}).encode()
    list(HarFile(io.BytesIO(raw), Path(), APP, told.append).scan())
    assert told == sorted(told)
    assert told[-1] == raw.rindex(b"]")


def test_a_file_that_changed_meanwhile_is_told() -> None:
    file = opened(apage())
    ((spot, _),) = file.scan()
    file._file = io.BytesIO(b"x" * 1000)
    with pytest.raises(UsageError, match="changed"):
        file.again(spot)


def test_entries_that_were_too_large_are_told() -> None:
    file = opened(apage(html="x" * MAX_ENTRY), anaction())
    assert len(list(file.scan())) == 1
    assert file.remarks() == ("1 entry larger than 16 MiB was not read.",)
