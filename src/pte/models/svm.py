"""A linear support vector machine on TF-IDF (Joachims, ECML 1998), by LIBLINEAR's squared hinge.

It sees words and, as options, pairs of neighbouring words and the letters of words. Words with
pairs, and runs of letters, are two blocks of TF-IDF, each with rows of unit length.
"""

from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import softmax

from pte.array_file import ArrayFile
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.corpora.letters import BITS, letters_of
from pte.corpora.targets import Targets
from pte.corpora.tfidf import dampened, rarity, weigh
from pte.corpora.word_pairs import counts_with, frequent_pairs
from pte.evaluation import liblinear
from pte.evaluation.linear import Features, LinearClassifier, classifier_of, with_bias
from pte.training.classifier import HeldOutScore, Judging
from pte.training.contract import Cost, Learnt, Options, Spec, Task
from pte.training.parts import in_turn
from pte.training.search import Search, first_best, outwards

METHOD = "svm"

ENOUGH = 2000
"""Folds judge until so many documents have judged."""

FACTOR = 10**0.5
"""The factor between two values of C that are tried."""

STEEP = 4.0
"""Decision values are about ±1; log-odds are about so many times as large."""

FEWEST_DOCUMENTS = 2
"""How many training documents must hold a run of letters."""

SPEC = Spec(
    yields="predictions",
    options={"pairs": {"type": "boolean"}, "letters": {"type": "boolean"}},
    choice={
        "c": {"type": "number", "exclusiveMinimum": 0},
        "sublinear": {"type": "boolean"},
    },
    seeded=False,
    ordered=lambda options: bool(options.get("pairs")),
    cost=lambda options: Cost(0.5, 200 if options.get("letters") else 20),
    # A token makes at most one entry for its word, one for its pair, and about five for its
    # letters. An entry takes 12 bytes in the counts, in two kinds of TF-IDF and in the folds,
    # and 16 in LIBLINEAR.
    memory=lambda size: 7 * (5 * 12 + 16) * size.tokens + 8 * 4 * size.classes * size.words,
)


@dataclass(frozen=True)
class SvmChoice:
    """C, and whether a count n of a document weighs 1 + log n in place of n."""

    c: float
    sublinear: bool


def learn(task: Task) -> Learnt:
    """Choose C, then whether counts are dampened, on folds, and train on all labelled documents.

    If `task.choice` has the fields of `SvmChoice`, nothing is searched. The arrays are `weights`
    and `classes` of a `LinearClassifier`, the `rarity` of all columns, and what says which columns
    there are: `pairs`, and hashes of the runs of `letters`. Raises `PteError` when there
    are too few labels.
    """
    corpus, known = task.corpus, labelled_documents(task.corpus, METHOD)
    columns = _columns(corpus, task.options)
    blocks = _counts(corpus, columns)
    train = corpus.documents(TRAIN)
    columns["rarity"] = np.concatenate([rarity(sparse.csr_array(b[train])) for b in blocks])

    def parts(sublinear: bool) -> list[Judging]:
        return judging_parts(task, _weighed(blocks, columns["rarity"], sublinear))

    if task.choice is None:
        chosen = _choose(parts(False), parts(True))
    else:
        chosen = Search(SvmChoice(**task.choice))
    best = chosen.best
    features = _weighed(blocks, columns["rarity"], best.sublinear)[known]
    model = fit_hinge(features, corpus.targets(known), best.c)
    facts = {"choice": asdict(best), "notes": chosen.notes}
    return Learnt({**columns, **vars(model)}, facts)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the probabilities of the classes, shape (documents, classes).

    They are a softmax of the decision values, times `STEEP`.
    """
    arrays, facts = learnt.arrays, learnt.facts
    blocks = _counts(corpus, arrays)
    return probable(learnt, _weighed(blocks, arrays["rarity"], facts["choice"]["sublinear"]))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives; raises `PteError`."""
    kept.fact("choice", {"c": float, "sublinear": bool})
    columns = kept.lengths["words"]
    if "pairs" in kept:
        columns += kept.array("pairs", "int64", "pairs").size
    if "letters" in kept:
        columns += kept.distinct("letters", 2**BITS, "runs of letters").size
    kept.array("rarity", "float32", columns)
    n_classes = kept.lengths["classes"]
    classifier_of(kept, columns + 1, n_classes)
    return n_classes


def fit_hinge(
    features: Features, targets: Targets, c: float, start: Any = None
) -> LinearClassifier:
    """Train on the squared hinge loss, one class against the rest; `start` is not used."""
    labels = np.asarray(targets, np.int32)
    return liblinear.fit_squared_hinge(features, labels, c)


def judging_parts(task: Task, features: Features) -> list[Judging]:
    """Return folds of the labelled documents, until `ENOUGH` documents have judged."""
    corpus, found = task.corpus, list[Judging]()
    for split in in_turn(corpus, labelled_documents(corpus, METHOD), task.seed):
        found.append(Judging.of(corpus, features, *split))
        if sum(len(part.judged_targets) for part in found) >= ENOUGH:
            break
    return [part for part in found if len(part.judged_targets)]


def probable(learnt: Learnt, features: Features) -> NDArray[np.float64]:
    """Return the probabilities of the classes, from features of documents."""
    model = LinearClassifier(learnt.arrays["weights"], learnt.arrays["classes"])
    return np.asarray(softmax(STEEP * model.decisions(features), axis=1))


def _choose(plain: list[Judging], dampened: list[Judging]) -> Search[SvmChoice]:
    """Choose C for counts as they are, then whether the same C does better with dampened counts."""
    if not plain:
        return Search(SvmChoice(1.0, sublinear=True))
    scored = outwards(HeldOutScore(plain, fit_hinge), 1.0, FACTOR)
    found = [(SvmChoice(c, sublinear=False), score) for c, score in scored]
    other = replace(first_best(found), sublinear=True)
    found.append((other, HeldOutScore(dampened, fit_hinge)(other.c)))
    return Search(first_best(found), tuple(found))


def _columns(corpus: EncodedCorpus, options: Options) -> dict[str, NDArray[Any]]:
    """Return what says which columns there are, for `_counts`."""
    columns: dict[str, NDArray[Any]] = {}
    if options.get("pairs"):
        columns["pairs"] = frequent_pairs(corpus)
    if options.get("letters"):
        counts = letters_of(corpus)[corpus.documents(TRAIN)]
        held = np.bincount(counts.indices, minlength=counts.shape[1])
        columns["letters"] = np.flatnonzero(held >= FEWEST_DOCUMENTS)
    return columns


def _counts(corpus: EncodedCorpus, columns: Any) -> list[sparse.csr_array]:
    """Return the counts of words and pairs and, if they count, those of runs of letters."""
    blocks = [counts_with(corpus, columns.get("pairs"))]
    if "letters" in columns:
        blocks.append(letters_of(corpus, columns["letters"]))
    return blocks


def _weighed(
    blocks: list[sparse.csr_array], rare: NDArray[np.float32], sublinear: bool
) -> Features:
    """Return the TF-IDF of all blocks, side by side, and 1; `rare` is that of their columns."""
    ends = np.cumsum([0, *(block.shape[1] for block in blocks)])
    some = [dampened(block) if sublinear else block for block in blocks]
    weighed = [weigh(block, rare[i:j]) for block, (i, j) in zip(some, pairwise(ends), strict=True)]
    return with_bias(sparse.csr_array(sparse.hstack(weighed)))
