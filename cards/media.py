"""Media types and ranges whose text a card keeps (RFC 9110 sections 8.3.1 and 12.5.1).

Rules:
1. Registered-looking words and the parameters ``charset``, ``q`` and ``v=b3`` only, so that no
   captured value can stand there.
"""

from typing import Annotated

from pydantic import StringConstraints

_NAME = r"(?:\*|[a-z]+(?:[.+-][a-z]+)*)"
_MEDIA = rf"(?:application|text|image|audio|video|font|multipart|\*)/{_NAME}"
_PARAMETER = r"\s*;\s*(?:charset=[A-Za-z0-9_-]{2,20}|q=[01](?:\.[0-9]{1,3})?|v=b3)"
_RANGE = rf"{_MEDIA}(?:{_PARAMETER})*"
MEDIA_RANGES = rf"^{_RANGE}(?:\s*,\s*{_RANGE})*$"

MediaType = Annotated[str, StringConstraints(pattern=rf"^{_RANGE}$", max_length=100)]
"""One media type, such as ``text/plain; charset=UTF-8``."""
