"""What an action's request is. Pure: no network, no clock, no environment, no browser."""

from cards.card import (
    Card,
    CardFile,
    ConfirmedCard,
    PromotedCard,
    SealedCard,
    UiOnlyCard,
    seal,
    seal_ui_only,
)
from cards.contract import Contract
from cards.errors import UserError
from cards.origin import Origin
from cards.readback import Readback, parse_readback
from cards.schema import card_schema
from cards.store import BrokenCard, CardStore

__all__ = [
    "BrokenCard",
    "Card",
    "CardFile",
    "CardStore",
    "ConfirmedCard",
    "Contract",
    "Origin",
    "PromotedCard",
    "Readback",
    "SealedCard",
    "UiOnlyCard",
    "UserError",
    "card_schema",
    "parse_readback",
    "seal",
    "seal_ui_only",
]
