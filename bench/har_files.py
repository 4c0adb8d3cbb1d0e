"""Writes a HAR as Chrome does, of any size: pages, answers, scripts, images, foreign traffic."""

import base64
import json
import random
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ORIGIN = "https://app.example.test"
VALUE = "zebra 4711"
_POOL = 6
_SENT = {
    "accept": "*/*",
    "accept-encoding": "gzip, deflate, br, zstd",
    "accept-language": "en-US,en;q=0.9",
    "cookie": "sid=0123456789abcdef0123456789abcdef; theme=dark",
    "referer": f"{ORIGIN}/messages",
    "sec-ch-ua-platform": '"Linux"',
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "same-origin",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36",
}
_ANSWERED = {
    "cache-control": "no-cache",
    "content-encoding": "br",
    "date": "Mon, 05 Jan 2026 10:00:00 GMT",
    "server": "nginx",
    "strict-transport-security": "max-age=31536000",
    "vary": "accept-encoding",
    "x-content-type-options": "nosniff",
    "x-request-id": "5f1c9a0b7d3e4f2a8b6c1d0e9f8a7b6c",
}


def write_har(path: Path, size: int) -> None:
    """Write at least ``size`` bytes of entries, the action last, indented by two spaces."""
    chance = random.Random(4711)
    with path.open("w") as file:
        file.write('{\n  "log": {\n    "version": "1.2",\n    "creator": ')
        file.write('{\n      "name": "WebInspector",\n      "version": "537.36"\n    },\n')
        file.write('    "pages": [],\n    "entries": [\n')
        for text in _entries(chance, size):
            file.write(f"      {text},\n")
        file.write(f"      {_text(_action())}\n    ]\n  }}\n}}\n")


def _entries(chance: random.Random, size: int) -> Iterator[str]:
    # One turn of an application: a page, its answers, a bundle, a foreign script, images, beacons.
    makers = (_page, *[_records] * 6, _bundle, _foreign, *[_image] * 4, *[_beacon] * 4)
    pools = {make: [_text(make(chance)) for _ in range(_POOL)] for make in set(makers)}
    written = 0
    while written < size:
        for make in makers:
            text = chance.choice(pools[make])
            written += len(text)
            yield text


def _text(entry: dict[str, Any]) -> str:
    return json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", "\n      ")


def _words(chance: random.Random, count: int) -> str:
    return " ".join(
        "".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 9)))
        for _ in range(count)
    )


def _page(chance: random.Random) -> dict[str, Any]:
    rows = (f'<div class="row">\n  <p>{_words(chance, 12)}</p>\n</div>' for _ in range(600))
    token = f'<meta name="csrf-token" content="{chance.randbytes(16).hex()}">'
    html = f"<!doctype html><html><head>{token}</head><body>{''.join(rows)}</body></html>"
    return _entry(chance, f"{ORIGIN}/messages", "text/html; charset=utf-8", html)


def _records(chance: random.Random) -> dict[str, Any]:
    items = [
        {
            "id": chance.randint(1, 10**6),
            "uuid": chance.randbytes(16).hex(),
            "title": _words(chance, 6),
            "text": _words(chance, 30),
            "author": {"name": _words(chance, 2), "mail": f"{_words(chance, 1)}@example.test"},
        }
        for _ in range(70)
    ]
    url = f"{ORIGIN}/api/messages?page={chance.randint(1, 999)}"
    return _entry(chance, url, "application/json", json.dumps({"items": items}))


def _script(chance: random.Random) -> str:
    line = '  if (e.{0} === "{1}") {{ return n("{2}", \'{0}\'); }}\n'
    return "".join(
        line.format(_words(chance, 1), _words(chance, 2), _words(chance, 3)) for _ in range(3500)
    )


def _bundle(chance: random.Random) -> dict[str, Any]:
    return _entry(chance, f"{ORIGIN}/assets/app.js", "text/javascript", _script(chance))


def _foreign(chance: random.Random) -> dict[str, Any]:
    return _entry(chance, "https://cdn.example.test/lib.js", "text/javascript", _script(chance))


def _image(chance: random.Random) -> dict[str, Any]:
    pixels = base64.b64encode(chance.randbytes(60_000)).decode()
    return _entry(chance, f"{ORIGIN}/media/a.png", "image/png", pixels, encoding="base64")


def _beacon(chance: random.Random) -> dict[str, Any]:
    sent = json.dumps({"event": _words(chance, 20)})
    return _entry(chance, "https://t.example.test/collect", "application/json", "{}", sent=sent)


def _action() -> dict[str, Any]:
    chance = random.Random(1)
    sent = json.dumps({"text": VALUE, "room": "general", "session": chance.randbytes(16).hex()})
    return _entry(chance, f"{ORIGIN}/api/messages", "application/json", '{"id":1}', sent=sent)


def _entry(
    chance: random.Random, url: str, kind: str, text: str, *, sent: str = "", encoding: str = ""
) -> dict[str, Any]:
    request: dict[str, Any] = {
        "method": "POST" if sent else "GET",
        "url": url,
        "httpVersion": "http/2.0",
        "headers": _pairs({":authority": url.split("/")[2], **_SENT}),
        "queryString": [],
        "cookies": [],
        "headersSize": -1,
        "bodySize": len(sent),
    }
    if sent:
        request["headers"] += _pairs({"content-type": kind})
        request["postData"] = {"mimeType": kind, "text": sent}
    frame = {"functionName": _words(chance, 1), "url": f"{ORIGIN}/assets/app.js", "lineNumber": 1}
    return {
        "_initiator": {"type": "script", "stack": {"callFrames": [frame] * 8}},
        "_priority": "High",
        "_resourceType": "fetch",
        "cache": {},
        "connection": "443",
        "request": request,
        "response": {
            "status": 200,
            "statusText": "",
            "httpVersion": "http/2.0",
            "headers": _pairs({**_ANSWERED, "content-type": kind}),
            "cookies": [],
            "content": {
                "size": len(text),
                "mimeType": kind,
                "text": text,
                **({"encoding": encoding} if encoding else {}),
            },
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": -1,
        },
        "serverIPAddress": "203.0.113.7",
        "startedDateTime": "2026-01-05T10:00:00.000Z",
        "time": 12.5,
        "timings": {"blocked": 0.5, "dns": -1, "send": 0.1, "wait": 11, "receive": 0.9},
    }


def _pairs(headers: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]
