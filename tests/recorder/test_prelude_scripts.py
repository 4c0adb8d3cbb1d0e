"""Live values in scripts, data attributes, plain texts and the browser's own storage."""

import json

import pytest

from recorder.prelude import Prelude
from recorder.stripping import Stripped
from tests.recorder.traffic import (
    ORIGIN,
    aget,
    ananswer,
    arequest,
    declared,
    only_source,
    sent_in_header,
    stripped,
    text_of,
)

TOKEN = "a1b2c3d4e5"
PAGE = {"path": ["page"]}


def page_with(markup: str) -> Stripped:
    return sent_in_header(TOKEN, (aget("/page"), ananswer(markup)), page="/page")


@pytest.mark.parametrize(
    ("markup", "place", "name", "path"),
    [
        # WordPress, MediaWiki, Superset, Jupyter, Next and what people write by hand.
        (
            f'<script>var wpApiSettings = {{"root":"/wp","nonce":"{TOKEN}"}};</script>',
            "assigned",
            "wpApiSettings",
            ["nonce"],
        ),
        (
            f'<script>wp.use( wp.createNonceMiddleware( "{TOKEN}" ) );</script>',
            "called",
            "wp.createNonceMiddleware",
            None,
        ),
        (
            f'<script>mw.user.tokens.set({{"csrfToken":"{TOKEN}"}});</script>',
            "called",
            "mw.user.tokens.set",
            ["csrfToken"],
        ),
        (f"<script>window.csrf = '{TOKEN}';</script>", "assigned", "window.csrf", None),
        (f"<script>init({{csrf: '{TOKEN}', n: 1}})</script>", "assigned", "csrf", None),
        (
            f"<script>window.CONFIG = JSON.parse('{{\"csrf\":\"{TOKEN}\"}}');</script>",
            "assigned",
            "window.CONFIG",
            ["csrf"],
        ),
        (
            f'<script id="config-data" type="application/json">{{"a":{{"t":"{TOKEN}"}}}}</script>',
            "element",
            "config-data",
            ["a", "t"],
        ),
        (f'<div id="app" data-csrf="{TOKEN}"></div>', "attribute", "data-csrf", None),
        (
            f'<div data-bootstrap="{{&quot;csrf&quot;:&quot;{TOKEN}&quot;}}"></div>',
            "attribute",
            "data-bootstrap",
            ["csrf"],
        ),
    ],
)  # fmt: skip
def test_a_value_in_a_script_is_a_source_with_its_place(
    markup: str, place: str, name: str, path: list[str] | None
) -> None:
    result = page_with(markup)
    source = {"kind": "script", "page": PAGE, "place": place, "name": name}
    assert only_source(result) == (source if path is None else {**source, "path": path})
    assert TOKEN not in text_of(result)


def test_one_name_with_two_values_is_no_place() -> None:
    result = page_with(f"<script>a({{k: '{TOKEN}'}}); b({{k: 'another-one'}})</script>")
    assert result.contract.unresolved == ("header:x-csrf-token",)


def test_a_key_that_carries_a_value_makes_no_path() -> None:
    result = page_with(f'<script>var users = {{"4711812": "{TOKEN}"}};</script>')
    assert result.contract.unresolved == ("header:x-csrf-token",)


def test_a_script_is_read_and_never_run() -> None:
    result = page_with(f"<script>var a = '{TOKEN[:5]}' + '{TOKEN[5:]}';</script>")
    assert result.contract.unresolved == ("header:x-csrf-token",)


def test_a_form_field_goes_before_a_script() -> None:
    form = f'<form method="post"><input type="hidden" name="t" value="{TOKEN}"></form>'
    assert only_source(page_with(f"<script>t = '{TOKEN}'</script>{form}"))["kind"] == "form_field"


def test_a_plain_text_answer_is_a_source() -> None:
    route = (aget("/session/token"), ananswer(f"{TOKEN}\n", "text/plain; charset=UTF-8"))
    source = {"kind": "text", "page": {"path": ["session", "token"]}}
    assert only_source(sent_in_header(TOKEN, route)) == source


def bearer(**stored: dict[str, str]) -> Stripped:
    prelude = Prelude(ORIGIN)
    prelude.stored = {"local": stored.get("local", {}), "session": stored.get("session", {})}
    headers = {"authorization": f"Bearer {TOKEN}"}
    request = arequest(body={"text": "zebra"}, headers=headers)
    return stripped(request, declared(message="zebra"), prelude=prelude)


@pytest.mark.parametrize("area", ["local", "session"])
def test_a_bearer_token_is_an_item_of_the_storage(area: str) -> None:
    result = bearer(**{area: {"access_token": TOKEN}})
    (live,) = result.contract.pretty()["live"].values()
    source = {"kind": "storage", "area": area, "key": "access_token"}
    assert live == {"source": source, "prefix": "Bearer "}


def test_a_token_inside_a_json_item_has_its_path() -> None:
    result = bearer(local={"auth": json.dumps({"state": {"token": TOKEN}, "version": 0})})
    assert only_source(result) == {
        "kind": "storage",
        "area": "local",
        "key": "auth",
        "path": ["state", "token"],
    }


def test_an_item_that_is_a_quoted_json_text_is_decoded() -> None:
    result = bearer(local={"token": json.dumps(TOKEN)})
    (live,) = result.contract.pretty()["live"].values()
    assert live["decode"] == ["json"]


def test_a_key_that_carries_a_value_is_no_place_in_the_storage() -> None:
    result = bearer(local={"user:65b2f1c09d3e4a5b65b2f1c0": TOKEN})
    assert "header:authorization" in result.contract.unresolved
