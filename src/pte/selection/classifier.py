"""The classifier's C and the length of its vectors, chosen on documents whose labels are hidden.

Vectors that have seen the labels of a document fit it too well, so cross-validation on documents
that trained the vectors prefers a classifier that trusts them too much. Here the vectors come from
a training without the labels of the documents that judge.
"""

import time
from dataclasses import asdict

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_labelled
from pte.corpora.targets import micro_f1
from pte.evaluation.evaluate import prepare
from pte.evaluation.linear import Classifier, Features
from pte.evaluation.setting import ClassifierChoice, ClassifierSetting
from pte.evaluation.solvers import fit_targets
from pte.selection.search import search
from pte.training.contract import Chosen

FEWEST = 2
"""Documents for each class that must judge; with fewer, nothing is chosen."""


def choose_classifier(
    corpus: EncodedCorpus, hidden: EncodedCorpus, features: Features, setting: ClassifierSetting
) -> Chosen:
    """The choice of `setting` with the best micro-F1 on the hidden documents; the first of equals.

    `hidden` is `corpus` in which some documents have lost their labels. The classifier learns from
    the documents that keep them, and is judged by those that lost them. `features` has a row for
    every document; what made them must not have seen the labels that are hidden. Where fewer than
    `FEWEST` documents for each class are hidden, the first choice is taken. Raises `PteError` when
    the labels that are left do not suffice, or a feature is not finite.
    """
    began = time.perf_counter()
    known = find_labelled(hidden)
    judges = np.setdiff1d(find_labelled(corpus), known)
    if judges.size < FEWEST * corpus.n_classes:
        return Chosen(asdict(setting.choices[0]), (), 0.0)
    given, asked = hidden.targets(known), corpus.targets(judges)

    # The classifier of each C begins at that of the C before.
    last: dict[bool, Classifier] = {}

    def judged(choice: ClassifierChoice) -> float:
        ready, start = prepare(features, choice), last.get(choice.unit_length)
        classifier = fit_targets(ready[known], given, choice.c, setting.search_solver, start)
        last[choice.unit_length] = classifier
        score = 100 * micro_f1(asked, classifier.predict(ready[judges]))
        print(f"C = {choice.c:g}, unit length {choice.unit_length}: micro-F1 {score:.2f}")
        return score

    found = search(setting.choices, judged)
    seconds = time.perf_counter() - began
    return Chosen(asdict(found.best), tuple(found.curve("micro_f1")), seconds)
