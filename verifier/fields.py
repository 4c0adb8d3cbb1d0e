"""The records that show a value in their match field: the way to it is made once, not by record.

Rules:
1. A key is looked for before a path is followed: a key may hold dots.
2. Where every record has a plain field, the values are taken and compared in one go each; the
   result is what following the path record by record would give.
"""

from collections.abc import Sequence
from typing import Any

from cards.readback import Match, Path
from verifier.matching import Comparison, SlotValue
from verifier.paths import MISSING, at, find, is_path, plain_keys


class Matcher:
    """Counts the records that show one value.

    Args:
        match: the readback's field and how it is compared.
        value: the slot's.
    """

    def __init__(self, match: Match, value: SlotValue) -> None:
        self._field = match.field
        self._keys = _keys(match.field)
        self._comparison = Comparison(value, match.compare)

    def count(self, records: Sequence[Any]) -> int | None:
        """How many of the records match, or none where not one of them has the field.

        Raises:
            CannotFollowError: the field's path cannot be followed.
        """
        column = self._column(records)
        if column is not None:
            return self._comparison.count(column)
        shown = [self._shown(record) for record in records]
        if not any(shown):
            return None
        return sum(any(map(self._comparison, values)) for values in shown)

    def _column(self, records: Sequence[Any]) -> Sequence[Any] | None:
        """The field's value in each record, or none where one of them needs a closer look."""
        if self._keys is None:
            return None
        if self._keys != (self._field,) and self._is_key_of_any(records):
            return None
        column = records
        try:
            for key in self._keys:
                # A text is no index of a list or a text, so only objects are looked into.
                column = [place[key] for place in column]
        except (KeyError, TypeError):
            return None
        return column

    def _is_key_of_any(self, records: Sequence[Any]) -> bool:
        field = self._field
        return isinstance(field, str) and any(
            isinstance(record, dict) and field in record for record in records
        )

    def _shown(self, record: Any) -> list[Any]:
        field = self._field
        if isinstance(field, str):
            if isinstance(record, dict) and field in record:
                return [record[field]]
            if self._keys is None:
                return find(record, field)
            field = self._keys
        value = at(record, field)
        return [] if value is MISSING else [value]


def _keys(field: Path) -> tuple[str, ...] | None:
    """The field as keys of objects, where it is no more than that."""
    if isinstance(field, str):
        if not is_path(field):
            return (field,)
        keys, selects = plain_keys(field) or ((), True)
        return None if selects else keys
    texts = tuple(key for key in field if isinstance(key, str))
    return texts if len(texts) == len(field) else None
