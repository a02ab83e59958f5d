"""The classifier's C and the length of its vectors, chosen on documents that nothing has seen.

Vectors that have seen a document, or its label, fit it better than any test document. So
cross-validation on documents that trained the vectors would trust these too much. Here the
documents that judge had no part in the training of the vectors.
"""

import time
from dataclasses import asdict

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import labelled_documents
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
    corpus: EncodedCorpus, features: Features, setting: ClassifierSetting
) -> Chosen:
    """The choice of `setting` with the best micro-F1 on the test documents; the first of equals.

    `corpus` is one `with_judges` (`pte.corpora.subsets`), so these are training documents of the
    whole corpus. `features` has a row for every document. Where there are fewer than `FEWEST` test
    documents for each class, the first choice is taken. Raises `PteError` when the labels do not
    suffice, or a feature is not finite.
    """
    began = time.perf_counter()
    judges = corpus.documents(TEST)
    if judges.size < FEWEST * corpus.n_classes:
        return Chosen(asdict(setting.choices[0]), (), 0.0)
    known = labelled_documents(corpus, "classifier")
    given, asked = corpus.targets(known), corpus.targets(judges)

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
