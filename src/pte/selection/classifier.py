"""The classifier of a run: its values are the paper's, or training documents choose them."""

import time
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.corpora.targets import Targets, micro_f1
from pte.evaluation.evaluate import evaluate, prepare
from pte.evaluation.linear import Classifier, Features
from pte.evaluation.record import Scored
from pte.evaluation.setting import ClassifierChoice, ClassifierSetting
from pte.evaluation.solvers import fit_targets
from pte.selection.parts import folds, sample
from pte.selection.search import search


def classify(
    corpus: EncodedCorpus, features: Features, setting: ClassifierSetting, seed: int
) -> Scored:
    """Choose by `setting` on the labelled training documents, train on all of them, and score.

    `features` has a row for every document of the corpus. Raises `PteError` as `choose_classifier`
    and `evaluate` do.
    """
    began = time.perf_counter()
    train = labelled_documents(corpus, "classifier")
    labels, targets = np.asarray(corpus.labels[train]), corpus.targets(train)
    choice = choose_classifier(features[train], labels, setting, seed, targets)
    predicted, scores = evaluate(corpus, features, choice, setting.solver)
    return Scored(predicted, scores, choice, time.perf_counter() - began)


def choose_classifier(
    features: Features,
    labels: NDArray[np.int32],
    setting: ClassifierSetting,
    seed: int,
    targets: Targets | None = None,
) -> ClassifierChoice:
    """The choice with the best cross-validated micro-F1 on these documents; the first of equals.

    `targets` is what is learned, where it is not `labels`: those have the classes in proportion.
    Where the setting leaves no choice, nothing is validated. Where there are more documents than
    `setting.cv_documents`, a random part of that size judges for all of them. Raises `PteError`
    when every class has fewer documents than there are folds.
    """
    choices = [ClassifierChoice(c, unit) for unit, c in product(setting.unit_length, setting.costs)]
    if len(choices) == 1:
        return choices[0]
    if labels.size > setting.cv_documents:
        kept = sample(labels, setting.cv_documents, seed)
        features, labels = features[kept], labels[kept]
        targets = None if targets is None else targets[kept]
    learned = labels if targets is None else targets
    remedy = "set one value of costs and of unit_length, or fewer folds"
    splits = folds(labels, "classifier", seed, setting.folds, remedy)

    # The classifier of each C begins at that of the C before.
    last: dict[tuple[bool, int], Classifier] = {}

    def judged(choice: ClassifierChoice) -> float:
        ready = prepare(features, choice)
        predicted = np.empty_like(learned)
        for fold, (train, judge) in enumerate(splits):
            start = last.get((choice.unit_length, fold))
            given = ready[train], learned[train], choice.c
            classifier = fit_targets(*given, setting.search_solver, start)
            predicted[judge] = classifier.predict(ready[judge])
            last[choice.unit_length, fold] = classifier
        return micro_f1(learned, predicted)

    return search(choices, judged).best
