"""Log-count ratios with pairs of words (Wang and Manning, ACL 2012): NB-SVM.

A document has the log-count ratio of each word and pair that it holds, a column of weights for each
class against the rest. Their linear classifier is logistic regression, which does as well as their
support vector machine and needs no interpolation.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.corpora.word_pairs import counts_with, frequent_pairs
from pte.evaluation.linear import Features, classifier_of, with_bias
from pte.models.pte_auto.experts import fit_ratios
from pte.models.svm import judging_parts, probable
from pte.training.classifier import HeldOutScore
from pte.training.contract import Cost, Learnt, Options, Spec, Task
from pte.training.search import first_best, outwards

METHOD = "nb_svm"

START = 0.1
"""The C that is tried first: rows are long, because ratios are not scaled to unit length."""

SPEC = Spec(
    yields="predictions",
    options={"pairs": {"type": "boolean"}},
    choice={"c": {"type": "number", "exclusiveMinimum": 0}},
    seeded=False,
    ordered=lambda options: bool(options.get("pairs")),
    cost=lambda options: Cost(0.5, 70),
    # A token makes at most an entry for its word and one for its pair. An entry takes 12 bytes in
    # the counts, in the folds and with ratios, and 16 in LIBLINEAR.
    memory=lambda size: 2 * (4 * 12 + 16) * size.tokens + 8 * 4 * size.classes * size.words,
)


def learn(task: Task) -> Learnt:
    """Choose C on folds, and train on all labelled documents.

    If `task.choice` has C, nothing is searched. The arrays are `weights` and `classes` of a
    `LinearClassifier`, and `pairs` with the option `pairs`. Raises `PteError` when there are too
    few labels.
    """
    corpus, known = task.corpus, labelled_documents(task.corpus, METHOD)
    columns = {"pairs": frequent_pairs(corpus)} if task.options.get("pairs") else {}
    present = _present(corpus, columns.get("pairs"))
    c, tried = START, list[tuple[float, float]]()
    if task.choice is not None:
        c = task.choice["c"]
    elif parts := judging_parts(task, present):
        tried = outwards(HeldOutScore(parts, fit_ratios), START)
        c = first_best(tried)
    choice, curve = {"c": c}, [{"c": each, "score": score} for each, score in tried]
    model = fit_ratios(present[known], corpus.targets(known), c)
    facts = {"choice": choice, "notes": {"choice": choice, "curve": curve}}
    return Learnt({**columns, **vars(model)}, facts)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the probabilities of the classes, shape (documents, classes)."""
    return probable(learnt, _present(corpus, learnt.arrays.get("pairs")))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives; raises `PteError`."""
    kept.fact("choice", {"c": float})
    columns = kept.lengths["words"]
    if "pairs" in kept:
        columns += kept.array("pairs", "int64", "pairs").size
    n_classes = kept.lengths["classes"]
    classifier_of(kept, columns + 1, n_classes)
    return n_classes


def _present(corpus: EncodedCorpus, pairs: NDArray[np.int64] | None) -> Features:
    """Return 1 where a document holds a word or pair, float32, and in the column of the bias."""
    counts = counts_with(corpus, pairs)
    ones = np.ones(counts.data.size, np.float32)
    return with_bias(sparse.csr_array((ones, counts.indices, counts.indptr), counts.shape))
