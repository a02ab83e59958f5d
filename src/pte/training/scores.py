"""Scores of fits, and the choice of their classifier: C, unit length and bias.

Vectors fit a document that they have seen better than any test document, so judging documents have
no part in their training. If nothing is trained, all labelled documents judge in turn.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte import plugins
from pte.corpora.encoded import TEST, EncodedCorpus, Targets, check_kinds, micro_f1
from pte.corpora.features import some_rows
from pte.corpora.subsets import find_labelled, labelled_documents
from pte.evaluation.evaluate import (
    Scored,
    class_shares,
    document_means,
    evaluate,
    fit_targets,
    prepared,
    with_prior,
    without_words,
)
from pte.evaluation.linear import Classifier, Features
from pte.evaluation.metrics import score
from pte.evaluation.setting import SCORES, UNJUDGED, ClassifierChoice, ClassifierSetting, Solver
from pte.files import load_array, read_json
from pte.training.contract import Chosen, Spec, Task, fit_by
from pte.training.search import Search, first_best, in_turn, outwards
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
    if "epochs" in trained:
        cost["epochs"] = trained["epochs"]
    if "experts" in trained:
        weights = {each["name"]: round(each["weight"], 3) for each in trained["experts"]}
        cost["pool"] = {"weights": weights, **{n: trained[n] for n in ("judges", "right")}}
    return cost, scored


def training_of(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the record beside a fit; an empty one if the method has no fit."""
    return read_json(Path(files["training"])) if "training" in files else {}


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


class Judging(NamedTuple):
    """Documents that teach a classifier, and documents that judge it: features and targets.

    Rows of shared features are taken when they are asked for, so that memory has one part of them.
    """

    features: Features
    taught_targets: Targets
    judging: Features
    judged_targets: Targets
    teachers: NDArray[np.int64] | None = None  # rows of `features`; None: all
    judges: NDArray[np.int64] | None = None  # rows of `judging`

    @property
    def taught(self) -> Features:
        return cast("Features", some_rows(self.features, self.teachers))

    @property
    def judged(self) -> Features:
        return cast("Features", some_rows(self.judging, self.judges))

    @classmethod
    def of(
        cls,
        corpus: EncodedCorpus,
        features: Features,
        teachers: NDArray[np.int64],
        judges: NDArray[np.int64],
    ) -> "Judging":
        """Take the rows of a corpus; a document without a word judges nothing, and is left out."""
        judges = judges[~without_words(corpus, judges)]
        targets = corpus.targets(teachers), corpus.targets(judges)
        return cls(features, targets[0], features, targets[1], teachers, judges)


_AS_THEY_ARE = ClassifierChoice()

Fit = Callable[[Features, Targets, float, Any], Classifier]  # trains with C; may begin elsewhere


class HeldOutScore:
    """Micro-F1, in percent, over all judging documents, of classifiers of one C after another."""

    def __init__(
        self, parts: Sequence[Judging], fit: Fit, choice: ClassifierChoice = _AS_THEY_ARE
    ) -> None:
        """Train by `fit` on features as `choice` scales them; there must be a judging document."""
        self._parts, self._fit, self._choice = parts, fit, choice
        self._truth: Targets = np.concatenate([part.judged_targets for part in parts])
        self._last: list[Classifier | None] = [None] * len(parts)

    def __call__(self, c: float) -> float:
        """Train a classifier for each part, beginning at the classifier of the C before."""
        found: list[Any] = []
        for i, part in enumerate(self._parts):
            taught = prepared(part.taught, self._choice)
            classifier = self._fit(taught, part.taught_targets, c, self._last[i])
            self._last[i] = classifier
            found.append(classifier.predict(prepared(part.judged, self._choice)))
        return 100 * micro_f1(self._truth, np.concatenate(found))


def choose(parts: Sequence[Judging]) -> Search[ClassifierChoice]:
    """Choose unit length and C by tens (`outwards`), then the bias; else `UNJUDGED`."""
    parts = [part for part in parts if len(part.judged_targets)]
    if not parts:
        return Search(UNJUDGED)
    found: list[tuple[ClassifierChoice, float]] = []
    is_dense = not sparse.issparse(parts[0].features)
    for unit in (True, False) if is_dense else (False,):
        alike = ClassifierChoice(unit_length=unit)
        tried = outwards(HeldOutScore(parts, fit_targets, alike))
        found += [(replace(alike, c=c), score) for c, score in tried]
    with_bias = replace(first_best(found), bias=True)
    found.append((with_bias, HeldOutScore(parts, fit_targets, with_bias)(with_bias.c)))
    return Search(first_best(found), tuple(found))


def choose_classifier(corpus: EncodedCorpus, features: Features, seed: int | None = None) -> Chosen:
    """Choose by the test documents of `with_judges`; with a `seed`, by all labelled documents."""
    began = time.perf_counter()
    known, judges = labelled_documents(corpus, "classifier"), corpus.documents(TEST)
    splits = [(known, judges)]
    if seed is not None:
        splits = in_turn(corpus, np.sort(np.concatenate([known, judges])), seed)
    found = choose([Judging.of(corpus, features, *split) for split in splits])
    for choice, percent in found.tried:
        print(f"{choice}: micro-F1 {percent:.2f}")
    seconds = time.perf_counter() - began
    return Chosen(asdict(found.best), tuple(found.curve("micro_f1")), seconds)
