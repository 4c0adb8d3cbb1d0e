"""What goes out on a WebSocket: whether it may be the action, and whose protocol it speaks.

Rules:
1. A message that carries a declared value is a candidate that no card can describe. One that says
   that somebody types, or validates a form, is hinted like a request would be.
2. The reason names a protocol, never anything of the message.
"""

import re

from recorder.candidates import raw_forms
from recorder.hints import hint_in_message
from recorder.traffic import Declared

_BY_PROTOCOL = (
    (re.compile(r"graphql"), "GraphQL"),
    (re.compile(r"actioncable"), "Action Cable"),
    (re.compile(r"stomp"), "STOMP"),
    (re.compile(r"mqtt"), "MQTT"),
)
_BY_MESSAGE = (
    (re.compile(rb'\["[^"]*",\s*"[^"]*",\s*"lv:'), "Phoenix LiveView"),
    (
        re.compile(rb'\[(?:"[^"]*"|null),\s*"[^"]*",\s*"[^"]*",\s*"[^"]*",\s*\{'),
        "a Phoenix channel",
    ),
    (re.compile(rb"(?s).*\x1e$"), "SignalR"),
    (re.compile(rb"4[25]\d*-?(?:/[^,]*,)?\d*\["), "Socket.IO"),
    (re.compile(rb'\{"msg":\s*"method"'), "Meteor"),
    (re.compile(rb'(?s)\{(?=.*"type":\s*"(?:subscribe|start)").*"query":'), "GraphQL"),
)


def socket_reason(protocols: str | None, message: bytes) -> str:
    """Why the action stays on the UI path, with the protocol's name where it is known.

    Args:
        protocols: the upgrade's ``sec-websocket-protocol``, or none.
        message: as the page sent it.
    """
    asked = (protocols or "").lower()
    spoken = next((name for pattern, name in _BY_PROTOCOL if pattern.search(asked)), None)
    spoken = spoken or next((name for pattern, name in _BY_MESSAGE if pattern.match(message)), None)
    return (
        f"The action is on a WebSocket ({spoken})." if spoken else "The action is on a WebSocket."
    )


def needles_of(declared: Declared) -> tuple[bytes, ...]:
    """The byte strings by which a message shows that it carries a declared value."""
    forms = {
        form
        for slot in declared.slots.values()
        for text in slot.texts
        for form in (text, *raw_forms(text))
        if form
    }
    return tuple(form.encode("utf-8", "replace") for form in sorted(forms))


def socket_hint(message: bytes) -> str | None:
    """What the message looks like besides the action, or none."""
    return hint_in_message(message.decode("utf-8", "replace"))
