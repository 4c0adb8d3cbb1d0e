"""The classic form: hidden fields, POST, redirect, GET.

Its `csrf_token` is new in each render and consumed by the write. Two other forms stand before it,
one with a field of the same name.
"""

import html

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from e2e.site import readbacks
from e2e.site.endpoints import newsletter
from e2e.site.forms import Form, read_form
from e2e.site.pages import Markup, items, show
from e2e.site.state import stamped
from e2e.site.visits import Visit, api, page
from e2e.site.writes import Plan, decide

ACTION = "/notes"
SHOWN_IN_FORM = (200, 422)
"""Statuses under which an error stands in the form; under others it is a page of its own."""


@page
async def list_page(visit: Visit) -> Response:
    return show("notes.html", notes=items([note["title"] for note in visit.state.notes]))


@page
async def new_page(visit: Visit) -> Response:
    return _form_page(visit, Form([]), 200)


@page
async def submit(visit: Visit) -> Response:
    filled = await read_form(visit.request)

    def say(status: int, message: str) -> Response:
        if status in SHOWN_IN_FORM:
            return _form_page(visit, filled, status, message)
        return show("refused.html", status, message=message)

    def plan() -> Plan | Response:
        return _plan(visit, filled)

    return decide(visit, plan, say)


@api
async def read(visit: Visit) -> Response:
    return readbacks.read_back(visit, visit.state.notes, readbacks.notes)


def _plan(visit: Visit, filled: Form) -> Plan | Response:
    sent = filled.first("csrf_token")
    if visit.session.form_tokens.get(sent) != ACTION:
        message = "This form is too old. Load the page again."
        return show("refused.html", 403, message=message)
    if "_preview" in filled:
        return _form_page(visit, filled, 200)
    if not filled.first("title").strip():
        return _form_page(visit, filled, 200, "Title: this field is required.")
    if filled.first("coupon"):
        return _form_page(visit, filled, 200, "Coupon: nobody gave out such a coupon.")
    record = stamped(
        visit.session.user,
        title=filled.first("title"),
        body=filled.first("body"),
        tags=[tag for tag in filled.all("tag") if tag],
    )

    def commit(delay: float) -> None:
        visit.session.form_tokens.pop(sent, None)
        visit.state.note_records.add(record, delay)

    saved = RedirectResponse(_local(filled.first("next")), 303)
    return Plan(commit, saved, accepted=saved)


def _local(target: str) -> str:
    return target if target.startswith("/") and not target.startswith("//") else ACTION


def _form_page(visit: Visit, filled: Form, status: int, error: str = "") -> Response:
    tags = [*filled.all("tag"), "", ""]
    said = f'<ul class="errorlist"><li>{html.escape(error)}</li></ul>' if error else ""
    return show(
        "note_new.html",
        status,
        newsletter_token=visit.session.form_token(newsletter.ACTION),
        token=visit.session.form_token(ACTION),
        error=Markup(said),
        title=filled.first("title"),
        body=filled.first("body"),
        tag_1=tags[0],
        tag_2=tags[1],
        coupon=filled.first("coupon"),
    )


ROUTES = [
    Route(ACTION, list_page, methods=["GET"]),
    Route(ACTION, submit, methods=["POST"]),
    Route("/notes/new", new_page),
    Route("/api/notes", read),
]
