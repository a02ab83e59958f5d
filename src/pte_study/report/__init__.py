"""What is concluded from runs; for an exhibit of the rule R, a module has `make_R` and `show_R`."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any


def show(
    module: str,
    rule: str,
    files: Mapping[str, Any],
    given: Mapping[str, Any],
    outputs: Iterable[str | Path],
) -> None:
    stems = dict.fromkeys(Path(file).with_suffix("") for file in outputs)
    getattr(import_module(module), f"make_{rule}")(located(files), given, *stems)


def located(files: Mapping[str, Any]) -> dict[str, Any]:
    """Return files by role, each as a path, or as a list of paths."""
    return {
        role: list(map(Path, given)) if isinstance(given, list) else Path(given)
        for role, given in files.items()
    }
