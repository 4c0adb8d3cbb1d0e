import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from cards.errors import AuditUnavailable
from cards.holes import Slot, SlotRef
from cards.shapes import JsonBody, ObjectShape
from replay.audit import Trail
from replay.trial import Trial
from tests.support.builders import acontract, afile, areadback
from tests.support.replaying import Bench, MessageSite, Write, confirmed, promoted
from tests.support.sites import page, target_of
from verifier.outcome import ApplicationError, NotApplicable, Success, Uncertain, sent


def raising(error: Exception) -> Write:
    def write(_: MessageSite, request: httpx.Request) -> httpx.Response:
        raise error

    return write


def answer(response: httpx.Response, *, commits: bool = False) -> Write:
    def write(site: MessageSite, request: httpx.Request) -> httpx.Response:
        if commits:
            site.commit(request)
        return response

    return write


def replace(site: MessageSite, request: httpx.Request) -> httpx.Response:
    site.texts = [json.loads(request.content)["text"]]
    return httpx.Response(200, json={})


def replace_all(site: MessageSite, request: httpx.Request) -> httpx.Response:
    site.texts = [json.loads(request.content)["text"]]
    return httpx.Response(200, json={})


ENDINGS: list[tuple[Write | None, str]] = [
    (None, "success"),
    (answer(httpx.Response(500), commits=True), "success"),
    (answer(httpx.Response(202, json={})), "unconfirmed"),
    (answer(httpx.Response(404)), "http_error"),
    (answer(httpx.Response(200, json={"errors": ["x"]})), "application_error"),
    (answer(httpx.Response(401)), "login_required"),
    (answer(httpx.Response(302, headers={"location": "/login"})), "login_required"),
    (answer(httpx.Response(307, headers={"location": "https://evil.test/"})), "unconfirmed"),
    (answer(httpx.Response(301, headers={"location": "/api/messages/"})), "unconfirmed"),
    (answer(httpx.Response(503)), "uncertain"),
    (raising(httpx.ReadTimeout("x")), "uncertain"),
    (raising(httpx.RemoteProtocolError("x")), "uncertain"),
    (raising(httpx.ConnectError("x")), "uncertain"),
    (raising(ValueError("x")), "uncertain"),
]


@pytest.mark.parametrize(("write", "expected"), ENDINGS)
async def test_every_ending_sends_once_and_is_written_down(
    bench: Bench, write: Write | None, expected: str
) -> None:
    bench.has(promoted())
    site = MessageSite(write)
    result = await bench.replay(site)
    assert result.outcome.outcome == expected, result.outcome.message
    assert len(site.writes) == 1
    rows = bench.rows()
    assert [(row.kind, row.outcome) for row in rows] == [("attempt", None), ("outcome", expected)]


async def test_the_request_carries_the_live_token_and_the_callers_value(bench: Bench) -> None:
    bench.has(promoted())
    site = MessageSite()
    await bench.replay(site, "hello")
    (request,) = site.writes
    assert request.headers["x-csrf-token"] == "LIVE-TOKEN"
    assert request.headers["cookie"] == "sid=SECRET"
    assert json.loads(request.content) == {"text": "hello"}


async def test_the_attempt_is_on_disk_before_the_request_leaves(bench: Bench) -> None:
    seen: list[list[str]] = []

    def write(site: MessageSite, request: httpx.Request) -> httpx.Response:
        seen.append([row.kind for row in bench.rows()])
        return site.commit(request)

    bench.has(promoted())
    await bench.replay(MessageSite(write))
    assert seen == [["attempt"]]


async def test_a_rehearsal_prepares_everything_and_sends_nothing(bench: Bench) -> None:
    bench.has(promoted())
    site = MessageSite()
    result = await bench.replay(site, dry_run=True)
    assert result.outcome.outcome == "simulated"
    assert site.writes == []
    assert len(site.requests) == 2
    assert [(row.kind, row.dry_run) for row in bench.rows()] == [("rehearsal", True)]


async def assert_refused(bench: Bench, site: MessageSite, code: str) -> str:
    result = await bench.replay(site)
    assert isinstance(result.outcome, NotApplicable)
    assert result.outcome.code == code
    assert site.writes == []
    assert bench.rows() == []
    return result.outcome.message


async def test_a_token_that_is_gone_sends_nothing_and_takes_the_promotion(bench: Bench) -> None:
    bench.has(promoted())
    site = MessageSite()
    site.token_page = page("<p>new design</p>")
    assert "csrf_token" in await assert_refused(bench, site, "SOURCE_GONE")
    assert bench.store.load("send_message").state == "confirmed"


@pytest.mark.parametrize(
    "collection",
    [page("<p>hello</p>"), httpx.Response(200, json={"messages": 3}), httpx.Response(500)],
)
async def test_a_readback_that_cannot_be_counted_sends_nothing(
    bench: Bench, collection: httpx.Response
) -> None:
    bench.has(promoted())
    site = MessageSite()
    site.collection = lambda: collection
    await assert_refused(bench, site, "READBACK_FAILED")


async def test_a_card_without_a_readback_is_not_replayed(bench: Bench) -> None:
    bench.has(promoted(readback=None))
    await assert_refused(bench, MessageSite(), "NOT_USABLE")


async def test_a_confirmed_card_needs_a_trial(bench: Bench) -> None:
    bench.has(confirmed())
    assert "promoted" in await assert_refused(bench, MessageSite(), "NOT_USABLE")


async def test_a_card_on_the_ui_path_is_not_replayed_even_with_a_trial(bench: Bench) -> None:
    bench.has(afile(ui_only="a signed body"))
    site = MessageSite()
    result = await bench.replay(site, trial=Trial())
    assert "a signed body" in result.outcome.message
    assert site.requests == []


async def test_a_record_that_is_there_already_may_be_refused(bench: Bench) -> None:
    bench.has(promoted(readback=areadback(refuse_if_present=True)))
    site = MessageSite()
    site.texts = ["zebra"]
    await assert_refused(bench, site, "ALREADY_PRESENT")


async def test_signed_out_sends_nothing(bench: Bench) -> None:
    bench.has(promoted())
    site = MessageSite()
    site.token_page = httpx.Response(401)
    result = await bench.replay(site)
    assert (result.outcome.outcome, sent(result.outcome)) == ("login_required", "no")
    assert site.writes == []


async def test_reads_that_fail_are_tried_again_and_the_write_is_not(bench: Bench) -> None:
    bench.has(promoted())
    site = MessageSite()
    failures = [httpx.Response(503), httpx.Response(503)]
    good = site.collection
    site.collection = lambda: failures.pop() if failures else good()
    result = await bench.replay(site)
    assert isinstance(result.outcome, Success)
    assert len(site.writes) == 1


async def test_other_records_that_vanish_are_uncertain(bench: Bench) -> None:
    bench.has(confirmed())
    site = MessageSite(replace_all)
    site.texts = ["lion", "otter"]
    result = await bench.replay(site, trial=Trial())
    assert isinstance(result.outcome, Uncertain)
    assert "other records vanished" in result.outcome.message
    assert bench.store.load("send_message").state == "confirmed"


async def test_a_replaced_record_is_reported_and_promotes_nothing(bench: Bench) -> None:
    bench.has(confirmed())
    result = await bench.replay(MessageSite(replace), trial=Trial())
    assert isinstance(result.outcome, Success)
    assert "replaced" in result.outcome.notes[0]
    assert not result.promoted
    assert bench.store.load("send_message").state == "confirmed"


async def test_a_verified_trial_promotes(bench: Bench) -> None:
    bench.has(confirmed())
    result = await bench.replay(MessageSite(), trial=Trial())
    assert result.promoted
    assert bench.store.load("send_message").state == "promoted"


async def test_a_trial_whose_answer_was_an_error_promotes_nothing(bench: Bench) -> None:
    bench.has(confirmed())
    site = MessageSite(answer(httpx.Response(500), commits=True))
    result = await bench.replay(site, trial=Trial())
    assert isinstance(result.outcome, Success)
    assert bench.store.load("send_message").state == "confirmed"


@pytest.mark.parametrize(("sees", "state"), [(True, "promoted"), (False, "sealed")])
async def test_a_sealed_card_needs_the_authors_word(bench: Bench, sees: bool, state: str) -> None:
    bench.has(afile(contract=acontract(readback=areadback(deadline=0.3))))
    result = await bench.replay(MessageSite(), trial=Trial(lambda: sees))
    assert isinstance(result.outcome, Success)
    assert bench.store.load("send_message").state == state
    assert bool(result.warnings) is not sees


async def test_an_audit_that_cannot_be_written_sends_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AuditUnavailable("The audit can't be written.")

    bench.has(promoted())
    site = MessageSite()
    monkeypatch.setattr(Trail, "begin", refuse)
    result = await bench.replay(site)
    assert isinstance(result.outcome, NotApplicable)
    assert result.outcome.code == "AUDIT_UNAVAILABLE"
    assert site.writes == []


@pytest.mark.filterwarnings("ignore::ResourceWarning")
async def test_an_outcome_that_cannot_be_written_changes_nothing_that_is_said(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AuditUnavailable("The audit can't be written.")

    bench.has(promoted())
    monkeypatch.setattr(Trail, "finish", refuse)
    result = await bench.replay(MessageSite())
    assert isinstance(result.outcome, Success)
    assert result.warnings == ("The audit can't be written.",)


async def test_a_verification_that_breaks_off_is_uncertain(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("CANARY")

    bench.has(promoted())
    site = MessageSite()
    monkeypatch.setattr("replay.run.watch", broken)
    result = await bench.replay(site)
    assert isinstance(result.outcome, Uncertain)
    assert "CANARY" not in result.outcome.message
    assert bench.rows()[-1].outcome == "uncertain"
    assert len(site.writes) == 1


async def test_a_cancelled_send_is_written_down_as_uncertain(bench: Bench) -> None:
    bench.has(promoted())
    waiting = asyncio.Event()

    class Hanging(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if request.method == "GET":
                return site(request)
            waiting.set()
            await asyncio.Event().wait()
            raise AssertionError

    site = MessageSite()
    with bench.replayer(site) as replayer, pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx, "AsyncHTTPTransport", lambda **_: Hanging())
        async with replayer:
            task = asyncio.create_task(replayer.replay("send_message", {"message": "zebra"}))
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
    assert [row.outcome for row in bench.rows()] == [None, "uncertain"]


async def test_a_secret_slots_value_is_a_mark_in_the_audit(bench: Bench) -> None:
    shape: Any = {"text": SlotRef(slot="message")}
    bench.has(
        promoted(
            body=JsonBody(kind="json", content=ObjectShape(object=shape)),
            slots={"message": Slot(secret=True)},
        )
    )
    await bench.replay(MessageSite(), "CANARY")
    assert all("CANARY" not in str(row) for row in bench.rows())
    assert bench.rows()[0].params == {"message": "•••"}


async def test_a_sites_words_are_kept_for_python_and_printed_and_written_nowhere(
    bench: Bench,
) -> None:
    bench.has(promoted())
    site = MessageSite(answer(httpx.Response(422, json={"error": "That room is closed"})))
    result = await bench.replay(site)
    assert isinstance(result.outcome, ApplicationError)
    assert result.outcome.site_says == "That room is closed"
    assert "closed" not in f"{result.as_json()} {bench.rows()}"


async def test_a_send_that_raises_is_an_outcome_all_the_same(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr("replay.run.send", broken)
    bench.has(promoted())
    result = await bench.replay(MessageSite())
    assert (result.outcome.outcome, result.exit_code) == ("uncertain", 14)
    assert [row.outcome for row in bench.rows()] == [None, "uncertain"]


def unanswered() -> bool:
    raise EOFError


async def test_a_question_without_an_answer_is_no_yes(bench: Bench) -> None:
    bench.has(afile(contract=acontract(readback=areadback(deadline=0.3))))
    result = await bench.replay(MessageSite(), trial=Trial(unanswered))
    assert isinstance(result.outcome, Success)
    assert "stays sealed" in result.warnings[0]
    assert bench.store.load("send_message").state == "sealed"


async def test_a_watcher_that_breaks_changes_nothing(bench: Bench) -> None:
    def broken(_: str) -> None:
        raise OSError("the terminal is gone")

    bench.has(promoted())
    result = await bench.replay(MessageSite(), on_stage=broken)
    assert isinstance(result.outcome, Success)
    assert len(bench.rows()) == 2


def rotating(site: MessageSite) -> Callable[[httpx.Request], httpx.Response]:
    def handle(request: httpx.Request) -> httpx.Response:
        response = site(request)
        response.headers["set-cookie"] = f"sid={request.method}-{len(site.requests)}; Path=/"
        return response

    return handle


def login_file(directory: Path) -> Path:
    file = directory / "login.json"
    cookie = {"name": "sid", "value": "SECRET", "domain": "app.example.test", "path": "/"}
    file.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    file.chmod(0o600)
    return file


async def test_rotated_cookies_are_kept_when_the_run_ends(bench: Bench, tmp_path: Path) -> None:
    bench.has(promoted())
    site = MessageSite()
    await bench.replay(rotating(site), login=login_file(tmp_path))
    assert f"GET-{len(site.requests)}" in login_file_text(tmp_path)


def login_file_text(directory: Path) -> str:
    return (directory / "login.json").read_text()


@pytest.mark.parametrize("hangs", ["GET /messages", "POST /api/messages"])
async def test_rotated_cookies_are_kept_when_the_run_is_cancelled(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs: str
) -> None:
    bench.has(promoted())
    waiting, counted = asyncio.Event(), asyncio.Event()
    answer = rotating(MessageSite())

    class Hanging(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if f"{request.method} {target_of(request)}" != hangs:
                counted.set()
                return answer(request)
            await counted.wait()
            waiting.set()
            await asyncio.Event().wait()
            raise AssertionError

    with bench.replayer(MessageSite(), login=login_file(tmp_path)) as replayer:
        monkeypatch.setattr(httpx, "AsyncHTTPTransport", lambda **_: Hanging())
        async with replayer:
            task = asyncio.create_task(replayer.replay("send_message", {"message": "zebra"}))
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
    assert "GET-" in login_file_text(tmp_path)


async def test_two_replays_at_once_each_send_once(bench: Bench) -> None:
    bench.has(promoted(readback=areadback(deadline=0.3, window=True)))
    site = MessageSite()
    with bench.replayer(site) as replayer:
        async with replayer:
            both = await asyncio.gather(
                *(replayer.replay("send_message", {"message": text}) for text in ("one", "two"))
            )
    assert [result.outcome.outcome for result in both] == ["success", "success"]
    assert len(site.writes) == 2
    assert sorted(row.kind for row in bench.rows()) == ["attempt"] * 2 + ["outcome"] * 2
