"""A fit that a job wrote becomes scores, or the reason why there are none."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from pte.evaluation.record import Scored, Spent
from pte.evaluation.setting import ClassifierSetting
from pte.files import load_array, read_json
from pte.selection.fits import score_fit
from pte.training.contract import Task
from pte.training.plan import FitPlan


def read_scored(
    plan: FitPlan, files: Mapping[str, str], seed: int, setting: ClassifierSetting | None
) -> tuple[Spent, Scored] | str:
    """Read and score a fit; return what it took and the scores, or why the method could not run.

    `files` are by role: `corpus`, and of a fit `representation` and `training`. Features are made
    here, from `vectors` if the method has any. Raises `PteError` as `score_fit` does.
    """
    trained = read_json(Path(files["training"])) if "training" in files else {}
    if reason := plan.unavailable or trained.get("unavailable"):
        return str(reason)
    task = Task.of(plan, files, seed)
    if plan.yields == "features":
        array = import_module(plan.model).fit(task).array
    else:
        array = load_array(Path(files["representation"]))
    scored = score_fit(task.corpus, array, plan.yields, setting, seed)
    return Spent(trained.get("samples"), trained.get("seconds"), trained.get("epochs")), scored
