from pathlib import Path
from typing import Any

import pytest
from mitmproxy.test import tflow

from cards.errors import UsageError
from cards.origin import Origin
from recorder.imports.flows import NO_BODY, FlowFile
from recorder.imports.passed import Passed, Spot
from tests.recorder.imports.saving import ORIGIN, PAGE, aflow, flows

APP = Origin.parse(ORIGIN)
Scanned = list[tuple[Spot, Passed | None]]


def scanned(path: Path) -> tuple[Scanned, FlowFile]:
    with path.open("rb") as opened:
        file = FlowFile(opened, APP, lambda _: None)
        return list(file.scan()), file


def test_writes_come_whole_and_reads_by_their_place(tmp_path: Path) -> None:
    page = aflow("/messages", method="GET", answer=PAGE, kind="text/html")
    path = flows(tmp_path, page, aflow(sent={"text": "zebra"}))
    (first, nothing), (_, passed) = scanned(path)[0]
    assert nothing is None
    assert passed is not None
    assert passed.request.body == b'{"text": "zebra"}'
    with path.open("rb") as opened:
        again = FlowFile(opened, APP, lambda _: None).again(first)
    assert again.response is not None
    assert again.response.body == PAGE.encode()


def test_reading_again_between_two_flows_loses_none(tmp_path: Path) -> None:
    path = flows(tmp_path, *(aflow(f"/{n}", method="GET") for n in range(4)))
    with path.open("rb") as opened:
        file = FlowFile(opened, APP, lambda _: None)
        targets = [file.again(spot).request.target for spot, _ in file.scan()]
    assert targets == ["/0", "/1", "/2", "/3"]


def test_other_origins_and_other_protocols_are_counted(tmp_path: Path) -> None:
    other = aflow()
    other.request.host = "else.example.test"
    found, file = scanned(flows(tmp_path, other, tflow.ttcpflow(), tflow.tdnsflow()))
    assert (found, file.tally.elsewhere) == ([], 3)


def test_a_request_that_was_streamed_has_no_body(tmp_path: Path) -> None:
    flow = aflow(sent={"text": "zebra"})
    flow.request.raw_content = None
    ((_, passed),) = scanned(flows(tmp_path, flow))[0]
    assert passed is not None
    assert passed.refused == NO_BODY


def test_a_request_that_was_never_answered_has_no_answer(tmp_path: Path) -> None:
    flow = aflow(sent={"text": "zebra"})
    flow.response = None
    ((_, passed),) = scanned(flows(tmp_path, flow))[0]
    assert passed is not None
    assert passed.response is None


def test_messages_of_a_websocket_are_those_of_the_page(tmp_path: Path) -> None:
    flow: Any = tflow.twebsocketflow()
    flow.request.url = f"{ORIGIN}/live"
    ((_, passed),) = scanned(flows(tmp_path, flow))[0]
    assert passed is not None
    assert passed.sent == (b"hello binary", b"hello text")


@pytest.mark.parametrize("keep", [1, 40, -1, -20])
def test_a_file_that_was_cut_off_is_told(tmp_path: Path, keep: int) -> None:
    path = flows(tmp_path, aflow(), aflow(sent={"text": "zebra"}))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UsageError, match="cut off"):
        scanned(path)


@pytest.mark.parametrize(
    "raw", [b"nonsense", b"3:abc,", b"\x00" * 40, b"4:true!", b"{}", b"99999:"]
)
def test_what_is_no_flow_file_is_told(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "saved.flow"
    path.write_bytes(raw)
    with pytest.raises(UsageError, match="flow file"):
        scanned(path)
