"""``reqcard list``, ``show``, ``pin`` and ``schema``: the cards of a directory."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reqcard.cli import output

if TYPE_CHECKING:
    from cards import BrokenCard, Card

Cards = Annotated[Path, typer.Option(envvar="REQCARD_CARDS", help="Directory of cards.")]
AsJson = Annotated[bool, typer.Option("--json", help="Answer in the JSON envelope.")]
Name = Annotated[str, typer.Argument(help="The card's name, as reqcard list shows it.")]
_HERE = Path("cards.d")


def list_cards(cards: Cards = _HERE, as_json: AsJson = False) -> None:
    """List the cards of a directory with their states."""

    def act() -> "list[tuple[str, Card | BrokenCard]]":
        from cards import CardStore

        store = CardStore(cards)
        return list(zip(store.names(), store.all(), strict=True))

    found = output.run(act, json=as_json)
    if as_json:
        output.data({"cards": [_summary(name, card) for name, card in found]})
    elif found:
        _table([_summary(name, card) for name, card in found])
    else:
        typer.echo(f"There are no cards in {cards}. Make one with reqcard record.")


def show(name: Name, cards: Cards = _HERE, as_json: AsJson = False) -> None:
    """Show one card: what is sent, what fills each hole, how it is proved."""
    from reqcard.describing import describe

    def act() -> "Card":
        from cards import CardStore

        return CardStore(cards).load(name)

    card = output.run(act, json=as_json)
    if as_json:
        file = card.file.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        output.data({"name": name, "state": card.state, "card": file})
    else:
        for line in describe(card):
            output.say(line)


def pin(
    name: Name,
    pins: Annotated[
        list[str], typer.Argument(metavar="FIELD=VALUE…", help="Constants that you choose.")
    ],
    cards: Cards = _HERE,
    as_json: AsJson = False,
) -> None:
    """Put constants in the place of holes; the card that comes of it is new, and sealed."""

    def act() -> tuple[Path, "Card"]:
        from cards import CardStore, seal
        from reqcard.pinning import parse_pins, pinned

        store = CardStore(cards)
        with store.locked(name):
            card = seal(pinned(store.load(name), parse_pins(pins)))
            return store.write(card, name), card

    path, card = output.run(act, json=as_json)
    if as_json:
        output.data({"file": str(path), "state": card.state, "digest": card.digest})
    else:
        typer.echo(f"{path}: sealed anew; a trial can promote it (--trial --effect-seen).")


def schema(as_json: AsJson = False) -> None:
    """Print the JSON Schema of a card's file."""
    from cards import card_schema

    if as_json:
        output.data(card_schema())
    else:
        typer.echo(json.dumps(card_schema(), indent=2))


def _summary(name: str, card: "Card | BrokenCard") -> dict[str, Any]:
    from cards import BrokenCard, UiOnlyCard
    from reqcard.describing import path_of

    if isinstance(card, BrokenCard):
        return {"name": name, "state": "refused", "reason": card.reason}
    contract = card.contract
    reason = card.reason if isinstance(card, UiOnlyCard) else None
    if reason is None and card.file.fell_back is not None:
        reason = f"fell back: {card.file.fell_back.reason}"
    return {
        "name": name,
        "state": card.state,
        "action": contract.action,
        "origin": contract.origin,
        "method": contract.method,
        "path": path_of(contract.target),
        "slots": list(contract.slots),
        "reason": reason,
    }


def _table(rows: list[dict[str, Any]]) -> None:
    output.table(
        ("name", "state", "request", "slots", "reason"),
        (
            (
                row["name"],
                row["state"],
                f"{row.get('method', '')} {row.get('path', '')}".strip(),
                ", ".join(row.get("slots", ())),
                row.get("reason") or "",
            )
            for row in rows
        ),
    )
