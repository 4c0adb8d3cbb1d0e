"""The decision: what came back and what was counted → how the replay ended.

Rules:
1. The readback alone makes a success, also after a timeout or a 5xx. An answer alone never does.
   Where nothing was sent, a rise is somebody else's.
2. A total function: every answer and every count has its row.
3. Promotion asks for more than success: one new record, and an answer that accepted the request.
"""

from typing import assert_never

import httpx

from cards.errors import BadOrigin
from cards.readback import Readback
from verifier.answers import REPLAYED_NOTE, Answered, NoAnswer
from verifier.evidence import Evidence
from verifier.http import OffOriginError
from verifier.outcome import (
    ApplicationError,
    HttpError,
    LoginRequired,
    Outcome,
    Success,
    Uncertain,
    Unconfirmed,
)
from verifier.records import Count, CountFailed

Answer = Answered | NoAnswer

# Every exception of httpx: what it means for a request that is sent once.
NO_ANSWERS: dict[type[Exception], NoAnswer] = {
    httpx.ConnectTimeout: NoAnswer("connect", maybe_sent=False),
    httpx.PoolTimeout: NoAnswer("connect", maybe_sent=False),
    httpx.ConnectError: NoAnswer("connect", maybe_sent=False),
    httpx.UnsupportedProtocol: NoAnswer("protocol", maybe_sent=False),
    httpx.InvalidURL: NoAnswer("protocol", maybe_sent=False),
    httpx.ProxyError: NoAnswer("connect", maybe_sent=False),
    httpx.LocalProtocolError: NoAnswer("protocol", maybe_sent=True),
    httpx.RemoteProtocolError: NoAnswer("reset", maybe_sent=True),
    httpx.ProtocolError: NoAnswer("protocol", maybe_sent=True),
    httpx.ReadTimeout: NoAnswer("timeout", maybe_sent=True),
    httpx.WriteTimeout: NoAnswer("timeout", maybe_sent=True),
    httpx.TimeoutException: NoAnswer("timeout", maybe_sent=True),
    httpx.ReadError: NoAnswer("reset", maybe_sent=True),
    httpx.WriteError: NoAnswer("reset", maybe_sent=True),
    httpx.CloseError: NoAnswer("reset", maybe_sent=True),
    httpx.NetworkError: NoAnswer("reset", maybe_sent=True),
    httpx.DecodingError: NoAnswer("protocol", maybe_sent=True),
    httpx.TooManyRedirects: NoAnswer("protocol", maybe_sent=True),
    httpx.TransportError: NoAnswer("protocol", maybe_sent=True),
    httpx.RequestError: NoAnswer("protocol", maybe_sent=True),
    httpx.HTTPStatusError: NoAnswer("protocol", maybe_sent=True),
    httpx.HTTPError: NoAnswer("protocol", maybe_sent=True),
    httpx.CookieConflict: NoAnswer("protocol", maybe_sent=True),
    httpx.StreamError: NoAnswer("protocol", maybe_sent=True),
    httpx.StreamConsumed: NoAnswer("protocol", maybe_sent=True),
    httpx.StreamClosed: NoAnswer("protocol", maybe_sent=True),
    httpx.ResponseNotRead: NoAnswer("protocol", maybe_sent=True),
    httpx.RequestNotRead: NoAnswer("protocol", maybe_sent=True),
    TimeoutError: NoAnswer("timeout", maybe_sent=True),
    # Ours, before a socket opens.
    OffOriginError: NoAnswer("off_origin", maybe_sent=False),
    BadOrigin: NoAnswer("off_origin", maybe_sent=False),
}


def no_answer_for(error: BaseException) -> NoAnswer:
    """What an exception of the send means; an unknown one may always have been sent."""
    for kind in type(error).__mro__:
        if kind in NO_ANSWERS:
            return NO_ANSWERS[kind]
    return NoAnswer("protocol", maybe_sent=True)


def decide(
    answer: Answer,
    before: Count,
    after: Count | CountFailed,
    readback: Readback,
    *,
    cached_s: int = 0,
) -> Outcome:
    """How a replay ended.

    Args:
        answer: what came back from the one send.
        before: the count taken before it.
        after: the last count taken after it.
        readback: whose window and direction the counts are read by.
        cached_s: the age of the page that a token came from, told where the site refused.
    """
    if isinstance(after, CountFailed):
        return _without_count(answer, after)
    evidence = Evidence.between(
        before, after, "replay", window=readback.is_part, expect=readback.expect
    )
    if isinstance(answer, NoAnswer) and not answer.maybe_sent:
        return _not_sent(answer, f"The readback showed {_counts(evidence)}.", evidence)
    if evidence.vanished:
        return Uncertain(
            f"{_done(evidence).capitalize()}, and other records vanished: {_counts(evidence)}.",
            way_out="Look at the collection before anything else is written.",
            was_sent="yes",
            evidence=evidence,
        )
    if evidence.spread:
        return Uncertain(
            f"{evidence.rise} records took the value, where one should: {_counts(evidence)}.",
            way_out="Look at the collection before anything else is written.",
            was_sent="yes",
            evidence=evidence,
        )
    if evidence.rose:
        return Success(evidence, notes=tuple(_notes(answer, evidence)))
    return _unchanged(answer, evidence, cached_s)


def promotes(answer: Answer, evidence: Evidence) -> bool:
    """Whether a replay's evidence may promote its card."""
    replayed = isinstance(answer, Answered) and REPLAYED_NOTE in answer.notes
    return _accepted(answer) and not replayed and evidence.proves and evidence.rise == 1


def _unchanged(answer: Answer, evidence: Evidence, cached_s: int) -> Outcome:
    seen = f"The count did not {_move(evidence)}: {_counts(evidence)}."
    if isinstance(answer, NoAnswer):
        return _no_answer(answer, seen, evidence)
    told = f"The site answered {answer.status}{_because(answer)}. {seen}"
    match answer.kind:
        case "login":
            return LoginRequired(
                f"The site asked for a login. {seen}", was_sent="yes", evidence=evidence
            )
        case "application_error":
            return ApplicationError(told, answer.status, site_says=answer.detail, evidence=evidence)
        case "client_error":
            cached = f" The page of its token looks cached (Age {cached_s})." if cached_s else ""
            return HttpError(
                told + cached, answer.status, site_says=answer.detail, evidence=evidence
            )
        case "server_error":
            return Uncertain(told, evidence=evidence)
        case "accepted":
            return Unconfirmed(told, evidence=evidence)
        case _:
            assert_never(answer.kind)


def _no_answer(answer: NoAnswer, seen: str, evidence: Evidence | None) -> Outcome:
    if not answer.maybe_sent:
        return _not_sent(answer, seen, evidence)
    return Uncertain(f"No answer came ({answer.reason}). {seen}", evidence=evidence)


def _not_sent(answer: NoAnswer, seen: str, evidence: Evidence | None) -> Outcome:
    if answer.reason == "connect":
        happened = "The site could not be reached, and nothing was sent"
        way_out = "Try again when the site can be reached."
    else:
        happened = f"The request was refused before it left ({answer.reason}); nothing was sent"
        way_out = "Look at the card and its origin."
    return Uncertain(f"{happened}. {seen}", way_out=way_out, was_sent="no", evidence=evidence)


def _without_count(answer: Answer, failed: CountFailed) -> Outcome:
    if isinstance(answer, NoAnswer):
        return _no_answer(answer, failed.message, None)
    told = f"The site answered {answer.status}{_because(answer)}. {failed.message}"
    match answer.kind:
        case "login":
            return LoginRequired(f"The site asked for a login. {failed.message}", was_sent="yes")
        case "client_error" | "application_error" | "server_error" | "accepted":
            # Nobody has seen that the count did not rise, which an error's outcome would claim.
            return Uncertain(told)
        case _:
            assert_never(answer.kind)


def _notes(answer: Answer, evidence: Evidence) -> list[str]:
    notes = list(answer.notes) if isinstance(answer, Answered) else []
    if evidence.replaced:
        move = _move(evidence)
        notes.append(f"a record was replaced: the number of all records did not {move}")
    if evidence.added:
        notes.append("it may be a new record: the number of all records rose")
    if evidence.rise > 1:
        moved = "fell" if evidence.expect == "decrease" else "rose"
        notes.append(f"the count {moved} by {evidence.rise}")
    if not _accepted(answer) and evidence.expect != "decrease" and evidence.before.matching:
        notes.append("records with that value were there before: this one may be somebody else's")
    if isinstance(answer, NoAnswer):
        notes.append(f"no answer came ({answer.reason}), and {_done(evidence)}")
    elif answer.kind != "accepted":
        notes.append(f"the site answered {answer.status} as an error, and {_done(evidence)}")
    return notes


def _accepted(answer: Answer) -> bool:
    return isinstance(answer, Answered) and answer.kind == "accepted"


def _because(answer: Answered) -> str:
    # The site's own words stay out of messages, which a card's file may keep.
    notes = "; ".join(answer.notes)
    return f" ({notes})" if notes else ""


def _done(evidence: Evidence) -> str:
    if evidence.expect == "change":
        return "the value is there"
    return f"the record is {'gone' if evidence.expect == 'decrease' else 'there'}"


def _move(evidence: Evidence) -> str:
    return "fall" if evidence.expect == "decrease" else "rise"


def _counts(evidence: Evidence) -> str:
    before, after = evidence.before, evidence.after
    return (
        f"{before.matching} → {after.matching} matching records "
        f"({before.total} → {after.total} in all)"
    )
