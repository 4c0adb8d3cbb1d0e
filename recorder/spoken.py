"""What a request says in the words of a protocol: its operation, and the leaves that name it.

Rules:
1. A leaf is spoken only where the protocol's own rules say what stands there; everything else is
   a value like any other.
2. What a protocol says that is more than one action is a problem, told in one sentence.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cards.holes import GeneratedValue, Hole
from cards.operation import Operation
from recorder.graphql_requests import read_graphql
from recorder.json_patch import read_json_patch
from recorder.jsonrpc import read_jsonrpc
from recorder.parsed import FormContent, JsonContent, MultipartContent, Parsed, containers
from recorder.rich_text import read_rich_text
from recorder.strict_json import Json, inner_document


@dataclass(frozen=True, slots=True)
class Spoken:
    """The protocol's part of a request.

    Attributes:
        operation: what it does, where its URL does not say it.
        leaves: by field path.
        generated: values that the protocol lets each client make up, by field path.
        problem: why it is no single action that a card can hold, or none.
    """

    operation: Operation | None = None
    leaves: dict[str, Hole] = field(default_factory=dict)
    generated: dict[str, GeneratedValue] = field(default_factory=dict)
    problem: str | None = None

    @property
    def fields(self) -> frozenset[str]:
        """The field paths of all that is spoken."""
        return frozenset({*self.leaves, *self.generated})


def read_protocol(parsed: Parsed, *, is_pinned: Callable[[str], bool]) -> Spoken:
    """What a request says of itself.

    Args:
        parsed: the request, taken apart.
        is_pinned: whether the author pins a field, by its path.
    """
    for lead, document in _documents(parsed):
        asked = read_graphql(document, lead, parsed, is_pinned=is_pinned)
        if asked is not None:
            return Spoken(asked.operation, asked.leaves, problem=asked.problem)
        called = read_jsonrpc(document, lead)
        if called is not None:
            return Spoken(called.operation, called.leaves, called.generated, called.problem)
    leaves: dict[str, Hole] = {}
    for path, container in containers(parsed):
        leaves |= read_json_patch(container, path)
        leaves |= read_rich_text(container, path)
    return Spoken(leaves=leaves)


def _documents(parsed: Parsed) -> Iterator[tuple[str, Json]]:
    content = parsed.content
    if isinstance(content, JsonContent):
        yield "", content.document
    if isinstance(content, FormContent | MultipartContent):
        fields = dict(content.texts())
        documents = {
            name: inner_document(text, parsed.wanted) or text for name, text in fields.items()
        }
        if "operations" in documents:
            yield "operations", documents["operations"]
        yield "", dict(documents)
