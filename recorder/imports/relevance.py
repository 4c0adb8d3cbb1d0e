"""Which earlier answers are worth reading for the values of a request that is known already.

A recording reads answers before it knows what will be sent. An import knows it, and most answers
of a large file hold none of it.

Rules:
1. A value and each of its encodings keep their longest run of letters, digits, dots and dashes in
   a URL, in HTML and in JSON: an answer without that run did not issue the value.
2. Pages are read in any case: a masked token is found by its name alone. Headers, cookies and URLs
   cost nothing and are always kept.
"""

import base64
import html
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from recorder.decoding import unprefixed
from recorder.judging import distinctive
from recorder.parsed import scalars, take_request_apart
from recorder.strict_json import json_text
from recorder.traffic import Declared, RawRequest, RawResponse

# Shorter values are no source of anything (recorder.sources.json_leaves).
_SHORTEST = 4
_SHORTEST_RUN = 2
_RUN = re.compile(r"[A-Za-z0-9._-]+")
_STRUCTURAL = frozenset(
    {"accept", "accept-encoding", "accept-language", "connection", "content-length", "content-type"}
    | {"cookie", "host", "origin", "referer", "user-agent"}
)


def runs_of(requests: Iterable[RawRequest], declared: Declared) -> frozenset[bytes]:
    """The runs of which an answer must hold one to have issued a value of these requests."""
    return frozenset(
        run.encode()
        for request in requests
        for value in _sent(request, declared)
        for run in _runs(value)
    )


def is_relevant(response: RawResponse, runs: frozenset[bytes]) -> bool:
    """Whether an answer's body may have issued a value."""
    kind = response.header("content-type") or ""
    if "html" in kind or not kind:
        return True
    return any(run in response.body for run in runs)


def _sent(request: RawRequest, declared: Declared) -> Iterator[str]:
    typed = {text for slot in declared.slots.values() for text in slot.texts}
    for item in scalars(take_request_apart(request, declared)):
        text = "" if item.value is None or isinstance(item.value, bool) else json_text(item.value)
        if text not in typed and (distinctive(text) or not item.field.startswith("path:")):
            yield text
    for name, value in request.headers:
        if name not in _STRUCTURAL and not name.startswith("sec-"):
            yield value


def _runs(sent: str) -> Iterator[str]:
    _, value = unprefixed(sent)
    if len(value) < _SHORTEST:
        return
    for form in _forms(value):
        run = max(_RUN.findall(form), key=len, default="")
        # Without a run it can't be looked for: then each answer may hold it.
        if len(run) >= _SHORTEST_RUN or distinctive(value):
            yield run


def _forms(value: str) -> Iterator[str]:
    yield value
    plain = value.encode("utf-8", "surrogatepass")
    for form in {plain, quote(plain).encode(), html.escape(value).encode("utf-8", "replace")}:
        # The last group of base64 depends on what follows; whole groups do not.
        yield base64.b64encode(form[: len(form) // 3 * 3]).decode()
