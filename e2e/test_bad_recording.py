"""Bad input of a recording or login: one clear line before anything begins, nothing written."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from e2e.place import Place, a_place
from e2e.site import Site
from e2e.support import READBACK

ORIGINS = [
    *("app.example.test", "http://", "ftp://app.example.test", "http://a/b"),
    "https://app.example.test\\@evil.example.test/x",
    "https://app.example.test@evil.example.test/x",
    "https://user:pw@app.example.test/x",
    "https://app.example.test\t.evil.example.test/x",
    "https://app.example.test/x\r\nX-Evil: 1",
    "https://app.example.test#@evil.example.test/",
    "https://app.example.test%2eevil.example.test/",
    "https:app.example.test/x",
    "https:////evil.example.test/x",
    " https://evil.example.test/x",
]


@pytest.fixture
def place(site: Site, tmp_path: Path) -> Place:
    return a_place(site, tmp_path)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("no-such-file.json", ("file",)),
        ("{", ("JSON",)),
        ("[]", ("file",)),
        (READBACK | {"colour": "red"}, ("colour",)),
        (READBACK | {"url": "//elsewhere.test/list"}, ("url",)),
        (READBACK | {"url": "https://elsewhere.test/list"}, ("origin",)),
        (READBACK | {"url": "api/messages"}, ("slash",)),
        (READBACK | {"path": "$[["}, ("path",)),
        (READBACK | {"match": {"field": "text", "slot": "nobody"}}, ("nobody", "--slot")),
        (READBACK | {"completesTask": False}, ("completesTask",)),
        ({"url": "/api/messages"}, ("path",)),
    ],
    ids=repr,
)
def test_a_wrong_readback_form_is_told_before_anything_begins(
    place: Place, form: Any, words: tuple[str, ...]
) -> None:
    text = form if isinstance(form, str) else json.dumps(form)
    place.record("--readback", text).line(2, *words)


@pytest.mark.parametrize(
    "origin",
    [
        "app.example.test",
        "http://",
        "ftp://app.example.test",
        "http://u:p@127.0.0.1:9",
        "http://a/b",
    ],
)
def test_a_wrong_origin_is_told(place: Place, origin: str) -> None:
    place.record("--origin", origin).line(2)


def test_an_origin_where_nothing_answers_is_told(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    place.record("--origin", f"http://127.0.0.1:{port}").line(2, str(port), "--origin")


@pytest.mark.parametrize("slot", ["message", "=x", "1st=x", "message:colour=x", "message="])
def test_a_wrong_slot_is_told_before_recording(place: Place, slot: str) -> None:
    place.record("--slot", slot).line(2, "slot")


def test_a_port_in_use_is_told(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        place.record("--listen", listen).line(2, listen, "--listen")


@pytest.mark.parametrize("listen", ["8080", "127.0.0.1:", "127.0.0.1:99999", "192.0.2.1:0"])
def test_a_wrong_address_to_listen_on_is_told(place: Place, listen: str) -> None:
    place.record("--listen", listen).line(2, "HOST:PORT")


@pytest.mark.parametrize("command", ["record", "login"])
@pytest.mark.parametrize("named", ["/nonexistent", ""])
def test_without_a_chromium_the_way_to_one_is_told(place: Place, command: str, named: str) -> None:
    place.reqcard.environment |= {"PATH": "", "REQCARD_CHROMIUM": named}
    place.reqcard.environment["HOME"] = str(place.reqcard.directory)
    if command == "record":
        told = place.record("--browser", "chromium", "--headless", "")
    else:
        told = place.run("login", "--origin", place.site.origin, "--login", "new.json")
    told.line(2, "REQCARD_CHROMIUM")


@pytest.mark.parametrize(
    "drive", ["nothing", "no.such.module:act", "e2e.acts:nobody", "e2e.support:Reqcard"]
)
def test_a_drive_function_that_is_none_is_told(place: Place, drive: str) -> None:
    place.record("--drive", drive).line(2, "MODULE:FUNCTION")


def test_a_recording_that_captures_nothing_says_what_to_try(place: Place) -> None:
    place.record().line(15, "Nothing was captured")
