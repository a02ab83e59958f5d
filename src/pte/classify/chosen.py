"""What a method chose, in the words of people."""

from collections.abc import Mapping, Sequence
from typing import Any

NAMES = {"samples": "edges", "c": "C", "experts": "weights of experts"}
"""Names in place of those of the program; in others, underscores become spaces."""


def told(chosen: Mapping[str, Any]) -> str:
    """Write what was chosen, such as "C = 10.0, unit length = yes"."""
    names = {name: NAMES.get(name, name.replace("_", " ")) for name in chosen}
    return ", ".join(f"{names[name]} = {_text(value)}" for name, value in chosen.items())


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


def _text(value: Any) -> str:
    """Write a value; equal values of a list are one value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        is_one = len(value) > 0 and all(each == value[0] for each in value)
        return " and ".join(map(_text, value[:1] if is_one else value))
    if not isinstance(value, Mapping):
        return str(value)
    if value.keys() == {"from", "to"}:
        return f"{value['from']:,} to {value['to']:,}"
    if value.keys() == {"either"}:
        return " or ".join(map(_text, value["either"]))
    return " ".join(f"{name} {_text(each)}" for name, each in value.items()) or "equal"
