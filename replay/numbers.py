"""Numbers as a page's script writes them.

Rules:
1. ``JSON.stringify`` and ``String`` write a number alike (ECMA-262, Number::toString), and not as
   Python does: ``0.00001`` and ``1e-7``, where Python has ``1e-05`` and ``1e-07``.
"""

import rfc8785


def number_text(value: float) -> str:
    """A finite number as ECMAScript writes it; a whole one keeps every digit."""
    # RFC 8785 section 3.2.2.3 takes ECMAScript's rule for numbers over as it is.
    return str(value) if isinstance(value, int) else rfc8785.dumps(value).decode()
