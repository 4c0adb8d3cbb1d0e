"""Meta tags and form fields of HTML pages.

Rules:
1. Of a select only the option that the page itself selected is offered, and of radio buttons only
   the checked one: anything else is the person's choice.
2. Every control counts for ``nth``, sent or not, so that the place does not depend on what a
   person did.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from cards.errors import BadOrigin
from cards.origin import Origin
from recorder.naming import is_name
from recorder.sources.offers import Exchange, FormPlace, MetaPlace, Offer

_HTML = ("text/html", "application/xhtml+xml", "")
_BUTTONS = ("submit", "image", "button", "reset")
# Links are resolved against the page's own path, so the host does not matter here.
_ANY_ORIGIN = Origin("http", "page.invalid", 80)


def find_html(exchange: Exchange) -> Iterator[Offer]:
    """Every named meta tag and form field of an HTML answer."""
    body = exchange.response.body
    if exchange.media_type not in _HTML or b"<" not in body[:4096]:
        return
    tree = LexborHTMLParser(body.decode("utf-8", "replace"))
    yield from _metas(tree)
    yield from _fields(tree, exchange.request.target)


def _metas(tree: LexborHTMLParser) -> Iterator[Offer]:
    values: dict[str, set[str]] = {}
    for node in tree.css("meta[name][content]"):
        name, content = _attribute(node, "name"), _attribute(node, "content")
        values.setdefault(name, set()).add(content)
    for name, contents in values.items():
        single = len(contents) == 1 and is_name(name)
        for content in contents:
            yield Offer(content, MetaPlace(name) if single else None)


@dataclass(frozen=True, slots=True)
class _Control:
    name: str
    value: str
    offered: bool
    hidden: bool
    action: str | None
    method: str | None


def _fields(tree: LexborHTMLParser, page: str) -> Iterator[Offer]:
    forms = [_form(tree, node, page) for node in tree.css("form")]
    seen = Counter((action, method, fields) for action, method, fields, _ in forms)
    for action, method, fields, controls in forms:
        unique = seen[action, method, fields] == 1
        counts: Counter[str] = Counter()
        for control in controls:
            nth = counts[control.name]
            counts[control.name] += 1
            if not control.offered:
                continue
            place = FormPlace(
                control.name,
                nth,
                _resolved(control.action, page) if control.action else action,
                control.method or method,
                fields,
                control.hidden,
            )
            yield Offer(control.value, place if unique and is_name(control.name) else None)


def _form(
    tree: LexborHTMLParser, form: LexborNode, page: str
) -> tuple[str, str, tuple[str, ...], list[_Control]]:
    controls = [_control(node) for node in _owned(tree, form) if _attribute(node, "name")]
    names = tuple(dict.fromkeys(c.name for c in controls if is_name(c.name)))
    method = _attribute(form, "method").upper()
    action = _resolved(_attribute(form, "action"), page)
    return action, method if method in ("POST", "DIALOG") else "GET", names, controls


def _owned(tree: LexborHTMLParser, form: LexborNode) -> list[LexborNode]:
    kinds = ("input", "select", "textarea", "button")
    inside = [
        node
        for node in form.css(", ".join(kinds))
        if node.attributes.get("form") in (None, _attribute(form, "id"))
    ]
    identifier = _attribute(form, "id")
    if not re.fullmatch(r"[A-Za-z][\w-]*", identifier):
        return inside
    outside = tree.css(", ".join(f'{kind}[form="{identifier}"]' for kind in kinds))
    known = {node.mem_id for node in inside}
    return inside + [node for node in outside if node.mem_id not in known]


def _control(node: LexborNode) -> _Control:
    name = _attribute(node, "name")
    kind = _attribute(node, "type").lower()
    if node.tag == "select":
        chosen = _selected(node)
        return _Control(name, chosen or "", chosen is not None, False, None, None)
    if node.tag == "textarea":
        return _Control(name, _lines(node.text(deep=True)), True, False, None, None)
    if node.tag == "button" or kind in _BUTTONS:
        sends = (kind or "submit") in ("submit", "image")
        return _Control(
            name,
            _attribute(node, "value"),
            sends,
            True,
            node.attributes.get("formaction"),
            _attribute(node, "formmethod").upper() or None,
        )
    value = node.attributes.get("value")
    if kind in ("checkbox", "radio"):
        checked = kind == "checkbox" or "checked" in node.attributes
        return _Control(name, "on" if value is None else value, checked, False, None, None)
    return _Control(name, value or "", kind != "file", kind == "hidden", None, None)


def _selected(node: LexborNode) -> str | None:
    options = node.css("option")
    if "multiple" in node.attributes:
        return None
    chosen = next((option for option in options if "selected" in option.attributes), None)
    chosen = chosen or next(iter(options), None)
    if chosen is None:
        return None
    value = chosen.attributes.get("value")
    return " ".join(chosen.text(deep=True).split()) if value is None else value


def _lines(text: str) -> str:
    # The form sends CRLF for every line end (HTML section 4.10.22.4); the parser drops the first.
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _resolved(action: str, page: str) -> str:
    try:
        return _ANY_ORIGIN.follow(action, page) if action else page
    except BadOrigin:
        return ""


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""
