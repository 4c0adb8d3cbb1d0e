"""The face of the program: public names, command line; no rule of safety lives here."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Recording": "recorder",
    "Replayer": "replay",
    "Result": "replay",
    "Trial": "replay",
    "replay_once": "replay",
    "CardStore": "cards",
    "Login": "verifier",
    "Outcome": "verifier",
}
_SIBLINGS = ("cards", "verifier", "recorder", "replay")

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  (the names are the table's)


def __getattr__(name: str) -> Any:
    # Each name is loaded when it is first asked for, so that the start stays fast (PEP 562).
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'reqcard' has no attribute {name!r}")


def check_siblings() -> None:
    """See that the packages with short names are this distribution's own.

    Raises:
        ImportError: another distribution shadows one of them.
    """
    from importlib.util import find_spec
    from pathlib import Path

    home = Path(__file__).resolve().parents[1]
    for name in _SIBLINGS:
        spec = find_spec(name)
        found = None if spec is None or spec.origin is None else Path(spec.origin).resolve()
        if found is None or home not in found.parents:
            raise ImportError(
                f"the package '{name}' of request-cards is shadowed by {_owner(name)}: install "
                "request-cards in an environment of its own (uv tool install request-cards)"
            )


def _owner(name: str) -> str:
    from importlib.metadata import packages_distributions

    owners = set(packages_distributions().get(name, ())) - {"request-cards"}
    return f"the distribution {', '.join(sorted(owners))}" if owners else "a folder of that name"
