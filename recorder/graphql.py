"""Is this request GraphQL, and does it change something?"""

from typing import Literal

from recorder.strict_json import Json

Kind = Literal["mutation", "read", "unknown"]


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
    extensions = document.get("extensions")
    if isinstance(extensions, dict) and "persistedQuery" in extensions:
        return "unknown"
    return None


def _kind_of(text: str, operation: str | None) -> Kind | None:
    if "{" not in text:
        return None
    from graphql import GraphQLSyntaxError, OperationDefinitionNode, OperationType, parse

    try:
        parsed = parse(text, no_location=True, max_tokens=20_000)
    except (GraphQLSyntaxError, RecursionError):
        return None
    operations = [node for node in parsed.definitions if isinstance(node, OperationDefinitionNode)]
    named = [node for node in operations if node.name and node.name.value == operation]
    chosen = named or operations
    if not chosen:
        return None
    mutates = any(node.operation is OperationType.MUTATION for node in chosen)
    return "mutation" if mutates else "read"
