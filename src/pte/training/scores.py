"""Scores of fits, and the choice of their classifier; jobs read fits from files."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np

from pte import plugins
from pte.corpora.encoded import TEST, EncodedCorpus, check_kinds
from pte.corpora.subsets import find_labelled
from pte.evaluation.evaluate import (
    Scored,
    class_shares,
    document_means,
    evaluate,
    with_prior,
    without_words,
)
from pte.evaluation.linear import Features
from pte.evaluation.metrics import score
from pte.evaluation.setting import (
    SCORES,
    UNJUDGED,
    ClassifierChoice,
    ClassifierSetting,
    Solver,
)
from pte.files import load_array, read_json
from pte.training.classifier import choose_classifier
from pte.training.contract import Spec, Task, fit_by
from pte.training.setup import FitPlan


def score_fit(
    corpus: EncodedCorpus,
    array: Features,
    yields: str,
    choice: ClassifierChoice,
    solver: Solver = SCORES,
) -> Scored:
    """Score a fit, of what `Spec.yields` says; predictions without a known word get the prior."""
    if yields == "predictions":
        known, asked = find_labelled(corpus), corpus.documents(TEST)
        truth, predicted = corpus.targets(asked), np.asarray(array)
        check_kinds(truth, predicted)
        shares = class_shares(corpus.targets(known), corpus.n_classes)
        predicted = with_prior(predicted, without_words(corpus, asked), shares)
        return Scored(predicted, score(truth, predicted, corpus.classes))
    began = time.perf_counter()
    predicted, scores = evaluate(corpus, features_of(corpus, array, yields), choice, solver)
    return Scored(predicted, scores, choice, time.perf_counter() - began)


def features_of(corpus: EncodedCorpus, array: Features, yields: str) -> Features:
    """Return a row for each document: features, or its words' mean (paper, equation 8)."""
    return document_means(corpus, np.asarray(array)) if yields == "words" else array


def read_scored(
    plan: FitPlan, files: Mapping[str, str], seed: int, setting: ClassifierSetting
) -> tuple[dict[str, Any], Scored] | str:
    """Score a fit from `files` by role; return its cost and scores, or why it could not run."""
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


def training_of(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the record beside a fit; an empty one if the method has no fit."""
    return read_json(Path(files["training"])) if "training" in files else {}


def _pool_of(trained: Mapping[str, Any]) -> dict[str, Any] | None:
    if "experts" not in trained:
        return None
    weights = {each["name"]: round(each["weight"], 3) for each in trained["experts"]}
    return {"weights": weights, "judges": trained["judges"], "right": trained["right"]}


def _array(plan: FitPlan, task: Task, files: Mapping[str, str]) -> Features:
    if plan.yields == "features":
        return cast("Features", fit_by(plugins.load("pte.models", plan.model), task).array)
    return load_array(Path(files["representation"]))


def read_chosen(plan: FitPlan, files: Mapping[str, str], seed: int) -> dict[str, Any]:
    """Return the classifier chosen by judging documents, as JSON; nothing if there is no fit."""
    if plan.unavailable or training_of(files).get("unavailable"):
        return {"choice": asdict(UNJUDGED)}
    task = Task.of(plan, files, seed)
    features = features_of(task.corpus, _array(plan, task, files), plan.yields)
    spec: Spec = plugins.load("pte.models", plan.model).SPEC
    is_trained = spec.yields != "features" or spec.needs(plan.configured.options)
    return asdict(choose_classifier(task.corpus, features, None if is_trained else seed))
