"""What a write looks like besides the action: telemetry, a heartbeat, a draft. A help, no verdict.

Rules:
1. A hint never refuses: some sites save as one types, and a site's real write may be called
   ``/collect``. It only says which of several candidates is believed last.
2. Words are looked for where a program names what it does: in the path, and in the member that
   chooses the operation. What people type is no hint.
3. A hint is one of the fixed words below, so it holds nothing of the request.
"""

import re

from recorder.contents import media_type
from recorder.naming import last_part
from recorder.parsed import Parsed, scalars
from recorder.traffic import RawRequest

_WORDS = {
    "telemetry": (
        r"telemetry|analytics?|beacons?|collect|track(?:ing)?|metrics?|logs?|rum|matomo|piwik|"
        r"web-?vitals|clickstream|pageviews?"
    ),
    "an error report": r"(?:error|csp|crash|js-?error|violation)-?reports?|client-?errors?|sentry",
    "a heartbeat": r"heart-?beats?|ping|keep-?alive",
    "presence": r"presence|typing|cursors?",
    "a draft": r"drafts?|auto-?save[ds]?|stash(?:es|edit)?",
    "a preview": r"previews?|validate|validation|autocomplete|typeahead|suggest(?:ions?)?",
}
_KINDS = tuple(
    (kind, re.compile(rf"(?:^|[^a-z])(?:{words})(?![a-z])")) for kind, words in _WORDS.items()
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Sentry's ingest paths: https://develop.sentry.dev/sdk/foundations/transport/
_SENTRY = re.compile(r"/api/[^/]+/(?:envelope|store|minidump|security)/?$")
_REPORTS = ("application/reports+json", "application/csp-report", "application/x-sentry-envelope")
# Fetch Metadata's destinations of requests that no page's script makes.
_BROWSERS_OWN = ("serviceworker", "webidentity")
# Members that name the operation: WordPress, MediaWiki, JSON-RPC, GraphQL and their like.
_CHOOSERS = frozenset(
    {"action", "paction", "op", "operation", "operationname", "method", "cmd", "do", "eventname"}
)
_PROGRAM_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{1,40}")


def hint_of(request: RawRequest) -> str | None:
    """What target and headers look like besides the action, or none."""
    path = request.target.partition("?")[0]
    if _SENTRY.search(path):
        return "an error report"
    return _in_words(path) or _by_headers(request)


def hint_in_members(parsed: Parsed) -> str | None:
    """What the member that names the operation speaks of (``action=heartbeat``), or none."""
    for item in scalars(parsed):
        path = item.field.removeprefix("query:")
        if "." in path or last_part(item.field).lower() not in _CHOOSERS:
            continue
        if isinstance(item.value, str) and _PROGRAM_WORD.fullmatch(item.value):
            found = _in_words(item.value)
            if found is not None:
                return found
    return None


def hint_in_message(text: str) -> str | None:
    """What a socket's message speaks of in its quoted words (``"typing"``), or none."""
    for word in re.findall(r'"([A-Za-z][A-Za-z_.:-]{1,40})"', text):
        found = _in_words(word)
        if found is not None:
            return found
    return None


def _in_words(text: str) -> str | None:
    words = _CAMEL.sub("-", text).lower().replace("_", "-")
    return next((kind for kind, pattern in _KINDS if pattern.search(words)), None)


def _by_headers(request: RawRequest) -> str | None:
    kind, destination = media_type(request), request.header("sec-fetch-dest")
    if kind in _REPORTS or destination == "report":
        return "a browser's report"
    if kind == "text/ping" or request.header("ping-to") is not None:
        return "a link's ping"
    if destination in _BROWSERS_OWN or request.header("service-worker") is not None:
        return "the browser's own request"
    if destination == "empty" and request.header("sec-fetch-mode") in (None, "no-cors"):
        # Fetch and XMLHttpRequest of a page's own origin ask in the mode cors; sendBeacon does not.
        return "a beacon"
    return None
