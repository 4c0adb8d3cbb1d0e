"""Meta tags and form fields of HTML pages.

Rules:
1. Pages are read as the verifier reads them for replay, so that a place means the same to both.
2. Forms of one page with the same target, method and fields are told apart by nothing: what
   stands in them has no place.
"""

from collections import Counter
from collections.abc import Iterator

from recorder.naming import is_name
from recorder.sources.offers import Exchange, FormPlace, MetaPlace, Offer
from verifier.forms import Form, Page

_HTML = ("text/html", "application/xhtml+xml", "")


def find_html(exchange: Exchange) -> Iterator[Offer]:
    """Every named meta tag and form field of an HTML answer."""
    body = exchange.response.body
    if exchange.media_type not in _HTML or b"<" not in body[:4096]:
        return
    page = Page(body, exchange.origin, exchange.target)
    yield from _metas(page)
    yield from _fields(page)


def _metas(page: Page) -> Iterator[Offer]:
    values: dict[str, set[str]] = {}
    for name, content in page.metas():
        values.setdefault(name, set()).add(content)
    for name, contents in values.items():
        single = len(contents) == 1 and is_name(name)
        for content in contents:
            yield Offer(content, MetaPlace(name) if single else None)


def _fields(page: Page) -> Iterator[Offer]:
    forms = page.forms()
    seen = Counter((form.action, form.method, _names(form)) for form in forms)
    for form in forms:
        names = _names(form)
        unique = seen[form.action, form.method, names] == 1
        for control in form.controls:
            if not control.offered:
                continue
            place = FormPlace(
                control.name,
                control.nth,
                control.action or form.action,
                control.method or form.method,
                names,
                control.hidden,
            )
            yield Offer(control.value, place if unique and is_name(control.name) else None)


def _names(form: Form) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c.name for c in form.controls if is_name(c.name)))
