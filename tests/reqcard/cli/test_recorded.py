"""What ``reqcard record --explain`` prints."""

from recorder.explaining import Explained
from reqcard.cli.recorded import explained_lines


def test_requests_stand_in_columns() -> None:
    lines = explained_lines(
        [
            Explained("GET", "/api/messages", "read in the prelude: it changes nothing"),
            Explained("POST", "/telemetry", "hint: looks like telemetry; carries message"),
        ]
    )
    assert lines == [
        "GET  /api/messages read in the prelude: it changes nothing",
        "POST /telemetry    hint: looks like telemetry; carries message",
    ]


def test_a_long_path_does_not_push_the_others_away() -> None:
    lines = explained_lines([Explained("GET", "/a" * 60, "why"), Explained("GET", "/b", "why")])
    assert lines[1] == f"GET /b{' ' * 42} why"


def test_nothing_seen_is_nothing_said() -> None:
    assert explained_lines([]) == []
