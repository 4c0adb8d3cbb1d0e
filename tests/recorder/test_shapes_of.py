from typing import Any

import pytest

from recorder.shapes_of import generated_shape
from tests.recorder.traffic import NOON

NOW_S = int(NOON.timestamp())


def kind_of(value: Any, name: str = "x") -> str | None:
    shape = generated_shape(value, name, NOON, as_text=True)
    return None if shape is None else shape.kind


@pytest.mark.parametrize(
    ("value", "name", "kind"),
    [
        ("3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63", "x", "uuid"),
        (NOW_S, "x", "epoch_seconds"),
        (str(NOW_S - 3600), "x", "epoch_seconds"),
        (NOW_S * 1000 + 5, "x", "epoch_milliseconds"),
        ("2026-03-01T13:00:00+01:00", "x", "iso_datetime"),
        ("0123456789abcdef", "Idempotency-Key", "hex"),
        ("0123456789ABCdefg", "x-request-id", "base62"),
        ("0123456789abcdef0", "client_mutation_id", "hex"),
    ],
)
def test_a_shape_is_known(value: Any, name: str, kind: str) -> None:
    assert kind_of(value, name) == kind


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (NOW_S - 90_000, "x"),
        (NOW_S + 90_000, "x"),
        ("2026-02-27T12:00:00Z", "x"),
        ("2026-03-01T12:00", "x"),
        ("2026-03-01", "x"),
        ("2026-13-01T12:00:00Z", "x"),
        ("0123456789abcdef", "nonce"),
        ("0123456789abcdef", "password"),
        ("0123456789abcde", "idempotency-key"),
        ("id-3f2b8a4e-6c1d-4f0a-9b7e-2d5c8e1f0a63", "x"),
        (float(NOW_S), "x"),
        (True, "x"),
        (None, "x"),
    ],
)
def test_anything_else_is_not_made_up(value: Any, name: str) -> None:
    assert kind_of(value, name) is None


def test_a_number_in_json_stays_a_number() -> None:
    shape = generated_shape(NOW_S, "x", NOON, as_text=True)
    assert shape is not None
    assert not shape.as_text
