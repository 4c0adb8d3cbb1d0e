"""A WebSocket's message: found in the spellings of its protocol, named, and hinted."""

import pytest

from recorder.sockets import needles_of, socket_hint, socket_reason
from tests.recorder.traffic import declared

VALUE = "zebra 4711"
LIVE_VIEW = b'["4","7","lv:phx-F1","event",{"event":"save","value":"message=zebra+4711"}]'
PLAIN = "The action is on a WebSocket."


@pytest.mark.parametrize(
    ("protocols", "message", "named"),
    [
        (None, LIVE_VIEW, "Phoenix LiveView"),
        (None, b'["1","2","room:lobby","new_msg",{"body":"x"}]', "a Phoenix channel"),
        ("graphql-transport-ws", b"{}", "GraphQL"),
        (None, b'{"id":"1","type":"subscribe","payload":{"query":"mutation{a}"}}', "GraphQL"),
        ("actioncable-v1-json", b"{}", "Action Cable"),
        ("v12.stomp", b"SEND\n\nx\x00", "STOMP"),
        (None, b'{"type":1,"target":"Send","arguments":["x"]}\x1e', "SignalR"),
        (None, b'42["say",{"text":"x"}]', "Socket.IO"),
        (None, b'{"msg":"method","method":"send","params":["x"]}', "Meteor"),
    ],
)
def test_the_protocol_is_named(protocols: str | None, message: bytes, named: str) -> None:
    assert socket_reason(protocols, message) == f"The action is on a WebSocket ({named})."


def test_an_unknown_protocol_is_not_guessed() -> None:
    assert socket_reason("CANARY", b'{"say":"x"}') == PLAIN
    assert socket_reason(None, b"\x00\xff") == PLAIN


@pytest.mark.parametrize(
    "message", [b'{"t":"zebra 4711"}', LIVE_VIEW, b'["{\\"t\\":\\"zebra%204711\\"}"]']
)
def test_a_value_is_found_in_the_spellings_of_messages(message: bytes) -> None:
    assert any(needle in message for needle in needles_of(declared(message=VALUE)))


def test_an_empty_value_is_looked_for_nowhere() -> None:
    assert needles_of(declared(message="")) == ()


def test_a_message_that_validates_or_tells_of_typing_is_hinted() -> None:
    assert socket_hint(LIVE_VIEW.replace(b"save", b"validate")) == "a preview"
    assert socket_hint(b'{"type":"typing","text":"zebra 4711"}') == "presence"
    assert socket_hint(LIVE_VIEW) is None
