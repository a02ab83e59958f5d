"""Reading YAML files, and checking what they hold."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from pte.errors import PteError

SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where PyYAML was built with it: ten times as fast."""


def read(path: Path) -> Any:
    """What a YAML file holds. Raises `PteError` when it is missing or not YAML."""
    try:
        return yaml.load(Path(path).read_text("utf-8"), Loader=SAFE)
    except FileNotFoundError:
        raise PteError(f"{path}: no such file") from None
    except yaml.YAMLError as error:
        raise PteError(f"{path}: not valid YAML: {error}") from None


def check(
    value: Any,
    schema: Path | Mapping[str, Any],
    name: str,
    *above: str,
    also: Iterable[str] = (),
) -> None:
    """Check `value` against a JSON schema: a YAML file, or what one holds.

    Raises `PteError` with a line for each fault: the file `name`, the key, and what is wrong. Keys
    start with those of `above`. A key at the top that is not known may be a mistyped one of `also`.
    """
    rules = read(schema) if isinstance(schema, Path) else schema
    validator = jsonschema.Draft202012Validator(rules)
    faults = sorted(validator.iter_errors(value), key=lambda fault: list(map(str, fault.path)))
    if faults:
        raise PteError("\n".join(f"{name}: {_key(f, above)}: {_message(f, also)}" for f in faults))


def _key(fault: jsonschema.ValidationError, above: tuple[str, ...]) -> str:
    return ".".join([*above, *map(str, fault.path)]) or "top level"


def _message(fault: jsonschema.ValidationError, also: Iterable[str]) -> str:
    """What is wrong, in words; of a key that is not known, also which are, and which is nearest."""
    rules: Mapping[str, Any] = fault.schema if isinstance(fault.schema, dict) else {}
    known = rules.get("properties")
    if fault.validator == "additionalProperties" and known:
        value: Any = fault.instance
        strange = next(str(key) for key in value if key not in known)
        near = _nearest(strange, known if fault.path else [*known, *also])
        return f"{fault.message}; known are {', '.join(sorted(known))}{near}"
    if fault.validator == "pattern" and "description" in rules:
        return f"{fault.instance!r} may hold nothing but {rules['description']}"
    return str(fault.message)


def _nearest(strange: str, known: Iterable[str]) -> str:
    """Ask whether a key that is not known was to be one that is written alike."""
    found = get_close_matches(strange, list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def typed(value: Any) -> Any:
    """Numbers, booleans and null that came as text become what they are, at any depth.

    Snakemake hands over what `--config key=value` sets as text, lists and all.
    """
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, str):
        try:
            scalar = yaml.safe_load(value)
        except yaml.YAMLError:
            return value
        return scalar if isinstance(scalar, bool | int | float | None) else value
    return value
