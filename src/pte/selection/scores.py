"""Scores of a fit that a job wrote, or the reason why there are none."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pte.evaluation.evaluate import Scored
from pte.evaluation.linear import Features
from pte.evaluation.setting import ClassifierChoice, ClassifierSetting
from pte.files import load_array, read_json
from pte.selection.fits import features_of, score_fit
from pte.training.contract import Task, fit_by
from pte.training.plan import FitPlan


def read_scored(
    plan: FitPlan, files: Mapping[str, str], seed: int, setting: ClassifierSetting
) -> tuple[dict[str, Any], Scored] | str:
    """Read and score a fit; return its cost and the scores, or why the method could not run.

    `files` are named by role: `corpus`, and `representation` and `training` if there is a fit. The
    file `classifier` has the classifier's choice; without it, that of the setting is taken. Raises
    `PteError` as `score_fit` does.
    """
    trained = training_of(files)
    if reason := plan.unavailable or trained.get("unavailable"):
        return str(reason)
    task = Task.of(plan, files, seed)
    choice = setting.choice
    if "classifier" in files:
        choice = ClassifierChoice(**read_json(Path(files["classifier"]), "choice")["choice"])
    array = _array(plan, task, files)
    scored = score_fit(task.corpus, array, plan.yields, choice, setting.solver)
    cost = {"samples": trained.get("samples"), "train_seconds": trained.get("seconds")}
    others = {"epochs": trained.get("epochs"), "pool": _pool_of(trained)}
    return cost | {n: each for n, each in others.items() if each is not None}, scored


def read_features(plan: FitPlan, files: Mapping[str, str], seed: int) -> tuple[Task, Features]:
    """Return the task of a score, and the features of all documents that the classifier sees.

    A method that predicts classes itself has no features. Raises `PteError` as `features_of` does.
    """
    task = Task.of(plan, files, seed)
    return task, features_of(task.corpus, _array(plan, task, files), plan.yields)


def training_of(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the record that is written beside a fit; an empty one if the method has no fit."""
    return read_json(Path(files["training"])) if "training" in files else {}


def _pool_of(trained: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a fit tells of its experts, or None if it has none."""
    if "experts" not in trained:
        return None
    weights = {each["name"]: round(each["weight"], 3) for each in trained["experts"]}
    return {"weights": weights, "judges": trained["judges"], "right": trained["right"]}


def _array(plan: FitPlan, task: Task, files: Mapping[str, str]) -> Features:
    """Return what a method learnt. Features are made here, from the file `vectors` if needed."""
    if plan.yields == "features":
        return cast("Features", fit_by(import_module(plan.model), task).array)
    return load_array(Path(files["representation"]))
