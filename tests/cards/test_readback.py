import json
from typing import Any

import pytest

from cards.errors import BadReadback
from cards.origin import Origin
from cards.readback import parse_readback

APP = Origin.parse("https://app.example.test")
FORM: dict[str, Any] = {
    "url": "/api/messages",
    "path": ["messages"],
    "match": {"field": "text", "slot": "message"},
    "completesTask": True,
}


def parse(**changes: Any) -> Any:
    return parse_readback(json.dumps({**FORM, **changes}), APP)


def test_the_documented_form_is_read() -> None:
    readback = parse()
    assert readback.path == ("messages",)
    assert readback.match.compare == "exact"
    assert readback.completes_task


def test_an_absolute_url_of_the_origin_is_shortened_to_its_path() -> None:
    assert parse(url="https://app.example.test/api/messages?limit=5").url == "/api/messages?limit=5"


def test_the_url_may_use_slots() -> None:
    assert parse(url="/api/rooms/{room_id}/messages").url_slots == ("room_id",)


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example.test/api",
        "http://app.example.test/api",
        "//evil.example.test/api",
        "/\\evil.example.test/api",
        "https://app.example.test@evil.example.test/",
        "api/messages",
        "//{host}/x",
    ],
)
def test_a_url_elsewhere_is_refused(url: str) -> None:
    with pytest.raises(BadReadback, match="url"):
        parse(url=url)


def test_an_unknown_member_is_refused_by_name() -> None:
    with pytest.raises(BadReadback, match="retries"):
        parse(retries=3)


def test_a_readback_that_completes_no_task_is_refused() -> None:
    with pytest.raises(BadReadback, match="completesTask"):
        parse(completesTask=False)


CURSOR = {"path": ["meta", "next"], "param": "cursor"}


@pytest.mark.parametrize(
    "ways",
    [
        {"next": "link", "page": {"param": "page"}},
        {"next": "link", "cursor": CURSOR},
        {"page": {"param": "page"}, "cursor": CURSOR},
    ],
)
def test_two_ways_of_paging_are_refused(ways: dict[str, Any]) -> None:
    with pytest.raises(BadReadback, match="next and page"):
        parse(**ways)


def test_a_cursor_is_a_path_and_a_parameter() -> None:
    cursor = parse(cursor=CURSOR).cursor
    assert (cursor.path, cursor.param) == (("meta", "next"), "cursor")


@pytest.mark.parametrize(
    ("total", "header"),
    [
        (["meta", "total"], None),
        ("$.meta.total", None),
        ("header:X-Total-Count", "X-Total-Count"),
        (None, None),
    ],
)
def test_the_number_of_all_records_is_a_member_or_a_header(total: Any, header: str | None) -> None:
    assert parse(total=total).total_header == header


@pytest.mark.parametrize("total", ["header:", "header:a b", "header:a\r\nb", "header:" + "a" * 65])
def test_a_header_that_cannot_be_one_is_refused(total: str) -> None:
    with pytest.raises(BadReadback, match="header"):
        parse(total=total)


def test_a_change_in_a_window_needs_the_number_of_all_records() -> None:
    with pytest.raises(BadReadback, match="change"):
        parse(expect="change", window=True)
    assert not parse(expect="change", window=True, total=["total"]).is_part


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"x"', "{}", "[" * 100_000])
def test_a_text_that_is_no_form_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadReadback) as refusal:
        parse_readback(text, APP)
    assert "completesTask" in refusal.value.way_out


@pytest.mark.parametrize("deadline", [0, -1, 601, "soon"])
def test_a_deadline_outside_its_bounds_is_refused(deadline: object) -> None:
    with pytest.raises(BadReadback, match="deadline"):
        parse(deadline=deadline)
