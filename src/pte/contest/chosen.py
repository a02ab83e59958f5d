"""What a method chose, in the words of people."""

from collections.abc import Mapping
from typing import Any

NAMES = {"samples": "edges", "c": "C"}
"""Names in place of those of the program; in others, underscores become spaces."""


def readable(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was chosen by names that people know; equal values of a list are one value."""
    return {NAMES.get(name, name.replace("_", " ")): _value(chosen[name]) for name in chosen}


def _value(value: Any) -> Any:
    if value == {}:
        return "equal"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple) and value and all(each == value[0] for each in value):
        return _value(value[0])
    return value
