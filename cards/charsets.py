"""Character encodings by the labels that pages use (WHATWG Encoding section 4.2)."""

import codecs
import re
from functools import lru_cache

# The standard reads these labels as windows-1252, as browsers do.
_WINDOWS_1252 = frozenset({"iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii"})
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([A-Za-z0-9_-]{2,20})", re.IGNORECASE)
DEFAULT = "utf-8"


@lru_cache(maxsize=64)
def codec_of(label: str) -> str | None:
    """Python's name of the encoding with that label, or none where it is not known."""
    plain = label.strip().lower()
    if plain in _WINDOWS_1252:
        return "cp1252"
    try:
        found = codecs.lookup(plain)
        found.decode(b"")[0].encode()
    except (LookupError, UnicodeError, AttributeError, TypeError):
        return None
    return found.name


def label_in(content_type: str) -> str | None:
    """The ``charset`` parameter of a content type, lower case, or none."""
    found = _CHARSET.search(content_type)
    return found[1].lower() if found else None
