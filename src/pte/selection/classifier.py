"""The classifier's C and the length of its vectors, chosen on documents that nothing has seen.

Vectors that have seen a document, or its label, fit this document better than any test document. So
cross-validation on documents that trained the vectors would trust the vectors too much. Here the
judging documents had no part in the training of the vectors. If nothing is trained, as for TF-IDF,
all labelled documents judge in turn, except the only document of a class: the more documents
judge, the less the result is chance.
"""

import time
from dataclasses import asdict
from typing import Any

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.corpora.targets import micro_f1
from pte.evaluation.evaluate import predict, prepare
from pte.evaluation.linear import Classifier, Features
from pte.evaluation.setting import ClassifierChoice, ClassifierSetting
from pte.evaluation.solvers import fit_targets
from pte.selection.parts import Split, folds
from pte.selection.search import search
from pte.training.contract import Chosen

FEWEST = 2
"""How many documents for each class must judge; with fewer documents, nothing is chosen."""


def choose_classifier(
    corpus: EncodedCorpus,
    features: Features,
    setting: ClassifierSetting,
    in_turn: int | None = None,
) -> Chosen:
    """Return the choice of `setting` with the best micro-F1 on judging documents.

    Of equally good choices, the first is taken. `corpus` was made by `with_judges`
    (`pte.corpora.subsets`): its test documents are training documents of the whole corpus, and they
    judge. `in_turn` is the seed of folds in which all labelled documents judge; it is for features
    that have learnt nothing from any document. `features` has a row for every document. If there
    are fewer than `FEWEST` test documents for each class, the first choice is taken. Raises
    `PteError` when there are too few labels, or a feature is not finite.
    """
    began = time.perf_counter()
    if corpus.documents(TEST).size < FEWEST * corpus.n_classes:
        return Chosen(asdict(setting.choices[0]), (), 0.0)
    parts = _parts(corpus, in_turn)
    truth = corpus.targets(np.concatenate([judge for _, judge in parts]))

    # The classifier of each C begins at the classifier of the C before.
    last: dict[tuple[bool, int], Classifier] = {}

    def judged(choice: ClassifierChoice) -> float:
        said: list[Any] = []
        ready = prepare(features, choice)
        for number, (learn, judge) in enumerate(parts):
            start = last.get((choice.unit_length, number))
            targets = corpus.targets(learn)
            classifier = fit_targets(ready[learn], targets, choice.c, setting.search_solver, start)
            last[choice.unit_length, number] = classifier
            said.append(predict(corpus, classifier, ready, learn, judge))
        score = 100 * micro_f1(truth, np.concatenate(said))
        print(f"C = {choice.c:g}, unit length {choice.unit_length}: micro-F1 {score:.2f}")
        return score

    found = search(setting.choices, judged)
    seconds = time.perf_counter() - began
    return Chosen(asdict(found.best), tuple(found.curve("micro_f1")), seconds)


def _parts(corpus: EncodedCorpus, in_turn: int | None) -> list[Split]:
    """Return the documents that teach and that judge; `in_turn` is as in `choose_classifier`."""
    known, judges = labelled_documents(corpus, "classifier"), corpus.documents(TEST)
    if in_turn is None:
        return [(known, judges)]
    every = np.sort(np.concatenate([known, judges]))
    divided = folds(np.asarray(corpus.labels[every]), "classifier", in_turn)
    return [(every[learn], every[judge]) for learn, judge in divided]
