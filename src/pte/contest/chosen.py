"""What a method chose, in the words of people."""

from collections.abc import Mapping, Sequence
from typing import Any

NAMES = {"samples": "edges", "c": "C"}
"""Names in place of those of the program; in others, underscores become spaces."""


def readable(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was chosen by names that people know; equal values of a list are one value."""
    return {NAMES.get(name, name.replace("_", " ")): _value(chosen[name]) for name in chosen}


def over_folds(chosen: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what was chosen in several folds by one method.

    A value that is the same in all folds stands alone. Otherwise numbers become {"from": …, "to":
    …}, and others {"either": [...]}, in each entry of a mapping and of a list.
    """
    return {name: _over_folds([each.get(name) for each in chosen]) for name in chosen[0]}


def _over_folds(values: Sequence[Any]) -> Any:
    first = values[0]
    if all(each == first for each in values):
        return first
    if all(isinstance(each, Mapping) and each.keys() == first.keys() for each in values):
        return over_folds(values)
    if all(isinstance(each, list | tuple) and len(each) == len(first) for each in values):
        return [_over_folds(each) for each in zip(*values, strict=True)]
    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in values):
        return {"from": min(values), "to": max(values)}
    return {"either": [each for i, each in enumerate(values) if each not in values[:i]]}


def _value(value: Any) -> Any:
    if value == {}:
        return "equal"
    if isinstance(value, Mapping):
        if value.keys() == {"from", "to"}:
            return f"{value['from']:,} to {value['to']:,}"
        if value.keys() == {"either"}:
            return " or ".join(str(_value(each)) for each in value["either"])
        return {name: _value(each) for name, each in value.items()}
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple) and value and all(each == value[0] for each in value):
        return _value(value[0])
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return value
