"""Forms and meta tags of an HTML page, as a browser would submit them.

Rules:
1. Every control counts for its place among those of its name, sent or not, so that the place does
   not depend on what a person did.
2. Of a select only the option that the page itself selected is offered, and of radio buttons only
   the checked one: anything else is a person's choice.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from cards.errors import BadOrigin
from cards.origin import Origin

_BUTTONS = ("submit", "image", "button", "reset")
_KINDS = ("input", "select", "textarea", "button")


@dataclass(frozen=True, slots=True)
class Control:
    """A named control of a form.

    Attributes:
        nth: its place among the form's controls of that name, from 0.
        offered: whether the browser sends its value when nobody touches it.
        hidden: no person types into it: a hidden field or a button.
        action: the target that a button sends to instead of the form's.
        method: the method that a button sends with instead of the form's.
    """

    name: str
    nth: int
    value: str = field(repr=False)
    offered: bool
    hidden: bool
    action: str | None = None
    method: str | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """A form: where it goes, and its controls in order.

    Attributes:
        action: path and query, resolved against the page; empty where it leaves the origin.
        method: ``GET``, ``POST`` or ``DIALOG``.
    """

    action: str
    method: str
    controls: tuple[Control, ...]


class Page:
    """A parsed HTML page.

    Args:
        html: its bytes.
        origin: where it came from.
        target: its path and query, against which links are resolved.
    """

    def __init__(self, html: bytes, origin: Origin, target: str) -> None:
        self._tree = LexborHTMLParser(html.decode("utf-8", "replace"))
        self._origin = origin
        self._target = target
        self._base = self._base_of_links()

    def metas(self) -> Iterator[tuple[str, str]]:
        """Name and content of every named meta tag, entities decoded once."""
        for node in self._tree.css("meta[name][content]"):
            yield _attribute(node, "name"), _attribute(node, "content")

    def forms(self) -> list[Form]:
        """Every form with its controls, those that name it from outside included."""
        return [self._form(node) for node in self._tree.css("form")]

    def _form(self, form: LexborNode) -> Form:
        counts: Counter[str] = Counter()
        controls = []
        for node in self._owned(form):
            name = _attribute(node, "name")
            if name:
                controls.append(self._control(node, name, counts[name]))
                counts[name] += 1
        method = _attribute(form, "method").upper()
        return Form(
            self._resolved(_attribute(form, "action").strip()),
            method if method in {"POST", "DIALOG"} else "GET",
            tuple(controls),
        )

    def _owned(self, form: LexborNode) -> list[LexborNode]:
        """A form's controls in the order of the page: those inside it, and those that name it."""
        identifier = _attribute(form, "id")
        kinds = ", ".join(_KINDS)
        inside = [
            node for node in form.css(kinds) if node.attributes.get("form") in {None, identifier}
        ]
        known = {node.mem_id for node in inside}
        naming = [
            node
            for node in (self._tree.css("[form]") if identifier else ())
            if node.attributes.get("form") == identifier
            and node.tag in _KINDS
            and node.mem_id not in known
        ]
        if not naming:
            return inside
        owned = known | {node.mem_id for node in naming}
        return [node for node in self._tree.css(kinds) if node.mem_id in owned]

    def _control(self, node: LexborNode, name: str, nth: int) -> Control:
        kind = _attribute(node, "type").lower()
        if node.tag == "select":
            chosen = _selected(node)
            return Control(name, nth, chosen or "", offered=chosen is not None, hidden=False)
        if node.tag == "textarea":
            return Control(name, nth, _lines(node.text(deep=True)), offered=True, hidden=False)
        if node.tag == "button" or kind in _BUTTONS:
            return self._button(node, name, nth, kind)
        value = node.attributes.get("value")
        if kind in {"checkbox", "radio"}:
            ticked = kind == "checkbox" or "checked" in node.attributes
            return Control(name, nth, "on" if value is None else value, ticked, hidden=False)
        return Control(name, nth, value or "", kind != "file", kind == "hidden")

    def _button(self, node: LexborNode, name: str, nth: int, kind: str) -> Control:
        action = node.attributes.get("formaction")
        return Control(
            name,
            nth,
            _attribute(node, "value"),
            offered=(kind or "submit") in {"submit", "image"},
            hidden=True,
            action=self._resolved(action.strip()) if action else None,
            method=_attribute(node, "formmethod").upper() or None,
        )

    def _base_of_links(self) -> str | None:
        """What links are resolved against: the page, or what its first ``base`` names."""
        base = self._tree.css_first("base[href]")
        if base is None:
            return self._target
        try:
            return self._origin.follow(_attribute(base, "href").strip(), self._target)
        except BadOrigin:
            return None

    def _resolved(self, action: str) -> str:
        if not action:
            return self._target
        # A relative action of a page whose base is elsewhere leads there.
        if self._base is None and not action.startswith(("http:", "https:")):
            return ""
        try:
            return self._origin.follow(action, self._base or self._target)
        except BadOrigin:
            return ""


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


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""
