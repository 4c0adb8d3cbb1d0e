"""From a captured request to a contract: the one door from values to names."""

from dataclasses import dataclass

from cards.contract import Contract
from cards.origin import Origin
from cards.readback import Readback
from recorder.prelude import Prelude
from recorder.traffic import Declared, RawRequest


@dataclass(frozen=True, slots=True)
class Stripped:
    """What is left of a request when its values are gone.

    Attributes:
        contract: always valid, whatever the request was.
        ui_only: why the card stays on the UI path, or none.
        script_fields: field paths of typed slots that the author did not declare.
        unused_pins: pinned or kept field paths that the request does not have.
    """

    contract: Contract
    ui_only: str | None
    script_fields: tuple[str, ...] = ()
    unused_pins: tuple[str, ...] = ()


def strip(
    request: RawRequest,
    *,
    origin: Origin,
    action: str,
    declared: Declared,
    prelude: Prelude,
    readback: Readback | None,
    imported: bool = False,
) -> Stripped:
    """Take every value out of a request.

    Raises:
        BadPin: the author pins a field whose value looks like a secret.
    """
    raise NotImplementedError
