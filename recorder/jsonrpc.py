"""JSON-RPC 2.0 calls: one method, whose id each client makes up (specification section 4)."""

from dataclasses import dataclass, field

from cards.holes import GeneratedValue, Hole
from cards.operation import Operation
from cards.words import OperationRef
from recorder.naming import is_name
from recorder.strict_json import Json

_SEVERAL = "the request is a batch of several calls, which is not one action"
_BAD_NAME = "the name of the called method carries a value"


@dataclass(frozen=True, slots=True)
class Called:
    """A call, or why there is no single one."""

    operation: Operation | None = None
    leaves: dict[str, Hole] = field(default_factory=dict)
    generated: dict[str, GeneratedValue] = field(default_factory=dict)
    problem: str | None = None


def read_jsonrpc(document: Json, lead: str) -> Called | None:
    """The call that a document is, or none where it is no JSON-RPC.

    Args:
        document: a body.
        lead: its field path.
    """
    if isinstance(document, list):
        calls = [call for call in document if isinstance(call, dict) and _is_call(call)]
        if not calls or len(calls) != len(document):
            return None
        return _call(calls[0], f"{lead}.0".lstrip(".")) if len(calls) == 1 else _many()
    return _call(document, lead) if isinstance(document, dict) and _is_call(document) else None


def _is_call(document: dict[str, Json]) -> bool:
    return document.get("jsonrpc") == "2.0" and isinstance(document.get("method"), str)


def _many() -> Called:
    return Called(problem=_SEVERAL)


def _call(call: dict[str, Json], lead: str) -> Called:
    method, number = call["method"], call.get("id")
    if not isinstance(method, str) or not is_name(method):
        return Called(problem=_BAD_NAME)
    dot = f"{lead}." if lead else ""
    leaves: dict[str, Hole] = {
        f"{dot}jsonrpc": OperationRef(operation="protocol"),
        f"{dot}method": OperationRef(operation="name"),
    }
    generated = {} if number is None else {f"{dot}id": _fresh(number)}
    return Called(Operation(type="call", name=method), leaves, generated)


def _fresh(number: Json) -> GeneratedValue:
    if isinstance(number, str) and not number.isdigit():
        return GeneratedValue(kind="uuid")
    return GeneratedValue(kind="epoch_milliseconds", as_text=isinstance(number, str))
