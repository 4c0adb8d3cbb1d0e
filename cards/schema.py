"""The published JSON Schema (2020-12) of a card's file."""

from typing import Any

from cards.card import CardFile


def card_schema() -> dict[str, Any]:
    """What every card's file obeys; digest and references are checked beyond it."""
    schema = CardFile.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Request card",
        **{key: value for key, value in schema.items() if key != "title"},
    }
