"""Choosing the classifier for a fit that a job wrote."""

from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from typing import Any

from pte.evaluation.setting import UNJUDGED
from pte.selection.classifier import choose_classifier
from pte.selection.scores import read_features, training_of
from pte.training.contract import Spec
from pte.training.plan import FitPlan


def read_chosen(plan: FitPlan, files: Mapping[str, str], seed: int) -> dict[str, Any]:
    """Choose the classifier of a method on a corpus; return the choice as JSON.

    `files` are the same as for `pte.selection.scores.read_scored`, on the corpus with judging
    documents. If the method could not run, nothing is chosen. Raises `PteError` as
    `choose_classifier` does.
    """
    if plan.unavailable or training_of(files).get("unavailable"):
        return {"choice": asdict(UNJUDGED)}
    task, features = read_features(plan, files, seed)
    spec: Spec = import_module(plan.model).SPEC
    is_trained = spec.yields != "features" or spec.needs(plan.configured.options)
    return asdict(choose_classifier(task.corpus, features, None if is_trained else seed))
