"""The operation of a request whose URL does not name it: GraphQL and JSON-RPC.

Rules:
1. Name, document and hashes are the operation's identity. They stand here, apart from the shape of
   the variables, and no caller can change them.
2. A document holds names and punctuation only; a literal in it would be a captured value. A
   document with literals is its author's pin, and then stands in the body.
"""

import hashlib
import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, StringConstraints, model_validator

from cards.model import FieldName, Frozen
from cards.suspicion import carries_a_value

_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")
_PUNCTUATION = re.compile(r"[\s{}()\[\]:!$@|=&,.]*")
_LONGEST_DOCUMENT = 100_000


def is_plain_document(text: str) -> bool:
    """Whether a document holds names and punctuation only (GraphQL section 2.1).

    Strings, numbers and comments are none of these; literals that are names (enum values,
    booleans) are told by whoever parses the document.
    """
    rest = _NAME.sub("", text)
    return (
        len(text) <= _LONGEST_DOCUMENT
        and bool(_PUNCTUATION.fullmatch(rest))
        and not any(map(carries_a_value, set(_NAME.findall(text))))
    )


def hash_of(document: str) -> str:
    """``sha256:`` and the digest of a document, as persisted queries name it."""
    return f"sha256:{hashlib.sha256(document.encode()).hexdigest()}"


def _plain(text: str) -> str:
    if not is_plain_document(text):
        raise ValueError("the document holds a literal, or a name that carries a value")
    return text


class Operation(Frozen):
    """What the request does, by the name that its server knows.

    Attributes:
        type: a GraphQL mutation, or a JSON-RPC call.
        name: of the operation or method.
        document: of a mutation, as the page sends it.
        document_hash: SHA-256 of the document, also where it is not sent.
        persisted_hash: the hash or number under which the server keeps the document.
    """

    type: Literal["mutation", "call"] = "mutation"
    name: FieldName | None = None
    document: Annotated[str, AfterValidator(_plain)] | None = None
    document_hash: Annotated[str, StringConstraints(pattern="^sha256:[0-9a-f]{64}$")] | None = None
    persisted_hash: (
        Annotated[str, StringConstraints(pattern="^(?:[0-9a-f]{32,64}|[0-9]{1,20})$")] | None
    ) = None

    @model_validator(mode="after")
    def _hash_is_the_documents(self) -> Self:
        if self.document is not None and self.document_hash != hash_of(self.document):
            raise ValueError("the document's hash is not its own")
        return self

    def part(self, name: str) -> str | int | None:
        """What stands in the body where that part is referred to."""
        match name:
            case "persisted_version":
                return 1
            case "protocol":
                return "2.0"
            case "name":
                return self.name
            case "document":
                return self.document
            case _:
                return self.persisted_hash
