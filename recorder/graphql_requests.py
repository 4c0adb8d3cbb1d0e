"""GraphQL over HTTP: the mutation that a request asks for, and the leaves that name it.

Rules:
1. Operation name, document and hashes are identity: they go to the contract's operation, and the
   body refers to them.
2. A document with a literal in it holds a captured value, and so it has no place in a card until
   its author pins it.
3. Only one mutation is one action.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from cards.holes import Hole
from cards.operation import Operation, hash_of, is_plain_document
from cards.words import OperationRef, Place, is_place
from recorder.graphql import chosen_operations, graphql_kind, has_literal, is_hash, kept_hash
from recorder.naming import is_name
from recorder.parsed import Parsed, under
from recorder.strict_json import Json

_NAMED_UNDER = ("operationName", "fb_api_req_friendly_name", "opname")
LITERALS = (
    "the GraphQL document holds values or comments of its own: pin the field {field} "
    "if they are the same for every use"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A mutation, or why there is no single one."""

    operation: Operation | None = None
    leaves: dict[str, Hole] = field(default_factory=dict)
    problem: str | None = None


def read_graphql(
    document: Json, lead: str, parsed: Parsed, *, is_pinned: Callable[[str], bool]
) -> Asked | None:
    """The mutation that a document asks for, or none where it is no GraphQL.

    Args:
        document: a JSON body, or a form's fields as an object.
        lead: its field path.
        parsed: the request that it stands in, whose query may repeat the operation's name.
        is_pinned: whether the author pins a field, by its path.
    """
    kind = graphql_kind(document)
    if kind is None:
        return None
    if isinstance(document, list):
        if len(document) > 1:
            return Asked(
                problem=f"the request is a batch of {len(document)} operations, "
                "which is not one action"
            )
        document, lead = document[0], under(lead, "0")
    if kind == "read":
        return Asked(problem="it is a GraphQL query, which changes nothing")
    assert isinstance(document, dict)
    return _Reading(document, lead, parsed, is_pinned).asked()


class _Reading:
    def __init__(
        self,
        document: dict[str, Json],
        lead: str,
        parsed: Parsed,
        is_pinned: Callable[[str], bool],
    ) -> None:
        self._document = document
        self._lead = lead
        self._parsed = parsed
        self._is_pinned = is_pinned
        self._leaves: dict[str, Hole] = {}

    def asked(self) -> Asked:
        text = self._document.get("query")
        text = text if isinstance(text, str) and text.strip() else None
        name, problem = self._name(text)
        problem = problem or self._document_problem(text)
        hashed = kept_hash(self._document)
        plain = text if text is not None and problem is None and not self._pins_query else None
        members: dict[str, Any] = {"type": "mutation", "name": name}
        if plain is not None:
            members |= {"document": plain, "document_hash": hash_of(plain)}
            self._speak("query", "document")
        if hashed is not None and is_hash(hashed[1]):
            members["persisted_hash"] = hashed[1]
            self._speak_hash(hashed[0])
        self._speak_places()
        self._speak_in_query(name)
        return Asked(Operation(**members), self._leaves, problem)

    @property
    def _pins_query(self) -> bool:
        return self._is_pinned(under(self._lead, "query"))

    def _name(self, text: str | None) -> tuple[str | None, str | None]:
        given = next(
            ((key, self._document[key]) for key in _NAMED_UNDER if self._document.get(key)), None
        )
        name = given[1] if given is not None and isinstance(given[1], str) else None
        if text is not None:
            chosen = chosen_operations(text, name)
            written = [node.name.value for node in chosen if node.name is not None]
            if len(chosen) != 1:
                return None, "the document holds several operations, and the request names none"
            if name is not None and name not in written:
                return None, "the request names an operation that its document does not have"
            name = written[0] if written else None
        if name is not None and not is_name(name):
            return None, "the operation's name carries a value"
        if given is not None and name is not None:
            self._speak(given[0], "name")
        return name, None

    def _document_problem(self, text: str | None) -> str | None:
        if text is None or self._pins_query:
            return None
        if is_plain_document(text) and not has_literal(text):
            return None
        return LITERALS.format(field=under(self._lead, "query"))

    def _speak(self, member: str, part: Literal["name", "document", "persisted_hash"]) -> None:
        self._leaves[under(self._lead, member)] = OperationRef(operation=part)

    def _speak_hash(self, member: str) -> None:
        self._leaves[under(self._lead, member)] = OperationRef(operation="persisted_hash")
        if member.endswith(".sha256Hash") and _version(self._document) == 1:
            version = under(self._lead, "extensions.persistedQuery.version")
            self._leaves[version] = OperationRef(operation="persisted_version")

    def _speak_places(self) -> None:
        # The map of a multipart request: file part → places in the variables.
        for item, value in self._parsed.texts("map"):
            if isinstance(value, str) and is_place(value):
                self._leaves[item] = Place(place=value)

    def _speak_in_query(self, name: str | None) -> None:
        for item, value in self._parsed.texts("query:"):
            if name is not None and value == name:
                self._leaves[item] = OperationRef(operation="name")


def _version(document: dict[str, Json]) -> Json:
    extensions = document.get("extensions")
    kept = extensions.get("persistedQuery") if isinstance(extensions, dict) else None
    return kept.get("version") if isinstance(kept, dict) else None
