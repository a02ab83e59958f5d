"""Reading and checking the YAML files that drive the pipeline."""

from pathlib import Path
from typing import Any

import jsonschema
import yaml

from pte.errors import PteError

SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where PyYAML was built with it: ten times as fast."""


def check(value: Any, schema: Path, name: str) -> None:
    """Check `value` against a JSON schema (itself YAML).

    Raises `PteError` with a line for each fault: the file `name`, the key, and what is wrong.
    """
    validator = jsonschema.Draft202012Validator(_read(schema))
    faults = sorted(validator.iter_errors(value), key=lambda fault: list(map(str, fault.path)))
    if faults:
        lines = [f"{name}: {_key(fault)}: {fault.message}" for fault in faults]
        raise PteError("\n".join(lines))


def load(path: Path, schema: Path) -> Any:
    """Read a YAML file and check it; raises `PteError` as `check` does."""
    try:
        value = _read(path)
    except FileNotFoundError:
        raise PteError(f"{path}: no such file") from None
    except yaml.YAMLError as error:
        raise PteError(f"{path}: not valid YAML: {error}") from None
    check(value, schema, Path(path).name)
    return value


def _read(path: Path) -> Any:
    return yaml.load(Path(path).read_text("utf-8"), Loader=SAFE)


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


def _key(fault: jsonschema.ValidationError) -> str:
    return ".".join(map(str, fault.path)) or "top level"
