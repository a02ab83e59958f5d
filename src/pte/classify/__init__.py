"""What people use: the methods as estimators, and the contest of methods on a text."""

from importlib import import_module
from pathlib import Path
from typing import Any

ESTIMATORS = {
    "LINE": "networks",
    "PTE": "networks",
    "PTEAuto": "text_classifier",
    "PTEClassifier": "classifier",
    "TextClassifier": "text_classifier",
}
"""The module here of each estimator. `pte` offers these classes, and a model file holds one."""


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
    return _opened(path, predicts=False)


def load_to_predict(path: str | Path) -> Any:
    """Open a model file as `load` does; a `TextClassifier` only predicts, without scikit-learn."""
    return _opened(path, predicts=True)


def _opened(path: str | Path, predicts: bool) -> Any:
    from pte.classify.model_file import newer, read_fit  # numpy would slow every start
    from pte.errors import shortened

    fit = read_fit(path)
    name = fit.facts["estimator"]
    if name not in ESTIMATORS:
        raise newer(fit, f"it holds a {shortened(name)}, which is no estimator of this version")
    if predicts and ESTIMATORS[name] == "text_classifier":
        from pte.classify.reading import Predicting

        return Predicting._read(fit)
    return getattr(import_module(f"pte.classify.{ESTIMATORS[name]}"), name)._of_fit(fit)
