"""Watch one action, write one card. Never sends, never alters a flow."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recorder.recorded import Recorded
    from recorder.session import Recording

__all__ = ["Recorded", "Recording"]


def __getattr__(name: str) -> Any:
    # Lazily: finding a browser must not load a proxy.
    if name == "Recording":
        from recorder.session import Recording

        return Recording
    if name == "Recorded":
        from recorder.recorded import Recorded

        return Recorded
    raise AttributeError(f"module 'recorder' has no attribute {name!r}")
