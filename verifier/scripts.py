"""Values that a page's scripts and elements hold as JSON or as quoted texts.

Rules:
1. Scripts are read, never run: a literal that stands in the source is all that is seen.
2. What stands under one name twice with differing values is in no place.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from selectolax.lexbor import LexborHTMLParser

Where = Literal["assigned", "called", "element", "attribute"]
_NAME = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*"
_ASSIGNED = re.compile(rf"(?P<name>{_NAME})(?P<index>\[[\"'][\w.-]+[\"']\])?\s*=(?!=)\s*")
_MEMBER = re.compile(r"(?P<quote>[\"']?)(?P<name>[A-Za-z_$][\w$-]*)(?P=quote)\s*:\s*(?=[\"'])")
_CALLED = re.compile(rf"(?P<name>{_NAME})\(\s*(?=[\"'{{\[])")
_PARSED = re.compile(r"JSON\.parse\(\s*")
_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'")
_ESCAPED = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)")
_MAX_SCRIPT = 2 * 1024 * 1024
_DECODER = json.JSONDecoder()
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Literals:
    """One value of a script or element.

    Attributes:
        where: how it stands there.
        name: of the variable or member, function, element or attribute.
        path: the keys and indexes that lead to it in a JSON document; empty for a text.
    """

    where: Where
    name: str
    path: tuple[str | int, ...]
    value: str | int | float = field(repr=False)


def literals(page: bytes) -> Iterator[Literals]:
    """Every value that a page's inline scripts and data attributes hold."""
    tree = LexborHTMLParser(page.decode("utf-8", "replace"))
    for node in tree.css("script:not([src])"):
        text = node.text() or ""
        kind, name = node.attributes.get("type") or "", node.attributes.get("id") or ""
        if "json" in kind:
            if name:
                yield from _of_document("element", name, _json(text))
        elif len(text) <= _MAX_SCRIPT:
            yield from _of_script(text)
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            if name.startswith("data-") and value:
                yield from _of_text("attribute", name, value)


def single_places(page: bytes) -> dict[tuple[Where, str, tuple[str | int, ...]], str | None]:
    """The text at every place, none where differing values stand there."""
    found: dict[tuple[Where, str, tuple[str | int, ...]], str | None] = {}
    for one in literals(page):
        place, text = (one.where, one.name, one.path), _text(one.value)
        found[place] = text if found.get(place, text) == text else None
    return found


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _of_script(script: str) -> Iterator[Literals]:
    for found in _ASSIGNED.finditer(script):
        yield from _of_value("assigned", _last(found), _value_at(script, found.end()))
    for found in _CALLED.finditer(script):
        yield from _of_value("called", found["name"], _value_at(script, found.end()))
    for found in _MEMBER.finditer(script):
        value = _value_at(script, found.end())
        if isinstance(value, str):
            yield Literals("assigned", found["name"], (), value)


def _last(found: re.Match[str]) -> str:
    # window.app["config"] = … is called by all that is written.
    return found["name"] + (found["index"] or "").replace('"', "").replace("'", "")


def _value_at(script: str, at: int) -> Any:
    wrapped = _PARSED.match(script, at)
    if wrapped is not None:
        inner = _value_at(script, wrapped.end())
        return _json(inner) if isinstance(inner, str) else _NOTHING
    quoted = _QUOTED.match(script, at)
    if quoted is not None:
        return _ESCAPED.sub(_unescaped, quoted[0][1:-1])
    if script[at : at + 1] not in ('"', "{", "["):
        return _NOTHING
    try:
        return _DECODER.raw_decode(script, at)[0]
    except (ValueError, RecursionError):
        return _NOTHING


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else {"n": "\n", "t": "\t"}.get(code, code)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _of_value(where: Where, name: str, value: Any) -> Iterator[Literals]:
    if isinstance(value, str):
        yield Literals(where, name, (), value)
    elif isinstance(value, dict | list):
        yield from _of_document(where, name, value)


def _of_text(where: Where, name: str, text: str) -> Iterator[Literals]:
    document = _json(text) if text.lstrip()[:1] in ("{", "[") else _NOTHING
    yield from _of_value(where, name, document if isinstance(document, dict | list) else text)


def _of_document(
    where: Where, name: str, document: Any, path: tuple[str | int, ...] = ()
) -> Iterator[Literals]:
    if isinstance(document, dict):
        for key, item in document.items():
            yield from _of_document(where, name, item, (*path, key))
    elif isinstance(document, list):
        for index, item in enumerate(document):
            yield from _of_document(where, name, item, (*path, index))
    elif isinstance(document, str | int | float) and not isinstance(document, bool) and path:
        yield Literals(where, name, path, document)
