"""The file of a model, opened as the estimator that it holds."""

import json
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

from pte.errors import PteError
from pte.estimators import ESTIMATORS


def facts_of(path: str | Path) -> dict[str, Any] | None:
    """Return the facts that a model file holds about itself; None for a file that is no model."""
    try:
        with zipfile.ZipFile(path) as archive:
            facts: dict[str, Any] = json.loads(archive.read("model.json"))
            return facts
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def load(path: str | Path) -> Any:
    """Open a model file, whichever estimator or command wrote it.

    Parameters
    ----------
    path : str or Path
        A file that the `save` of an estimator, or `pte fit`, wrote.

    Returns
    -------
    estimator
        The fitted estimator, such as a `TextClassifier`.

    Raises
    ------
    PteError
        When there is no such file, and when the file is damaged or is no model.
    """
    if not Path(path).is_file():
        raise PteError(f"{path}: no such file; `pte fit` writes one")
    facts = facts_of(path)
    name = facts.get("estimator") if isinstance(facts, dict) else None
    if not isinstance(name, str) or name not in ESTIMATORS:
        raise PteError(f"{path}: not a model; `pte fit` writes one")
    module = import_module(f"pte.estimators.{ESTIMATORS[name]}")
    return getattr(module, name).load(path)
