import re
import time
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from cards.holes import GeneratedRef, GeneratedValue, SlotRef
from cards.shapes import JsonBody, ObjectShape
from replay.generated import generate
from tests.support.builders import acontract


def made(**members: Any) -> Any:
    shape: Any = {"text": SlotRef(slot="message"), "id": GeneratedRef(generated="id")}
    contract = acontract(
        body=JsonBody(kind="json", content=ObjectShape(object=shape)),
        generated={"id": GeneratedValue(**members)},
    )
    return generate(contract)["id"]


def test_a_uuid_is_random() -> None:
    assert UUID(made(kind="uuid")).version == 4
    assert made(kind="uuid") != made(kind="uuid")


@pytest.mark.parametrize(("kind", "factor"), [("epoch_seconds", 1), ("epoch_milliseconds", 1000)])
def test_an_epoch_is_now(kind: str, factor: int) -> None:
    assert abs(made(kind=kind) / factor - time.time()) < 5


def test_an_epoch_may_be_text() -> None:
    assert isinstance(made(kind="epoch_seconds", as_text=True), str)


def test_an_iso_time_is_now_in_utc() -> None:
    text = made(kind="iso_datetime")
    assert text.endswith("Z")
    assert abs((datetime.fromisoformat(text) - datetime.now(UTC)).total_seconds()) < 5


@pytest.mark.parametrize(("kind", "alphabet"), [("hex", "[0-9a-f]"), ("base62", "[0-9a-zA-Z]")])
@pytest.mark.parametrize("length", [4, 31, 32])
def test_random_text_has_its_length_and_alphabet(kind: str, alphabet: str, length: int) -> None:
    assert re.fullmatch(f"{alphabet}{{{length}}}", made(kind=kind, length=length))
