"""The author's pins: the only constants that a card gets from a recording.

Rules:
1. A pin is written out, or it names a field whose sent value the author keeps.
2. What looks like a secret is refused in either case, and the message does not show it.
"""

from pydantic import ValidationError

from cards.errors import BadPin
from cards.holes import Null, Pin
from recorder.strict_json import Scalar, parse_json
from recorder.traffic import Declared


class Pins:
    """The pins of one recording.

    Attributes:
        used: field paths that the request has.
    """

    def __init__(self, declared: Declared) -> None:
        self._written = declared.pins
        self._kept = declared.kept
        self.used: set[str] = set()

    def __contains__(self, field: str) -> bool:
        return field in self._written or field in self._kept

    def hole_for(self, field: str, value: Scalar) -> Pin | Null | None:
        """The pin of a field, or none when the author gave none.

        Raises:
            BadPin: its value looks like a secret.
        """
        if field not in self:
            return None
        self.used.add(field)
        if field in self._written:
            return _pin(field, _typed_like(self._written[field], value))
        return _pin(field, value)

    def unused(self) -> tuple[str, ...]:
        """The field paths that the request does not have, in order."""
        return tuple(sorted({*self._written, *self._kept} - self.used))


def _typed_like(text: str, value: Scalar) -> Scalar:
    if isinstance(value, str):
        return text
    typed = parse_json(text)
    return typed if isinstance(typed, bool | int | float) or typed is None else text


def _pin(field: str, value: Scalar) -> Pin | Null:
    if value is None:
        return Null(null=True)
    try:
        return Pin(pin=value)
    except ValidationError:
        raise BadPin(
            f"The field {field} can't be pinned: its value looks like a secret.",
            "Leave it out: it becomes a live value, a generated value or a slot.",
        ) from None
