"""The file of a model: its facts, and the estimator that it holds."""

import json
import sys
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from pte.errors import PteError
from pte.estimators import ESTIMATORS

if TYPE_CHECKING:
    from pte.estimators.base import TextEmbedding

PATH = click.Path(path_type=Path)


def model_facts(path: Path) -> dict[str, Any] | None:
    """Return the facts that a model file holds about itself; None for a file that is no model."""
    try:
        with zipfile.ZipFile(path) as archive:
            facts: dict[str, Any] = json.loads(archive.read("model.json"))
            return facts
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def load_model(path: Path) -> Any:
    """Load the estimator that a file holds. Raises `PteError` when it is not a model."""
    if not path.is_file():
        raise PteError(f"{path}: no such file; `pte fit` writes one")
    facts = model_facts(path)
    if facts is None or facts.get("estimator") not in ESTIMATORS:
        raise PteError(f"{path}: not a model; `pte fit` writes one")
    _import_sklearn()
    import pte

    estimator: type[TextEmbedding] = getattr(pte, facts["estimator"])
    return estimator.load(path)


class _Later(ModuleType):
    """A module that is imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def _import_sklearn() -> None:
    """Import scikit-learn, but not yet what it imports for functions that a model never calls.

    These are half of all imports of a command that predicts one line.
    """
    if "sklearn" in sys.modules:
        return
    names = [name for name in ("pandas", "scipy.stats") if name not in sys.modules]
    later = {name: _Later(name) for name in names if find_spec(name)}
    sys.modules.update(later)
    try:
        import_module("sklearn.utils.validation")
    finally:
        for name, module in later.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
