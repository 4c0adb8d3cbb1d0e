"""The author's readback: parsed and checked here, run by the verifier.

Rules:
1. The form is written by a person, so unknown members are refused by name.
2. It is a GET of the card's own origin and counts records of a JSON collection; nothing else.
"""

import json
import re
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from cards.errors import BadOrigin, BadReadback
from cards.model import Frozen, SlotName
from cards.origin import Origin, checked_target

Compare = Literal["exact", "strip", "html", "contains"]
Expect = Literal["increase", "decrease", "change"]
Path = tuple[str | int, ...] | str
PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
HEADER = "header:"
"""Before a header's name where a path could stand."""
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_FORM = (
    'It looks like {"url": "/api/messages", "path": ["messages"], '
    '"match": {"field": "text", "slot": "message"}, "completesTask": true}.'
)


class Match(Frozen):
    """Which records count: those whose field equals the slot's value, as ``compare`` says."""

    field: Path
    slot: SlotName
    compare: Compare = "exact"


class PageParameter(Frozen):
    """A query parameter that numbers the pages."""

    param: Annotated[str, Field(min_length=1, max_length=64)]
    start: int = 1


class Cursor(Frozen):
    """A token in each answer that a query parameter of the next page's request repeats."""

    path: Path
    param: Annotated[str, Field(min_length=1, max_length=64)]


class Readback(Frozen):
    """A same-origin GET returning a JSON collection; counts the records that match a slot.

    Attributes:
        url: path and query; ``{name}`` stands for a slot's value.
        path: keys, or one JSONPath, that lead to the collection.
        completes_task: the author's word that a matching record means that the task is done.
        next: path of the next page's URL, or ``link`` for the Link header (RFC 8288).
        page: the parameter that numbers pages, instead of ``next``.
        cursor: the token of the next page, instead of both.
        max_pages: pages read at most.
        total: path of the number of all records, or ``header:`` and a header's name; for a
            collection whose pages show only a part of it.
        expect: what the action does: a new record, one less, or one record that takes the value.
        refuse_if_present: a matching record before sending means that nothing is sent.
        window: the collection shows only a part, so that its total says nothing.
        deadline: seconds after the send until which the readback is asked again.
    """

    model_config = ConfigDict(populate_by_name=True)

    url: str
    path: Path
    match: Match
    completes_task: Annotated[bool, Field(alias="completesTask")]
    next: Path | None = None
    page: PageParameter | None = None
    cursor: Cursor | None = None
    max_pages: Annotated[int, Field(ge=1, le=1000)] = 20
    total: Path | None = None
    expect: Expect = "increase"
    refuse_if_present: bool = False
    window: bool = False
    deadline: Annotated[float, Field(gt=0, le=600)] = 10.0

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if not self.completes_task:
            raise ValueError(
                "completesTask must be true: a readback that shows no completed task is no proof"
            )
        if sum(way is not None for way in (self.next, self.page, self.cursor)) > 1:
            raise ValueError("next and page and cursor are ways to say the same: give one")
        name = self.total_header
        if name is not None and not _HEADER_NAME.fullmatch(name):
            raise ValueError("total names a header that can't be one")
        if self.expect == "change" and self.is_part:
            raise ValueError(
                "a change leaves the number of all records as it was, and a window does not show "
                "that number: give total too, or no window"
            )
        return self

    @property
    def total_header(self) -> str | None:
        """The header that holds the number of all records, or none."""
        if isinstance(self.total, str) and self.total.startswith(HEADER):
            return self.total.removeprefix(HEADER).strip()
        return None

    @property
    def is_part(self) -> bool:
        """Whether the number of all records stays unknown."""
        return self.window and self.total is None

    @property
    def url_slots(self) -> tuple[str, ...]:
        """The slots that the URL uses, in order."""
        return tuple(PLACEHOLDER.findall(self.url))


def parse_readback(text: str, origin: Origin) -> Readback:
    """Read the author's form.

    Args:
        text: a JSON object.
        origin: the card's origin; an absolute URL of it is shortened to its path.

    Raises:
        BadReadback: the text is not that form, or its URL leads elsewhere.
    """
    try:
        form = json.loads(text)
    except (ValueError, RecursionError):
        raise BadReadback("The readback is not JSON.", _FORM) from None
    if not isinstance(form, dict):
        raise BadReadback("The readback is not a JSON object.", _FORM)
    try:
        readback = Readback.model_validate(form)
    except ValidationError as error:
        raise BadReadback(f"The readback form is wrong: {_first_problem(error)}.", _FORM) from None
    return readback.model_copy(update={"url": _own_target(readback.url, origin)})


def _own_target(url: str, origin: Origin) -> str:
    # Placeholders stand for escaped text, so they are judged as if a plain word stood there.
    try:
        if _SCHEME.match(url):
            return origin.target_of(url)
        checked_target(PLACEHOLDER.sub("x", url))
    except BadOrigin as error:
        raise BadReadback(
            f"The readback's url is refused: {error.message}",
            f"Give a path of {origin}, starting with one slash.",
        ) from None
    return url


def _first_problem(error: ValidationError) -> str:
    problem: Any = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"] if isinstance(part, str | int))
    return f"{where}: {problem['msg']}" if where else str(problem["msg"])
