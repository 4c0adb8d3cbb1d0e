"""GraphQL documents, read by graphql-core: what they ask for, and what they hold of their own."""

import re
from collections.abc import Iterator
from typing import Any, Literal

from recorder.strict_json import Json

Kind = Literal["mutation", "read", "unknown"]
_MAX_TOKENS = 20_000
# The members under which servers take the number or hash of a document that they keep.
_KEPT_UNDER = ("doc_id", "docId", "documentId", "queryId")


def graphql_kind(document: Json) -> Kind | None:
    """What a JSON body asks of a GraphQL server, or none when it is no GraphQL.

    Returns:
        ``read`` when every operation only reads (queries and subscriptions, also in a batch),
        ``unknown`` when only a hash of the document is sent.
    """
    if isinstance(document, list):
        kinds = [graphql_kind(item) for item in document if isinstance(item, dict)]
        if not kinds or len(kinds) != len(document) or None in kinds:
            return None
        return next((kind for kind in kinds if kind != "read"), "read")
    if not isinstance(document, dict):
        return None
    query, operation = document.get("query"), document.get("operationName")
    if isinstance(query, str) and query.strip():
        return _kind_of(query, operation if isinstance(operation, str) else None)
    return None if kept_hash(document) is None else "unknown"


def _kind_of(text: str, operation: str | None) -> Kind | None:
    chosen = chosen_operations(text, operation)
    if not chosen:
        return None
    return "mutation" if any(node.operation.value == "mutation" for node in chosen) else "read"


def only_mutation(document: Json) -> Json:
    """A batch without the queries that a page sent along with its one mutation."""
    if not isinstance(document, list) or graphql_kind(document) is None:
        return document
    kept = [item for item in document if graphql_kind(item) != "read"]
    return kept if len(kept) == 1 else document


def kept_hash(document: dict[str, Json]) -> tuple[str, str] | None:
    """The member that names a document which the server keeps, and the name, or none."""
    extensions = document.get("extensions")
    kept = extensions.get("persistedQuery") if isinstance(extensions, dict) else None
    if isinstance(kept, dict) and isinstance(kept.get("sha256Hash"), str):
        return "extensions.persistedQuery.sha256Hash", str(kept["sha256Hash"])
    for member in _KEPT_UNDER:
        value = document.get(member)
        if isinstance(value, str) and "variables" in document and is_hash(value):
            return member, value
    return None


def is_hash(text: str) -> bool:
    """Whether a text is a digest or a number, as servers name the documents that they keep."""
    return bool(re.fullmatch(r"[0-9a-f]{32,64}|[0-9]{1,20}", text))


def chosen_operations(text: str, operation: str | None) -> list[Any]:
    """The operations of a document that a name chooses, all where it chooses none."""
    from graphql import OperationDefinitionNode

    document = _parse(text)
    nodes = document.definitions if document is not None else ()
    operations = [node for node in nodes if isinstance(node, OperationDefinitionNode)]
    named = [node for node in operations if node.name and node.name.value == operation]
    return named or operations


def _parse(text: str) -> Any:
    from graphql import GraphQLSyntaxError, parse

    if "{" not in text:
        return None
    try:
        return parse(text, no_location=True, max_tokens=_MAX_TOKENS)
    except (GraphQLSyntaxError, RecursionError):
        return None


def has_literal(text: str) -> bool:
    """Whether a document holds values of its own (GraphQL section 2.9), enums included."""
    return any(True for _ in _literals(_parse(text)))


def _literals(node: Any) -> Iterator[Any]:
    from graphql import ListValueNode, Node, ObjectValueNode, ValueNode, VariableNode

    if isinstance(node, ValueNode) and not isinstance(
        node, VariableNode | ListValueNode | ObjectValueNode
    ):
        yield node
    elif isinstance(node, Node):
        for key in node.keys:
            yield from _literals(getattr(node, key, None))
    elif isinstance(node, list | tuple):
        for item in node:
            yield from _literals(item)
