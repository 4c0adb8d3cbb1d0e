import json
from typing import Any

import pytest
from pydantic import ValidationError

from cards.contract import Contract, StructuralHeaders
from cards.holes import Pin, Slot, SlotRef
from cards.shapes import JsonBody, ObjectShape, Target
from tests.support.builders import acontract, areadback


def test_the_digest_is_the_same_for_the_same_contract() -> None:
    assert acontract().digest() == acontract().digest()


@pytest.mark.parametrize(
    ("readback", "digest"),
    [
        ({}, "9309d28874d36abe84d372dfabed579ca22e456d67977a6202a80ab48000a25d"),
        (
            {"next": "link", "max_pages": 3, "expect": "decrease", "window": True, "deadline": 2},
            "a90670badde7b2afd321985de69415fa4c0a9706ac2d447c0aeacf40d02a3e6a",
        ),
    ],
)
def test_a_contract_of_format_1_keeps_its_digest_in_later_versions(
    readback: dict[str, Any], digest: str
) -> None:
    assert acontract(readback=areadback(**readback)).digest() == f"sha256:{digest}"


def test_the_digest_survives_the_way_through_a_file() -> None:
    written = acontract().model_dump_json(by_alias=True, exclude_defaults=True)
    assert Contract.model_validate_json(written).digest() == acontract().digest()


@pytest.mark.parametrize(
    "changed",
    [
        {"action": "send_other"},
        {"method": "PUT"},
        {"target": Target(path=("api", "notes"))},
        {"imported": True},
        {"unresolved": ("header:x-client",)},
        {"readback": areadback(url="/api/other")},
        {"headers": StructuralHeaders(content_type="application/json", origin=True)},
    ],
)
def test_every_change_of_the_contract_changes_the_digest(changed: dict[str, object]) -> None:
    assert acontract(**changed).digest() != acontract().digest()


def test_the_order_of_members_does_not_matter_to_the_digest() -> None:
    def body(*names: str) -> JsonBody:
        leaves = {name: SlotRef(slot="message") for name in names}
        return JsonBody(kind="json", content=ObjectShape(object={**leaves}))

    assert acontract(body=body("a", "b")).digest() == acontract(body=body("b", "a")).digest()


def test_a_slot_that_is_used_and_not_defined_is_refused() -> None:
    with pytest.raises(ValidationError, match="slot message is used and not defined"):
        acontract(slots={})


def test_a_slot_that_is_defined_and_not_used_is_refused() -> None:
    with pytest.raises(ValidationError, match="slot room is defined and not used"):
        acontract(slots={"message": Slot(), "room": Slot()})


def test_a_slot_that_only_the_readback_uses_is_used() -> None:
    contract = acontract(
        slots={"message": Slot(), "room": Slot()},
        readback=areadback(url="/api/rooms/{room}/messages"),
    )
    assert "room" in contract.slots


def test_a_member_named_like_a_reference_does_not_count_as_one() -> None:
    shape = ObjectShape(object={"slot": SlotRef(slot="message"), "live": Pin(pin="yes")})
    contract = acontract(body=JsonBody(kind="json", content=shape))
    assert json.loads(contract.canonical())["body"]["content"]["object"]["live"] == {"pin": "yes"}


@pytest.mark.parametrize(
    "origin", ["https://app.example.test/", "HTTPS://app.example.test", "app.example.test"]
)
def test_an_origin_that_is_not_canonical_is_refused(origin: str) -> None:
    with pytest.raises(ValidationError):
        acontract(origin=origin)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "post"])
def test_a_method_that_changes_nothing_is_refused(method: str) -> None:
    with pytest.raises(ValidationError):
        acontract(method=method)


@pytest.mark.parametrize(
    "accept",
    ["text/html;boundary=abc", "application/json; token=9f86d081884c7d65", "CANARY", "x/y42"],
)
def test_a_media_range_with_room_for_a_value_is_refused(accept: str) -> None:
    with pytest.raises(ValidationError):
        StructuralHeaders(accept=accept)


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "application/json",
        "application/json, text/plain, */*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
        "application/vnd.api+json",
    ],
)
def test_the_media_ranges_of_browsers_are_kept(accept: str) -> None:
    assert StructuralHeaders(accept=accept).accept == accept


def test_an_unknown_member_is_refused() -> None:
    with pytest.raises(ValidationError):
        acontract(cookies={"sid": "x"})
