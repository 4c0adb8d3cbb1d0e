from pathlib import Path
from typing import Any

from cards.origin import Origin
from recorder.imports import history as module
from recorder.imports.har_file import HarFile
from recorder.imports.history import history
from recorder.imports.passed import Passed, Spot
from tests.recorder.imports.saving import ORIGIN, anentry, apage, har

RUNS = frozenset({b"TOKEN"})


def read(directory: Path, *entries: Any) -> list[tuple[Spot, Passed]]:
    path = har(directory, *entries)
    with path.open("rb") as opened:
        file = HarFile(opened, directory, Origin.parse(ORIGIN), lambda _: None)
        return history(file, [spot for spot, _ in file.scan()], RUNS)


def bodies(found: list[tuple[Spot, Passed]]) -> list[bytes]:
    return [passed.response.body for _, passed in found if passed.response is not None]


def answer(text: str) -> Any:
    return anentry("/api", method="GET", status=200, answer=text)


def test_the_oldest_come_first(tmp_path: Path) -> None:
    found = read(tmp_path, apage("/1"), apage("/2"))
    assert [passed.request.target for _, passed in found] == ["/1", "/2"]


def test_an_answer_with_nothing_of_what_was_sent_keeps_its_headers_alone(tmp_path: Path) -> None:
    found = read(tmp_path, answer('"TOKEN"'), answer('"else"'))
    assert bodies(found) == [b'"TOKEN"', b""]
    assert found[1][1].response is not None
    assert found[1][1].response.header("content-type") == "application/json"


def test_what_was_never_answered_is_no_history(tmp_path: Path) -> None:
    assert read(tmp_path, anentry(status=0)) == []


def test_the_newest_are_read_where_not_all_fit(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "_MAX_OTHERS", 20)
    found = read(tmp_path, answer('"TOKEN 1"'), apage(html="<p>"), answer('"TOKEN 22222222"'))
    assert bodies(found) == [b"", b"<p>", b'"TOKEN 22222222"']
