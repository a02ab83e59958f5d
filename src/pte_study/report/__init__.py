"""What is concluded from runs; each module has `make`, and `section` for a page."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any


def show(
    module: str, files: Mapping[str, Any], given: Mapping[str, Any], outputs: Iterable[str | Path]
) -> None:
    """Make the `outputs` of an exhibit with its module, figures in the style that is given."""
    from pte_study.render.figures import restyled  # its import takes half a second

    stems = dict.fromkeys(Path(file).with_suffix("") for file in outputs)
    with restyled(given.get("style", "")):
        import_module(module).make(located(files), given, *stems)


def located(files: Mapping[str, Any]) -> dict[str, Any]:
    """Return files by role, each as a path, or as a list of paths."""
    return {
        role: list(map(Path, given)) if isinstance(given, list) else Path(given)
        for role, given in files.items()
    }
