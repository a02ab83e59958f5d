"""The classifier of a run: its values are the paper's, or training documents choose them."""

import time
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.evaluation import liblinear
from pte.evaluation.evaluate import evaluate, prepare
from pte.evaluation.liblinear import Features
from pte.evaluation.record import Scored
from pte.evaluation.setting import ClassifierChoice, ClassifierSetting
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
    labels = np.asarray(corpus.labels[train])
    choice = choose_classifier(features[train], labels, setting, seed)
    predicted, scores = evaluate(corpus, features, choice)
    return Scored(predicted, scores, choice, time.perf_counter() - began)


def choose_classifier(
    features: Features, labels: NDArray[np.int32], setting: ClassifierSetting, seed: int
) -> ClassifierChoice:
    """The choice with the best cross-validated accuracy on these documents; the first of equals.

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
    remedy = "set one value of costs and of unit_length, or fewer folds"
    splits = folds(labels, "classifier", seed, setting.folds, remedy)

    def accuracy(choice: ClassifierChoice) -> float:
        ready = prepare(features, choice)
        hits = 0
        for train, judge in splits:
            classifier = liblinear.fit(ready[train], labels[train], choice.c)
            hits += int((classifier.predict(ready[judge]) == labels[judge]).sum())
        return hits / labels.size

    return search(choices, accuracy).best
