"""The file of a model, opened as the estimator that it holds."""

from importlib import import_module
from pathlib import Path
from typing import Any

from pte.classify import ESTIMATORS
from pte.errors import shortened


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
    from pte.classify.model_file import newer, read_fit  # numpy would slow every start

    fit = read_fit(path)
    name = fit.facts["estimator"]
    if name not in ESTIMATORS:
        raise newer(fit, f"it holds a {shortened(name)}, which is no estimator of this version")
    module = import_module(f"pte.classify.{ESTIMATORS[name]}")
    return getattr(module, name)._of_fit(fit)
