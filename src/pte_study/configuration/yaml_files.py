"""Reading YAML files, and checking what they hold."""

import math
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from pte.errors import PteError

SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C where PyYAML has it: ten times as fast


class _EachKeyOnce(SAFE):  # type: ignore[misc, valid-type]
    """The safe loader, which also refuses a key that a mapping has twice, or that is no text."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        places: dict[Any, tuple[int, int]] = {}
        for key, _ in node.value:
            place, name = (key.start_mark.line + 1, key.start_mark.column), key.value
            if isinstance(name, str) and name != "<<" and places.setdefault(name, place) != place:
                twice = f"key {name!r} stands in line {places[name][0]} and in line {place[0]}"
                raise yaml.YAMLError(f"{twice}; keep one")
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        if odd := [key for key in made if not isinstance(key, str)]:
            raise yaml.YAMLError(f"the key {odd[0]!r} is no text; put it into quotes")
        return made


def read(path: Path) -> Any:
    """Return the values of a YAML file whose keys are texts, each once in its mapping."""
    try:
        value = yaml.load(Path(path).read_text("utf-8"), Loader=_EachKeyOnce)
    except OSError as error:
        raise PteError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PteError(f"{path}: not valid YAML: {error}") from None
    return value


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(checker: Any, value: Any) -> bool:
    return _is_integer(checker, value) or (isinstance(value, float) and math.isfinite(value))


_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
    {"integer": _is_integer, "number": _is_number}
)
_Strict = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, type_checker=_TYPES
)  # 1.0 is no integer, and NaN and infinity are no numbers


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that asks for the known word most like `word`, or ""."""
    found = get_close_matches(word, list(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def check(value: Any, schema: Path | Mapping[str, Any], name: str, *above: str) -> None:
    """Check `value` by a JSON schema; the error has a line for each fault, with the file `name`."""
    rules = read(schema) if isinstance(schema, Path) else schema
    validator = _Strict(rules)
    faults = sorted(validator.iter_errors(value), key=lambda fault: list(map(str, fault.path)))
    if faults:
        places = (".".join([*above, *map(str, fault.path)]) or "top level" for fault in faults)
        lines = (f"{p}: {_message(f)}" for p, f in zip(places, faults, strict=True))
        raise PteError("\n".join(f"{name}: {line}" for line in lines))


def check_keys(
    value: Any, known: Mapping[str, Any], required: Iterable[str], name: str, *above: str
) -> None:
    """Check a mapping that has no keys but those `known`, each with its schema."""
    rules = {"properties": dict(known), "required": list(required), "additionalProperties": False}
    check(value, {"type": "object", **rules}, name, *above)


_TOLD = {
    "pattern": "{0!r} may hold nothing but {1}",
    "anyOf": "{0!r} is not one of these: {1}",
    "not": "{1}",
    "contains": "{1}",
}  # by rule, how the description of a schema is told


def _message(fault: jsonschema.ValidationError) -> str:
    rules: Mapping[str, Any] = fault.schema if isinstance(fault.schema, dict) else {}
    known = rules.get("properties")
    given: Any = fault.instance
    if fault.validator == "additionalProperties" and known:
        return "; ".join(_unknown(str(key), known) for key in given if key not in known)
    if fault.validator in _TOLD and "description" in rules:
        return _TOLD[str(fault.validator)].format(given, rules["description"])
    return str(fault.message)


def _unknown(key: str, known: Iterable[str]) -> str:
    return f"unknown key {key!r}{nearest(key, known) or '; known are ' + ', '.join(sorted(known))}"


_EXPONENT = re.compile(r"[-+]?\d+e[-+]?\d+", re.IGNORECASE)
"""A number that Python writes and YAML 1.1 does not read."""


def typed(value: Any) -> Any:
    """Return `value` with numbers, booleans and null for text; `--config` leaves it in lists."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, str):
        if _EXPONENT.fullmatch(value):
            return float(value)
        try:
            scalar = yaml.load(value, SAFE)
        except (yaml.YAMLError, ValueError):
            return value
        return scalar if isinstance(scalar, bool | int | float | None) else value
    return value
