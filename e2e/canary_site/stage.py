"""What the site remembers, and the answers that it dresses in markers."""

import html
import json
import re
import threading
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from e2e.markers import Marks

PAGES = Path(__file__).parent / "pages"
_HOLE = re.compile(r"\{\{(?P<kind>text|words|number|fixed):(?P<what>[^}]+)\}\}")


class Failure(StrEnum):
    """How a write goes wrong; each answer still talks much."""

    ERRORS_IN_200 = "errors_in_200"
    REFUSED_422 = "refused_422"
    BROKEN_500 = "broken_500"
    TO_LOGIN = "to_login"
    GONE_404 = "gone_404"


@dataclass(frozen=True, slots=True)
class Write:
    """One decisive request as it arrived, and why it was refused, or an empty string."""

    headers: dict[str, str]
    cookies: dict[str, str]
    query: dict[str, str]
    body: str
    refused: str


@dataclass
class Stage:
    """The memory of one site.

    Attributes:
        marks: makes every value.
        failure: what the next writes meet instead of being stored.
        hold: writes wait for ever, for tests that kill somebody meanwhile.
        held: set when a write has arrived, or a page says that its fields are filled.
        fixed: values of the latest page that the next write must bring.
    """

    marks: Marks
    failure: Failure | None = None
    hold: bool = False
    held: threading.Event = field(default_factory=threading.Event)
    fixed: dict[str, str] = field(default_factory=dict)
    sids: set[str] = field(default_factory=set)
    writes: list[Write] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    forms: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note_write(self, request: Request, body: str, refused: str) -> None:
        """Remember a decisive request, and tell whoever waits for one."""
        write = Write(
            dict(request.headers),
            dict(request.cookies),
            dict(request.query_params),
            body,
            refused,
        )
        with self.lock:
            self.writes.append(write)
        self.held.set()

    def begin(self) -> str:
        """A new login."""
        sid = self.marks.text("the login cookie")
        self.sids.add(sid)
        return sid

    def is_known(self, request: Request) -> bool:
        return request.cookies.get("sid") in self.sids

    def fresh(self, name: str) -> str:
        """A new value that the next write must bring."""
        self.fixed[name] = self.marks.text(name)
        return self.fixed[name]

    def show(self, page: str) -> Response:
        """A page in which each hole is filled with a new marker; it renews all cookies."""

        def fill(hole: re.Match[str]) -> str:
            what = f"{hole['what']} of {page}"
            match hole["kind"]:
                case "fixed":
                    return self.fresh(hole["what"])
                case "words":
                    return html.escape(self.marks.words(what))
                case "number":
                    return str(self.marks.number(what))
                case _:
                    return self.marks.text(what)

        answer = self.dressed(
            _HOLE.sub(fill, (PAGES / page).read_text(encoding="utf-8")), "text/html"
        )
        for name, value in (
            ("sid", self.begin()),
            ("double", self.fresh("the double submit cookie")),
            ("prefs", self.marks.text("the preferences cookie")),
        ):
            only = "; HttpOnly" if name == "sid" else ""
            answer.headers.append("set-cookie", f"{name}={value}; Path=/; SameSite=Lax{only}")
        return answer

    def record(self, **fields: object) -> dict[str, Any]:
        """A stored record, with much around what was sent."""
        return {
            "id": self.marks.text("a record's id"),
            **fields,
            "owner": self.marks.words("a record's owner"),
            "serial": self.marks.number("a record's serial number"),
            "more": [{"note": self.marks.text("a record's nested note"), "none": None}],
        }

    def said(self, content: dict[str, Any], status: int = 200) -> Response:
        """A JSON answer."""
        talk = {
            "trace": self.marks.text("a JSON answer's leaf"),
            "took": self.marks.number("a JSON answer's number"),
            "inner": json.dumps({"deep": self.marks.text("a JSON answer's inner JSON")}),
        }
        return self.dressed(json.dumps(content | {"about": talk}), "application/json", status)

    def dressed(self, body: str, media_type: str, status: int = 200) -> Response:
        """An answer with headers that carry markers."""
        answer = Response(body, status, media_type=media_type)
        answer.headers["X-Request-Id"] = self.marks.text("a response header")
        answer.headers["ETag"] = f'"{self.marks.text("an entity tag")}"'
        return answer

    def go(self, target: str, status: int = 303) -> Response:
        """A redirect that tells something in its query."""
        ticket = self.marks.text("a redirect's query value")
        answer = RedirectResponse(f"{target}?ticket={ticket}", status)
        answer.headers.append("set-cookie", f"flash={self.marks.text('a flash cookie')}; Path=/")
        return answer

    def fail(self, echo: str) -> Response | None:
        """What the failure says, with all that was sent in it; none where all is well."""
        message = f"{self.marks.words('an error message')}; you sent {echo}"
        short = f"The name {self.marks.word('a short error message')} is taken."
        match self.failure:
            case None:
                return None
            case Failure.ERRORS_IN_200:
                return self.said({"errors": [{"message": short, "path": ["text"]}]})
            case Failure.REFUSED_422:
                return self.said({"error": message, "detail": short}, 422)
            case Failure.BROKEN_500:
                page = f"<title>Traceback</title><pre>{html.escape(message)}</pre>"
                return self.dressed(page, "text/html", 500)
            case Failure.GONE_404:
                return self.said({"error": {"message": short}}, 404)
            case Failure.TO_LOGIN:
                return self.go("/login")


def stage_of(request: Request) -> Stage:
    stage = request.app.state.stage
    assert isinstance(stage, Stage)
    return stage
