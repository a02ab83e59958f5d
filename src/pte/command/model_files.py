"""The file of a model: its facts, and the estimator that it holds."""

import json
import zipfile
from pathlib import Path
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
    import pte

    estimator: type[TextEmbedding] = getattr(pte, facts["estimator"])
    return estimator.load(path)
