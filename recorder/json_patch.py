"""JSON Patch (RFC 6902): its operations are words, its pointers are places."""

from cards.holes import Hole
from cards.words import PATCH_WORDS, Place, Word, is_place
from recorder.strict_json import Json


def read_json_patch(document: Json, lead: str) -> dict[str, Hole]:
    """The words and places of a patch, by field path; empty where it is none.

    A pointer that goes through an identifier is no place: it becomes a slot like any value.
    """
    steps = document if isinstance(document, list) else []
    if not steps or not all(isinstance(step, dict) and _is_step(step) for step in steps):
        return {}
    leaves: dict[str, Hole] = {}
    for index, step in enumerate(steps):
        assert isinstance(step, dict)
        at = f"{lead}.{index}".lstrip(".")
        leaves[f"{at}.op"] = Word(word=str(step["op"]))
        for name in ("path", "from"):
            pointer = step.get(name)
            if isinstance(pointer, str) and is_place(pointer):
                leaves[f"{at}.{name}"] = Place(place=pointer)
    return leaves


def _is_step(step: dict[str, Json]) -> bool:
    return step.get("op") in PATCH_WORDS and isinstance(step.get("path"), str)
