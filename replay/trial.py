"""The author's leave to replay a card that agents may not call yet.

Rules:
1. It is made at the author's doors only: the command line's ``--trial``, or Python.
2. A card that nobody saw acting in a page (imported, or changed since) also needs the author's
   word that the page shows the effect.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trial:
    """Leave to replay a confirmed card, or a sealed one that has a readback.

    Attributes:
        sees_effect: asked after a verified trial of a sealed card, off the event loop: does the
            page show the effect? Without a yes the card stays as it was.
    """

    sees_effect: Callable[[], bool] = lambda: False
