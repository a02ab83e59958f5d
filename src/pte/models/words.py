"""Linear methods that see words: BOW, NB-SVM, and a support vector machine; pairs as options."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import softmax

from pte.array_file import ArrayFile
from pte.corpora.encoded import TRAIN, EncodedCorpus, Targets
from pte.corpora.features import (
    BITS,
    counts_with,
    dampened,
    frequent_pairs,
    holding,
    letters_of,
    rarity,
    side_by_side,
    some_rows,
    weigh,
    word_rarity,
)
from pte.corpora.subsets import labelled_documents
from pte.evaluation import liblinear
from pte.evaluation.linear import Features, LinearClassifier, classifier_of, with_bias
from pte.training.contract import Cost, Learnt, Options, Spec, Task
from pte.training.scores import HeldOutScore, Judging
from pte.training.search import Search, first_best, in_turn, outwards

ENOUGH = 2000  # folds judge until so many documents have judged
_BOW, _BOW_PAIRS = Cost(0.05, 1.8, 0, 0.5, 1.3, 0.022), Cost(0.15, 0, 0, 0, 5.6, 0.008)
_SVM, _SVM_LETTERS = Cost(0.2, 3.5, 0, 0, 0.47, 0.037), Cost(0.55, 9.6, 0, 0, 1.0, 0.16)
STEEP = 4.0  # decision values are about ±1; log-odds are about so many times as large


class Bow:
    """Bag of words: TF-IDF of words (paper, section 5.1) and, as an option, of pairs of words."""

    SPEC = Spec(
        yields="features",
        options={"pairs": {"type": "boolean"}},
        seeded=False,
        sees_labels=lambda options: False,
        ordered=lambda options: bool(options.get("pairs")),
        cost=lambda options: _BOW_PAIRS if options.get("pairs") else _BOW,
    )

    @staticmethod
    def learn(task: Task) -> Learnt:
        """Learn the `rarity` of each column, float32, and with `pairs` which pairs count."""
        corpus, facts = task.corpus, dict[str, Any](choice={}, notes={})
        if not task.options.get("pairs"):
            return Learnt({"rarity": word_rarity(corpus)}, facts)
        pairs = frequent_pairs(corpus)
        counts = some_rows(counts_with(corpus, pairs), corpus.documents(TRAIN))
        return Learnt({"rarity": rarity(counts), "pairs": pairs}, facts)

    @staticmethod
    def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> Any:
        """Return the TF-IDF of all documents, float32, shape (documents, words and pairs)."""
        counts = counts_with(corpus, learnt.arrays.get("pairs"))
        return weigh(counts, learnt.arrays["rarity"])

    @staticmethod
    def check(kept: ArrayFile, options: Options) -> int:
        """Check the arrays that `learn` gives; return the number of columns."""
        return kept.array("rarity", "float32", _check_columns(kept)).size


@dataclass(frozen=True)
class SvmChoice:
    """C, and whether a count n of a document weighs 1 + log n in place of n."""

    c: float
    sublinear: bool


class Svm:
    """A linear SVM (Joachims, ECML 1998) by squared hinge; words and letters are two blocks."""

    FACTOR = 10**0.5  # the factor between two values of C that are tried
    FEWEST_DOCUMENTS = 2  # training documents that must hold a pair; most are in one

    SPEC = Spec(
        yields="predictions",
        options={"pairs": {"type": "boolean"}, "letters": {"type": "boolean"}},
        choice={"c": {"type": "number", "exclusiveMinimum": 0}, "sublinear": {"type": "boolean"}},
        seeded=False,
        ordered=lambda options: bool(options.get("pairs")),
        cost=lambda options: _SVM_LETTERS if options.get("letters") else _SVM,
        # A token makes at most one entry for its word, one for its pair, and about five for its
        # letters. An entry takes 12 bytes in the counts, in two kinds of TF-IDF and in the folds,
        # and 16 in LIBLINEAR.
        memory=lambda size: 7 * (5 * 12 + 16) * size.tokens + 8 * 4 * size.classes * size.words,
    )

    @classmethod
    def learn(cls, task: Task) -> Learnt:
        """Choose C, then whether counts are dampened, on folds; train on all labelled documents."""
        corpus, known = task.corpus, labelled_documents(task.corpus, "SVM")
        columns: dict[str, NDArray[Any]] = {}
        if task.options.get("pairs"):
            columns["pairs"] = frequent_pairs(corpus)
        if task.options.get("letters"):
            runs = letters_of(corpus)[corpus.documents(TRAIN)]
            held = np.bincount(runs.indices, minlength=runs.shape[1])
            columns["letters"] = np.flatnonzero(held >= cls.FEWEST_DOCUMENTS)
        blocks, train = cls._counts(corpus, columns), corpus.documents(TRAIN)
        columns["rarity"] = np.concatenate([rarity(some_rows(block, train)) for block in blocks])

        def features(sublinear: bool) -> Any:
            return cls._weighed(blocks, columns["rarity"], sublinear)

        if task.choice is None:
            chosen = cls._choose(task, features)
        else:
            chosen = Search(SvmChoice(**task.choice))
        best = chosen.best
        taught = some_rows(features(best.sublinear), known)
        model = fit_hinge(taught, corpus.targets(known), best.c)
        facts = {"choice": asdict(best), "notes": chosen.notes}
        return Learnt({**columns, **vars(model)}, facts)

    @classmethod
    def apply(cls, learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
        """Return the probabilities of the classes, shape (documents, classes)."""
        arrays, facts = learnt.arrays, learnt.facts
        blocks, sublinear = cls._counts(corpus, arrays), facts["choice"]["sublinear"]
        return _probabilities(learnt, cls._weighed(blocks, arrays["rarity"], sublinear))

    @staticmethod
    def check(kept: ArrayFile, options: Options) -> int:
        """Check the arrays and facts that `learn` gives; return the number of classes."""
        kept.fact("choice", {"c": float, "sublinear": bool})
        columns = _check_columns(kept)
        if "letters" in kept:
            columns += kept.distinct("letters", 2**BITS, "runs of letters").size
        kept.array("rarity", "float32", columns)
        return _check_classifier(kept, columns)

    @classmethod
    def _choose(cls, task: Task, features: Callable[[bool], Features]) -> Search[SvmChoice]:
        parts = _judging_parts(task, features(False))
        if not parts:
            return Search(SvmChoice(1.0, sublinear=True))
        scored = outwards(HeldOutScore(parts, fit_hinge), 1.0, cls.FACTOR)
        found = [(SvmChoice(c, sublinear=False), score) for c, score in scored]
        other = replace(first_best(found), sublinear=True)
        parts = _judging_parts(task, features(True))
        found.append((other, HeldOutScore(parts, fit_hinge)(other.c)))
        return Search(first_best(found), tuple(found))

    @staticmethod
    def _counts(corpus: EncodedCorpus, columns: Any) -> list[Any]:
        blocks = [counts_with(corpus, columns.get("pairs"))]
        if "letters" in columns:
            blocks.append(letters_of(corpus, columns["letters"]))
        return blocks

    @staticmethod
    def _weighed(blocks: list[Any], rare: NDArray[np.float32], sublinear: bool) -> Any:
        """Return the TF-IDF of all blocks, side by side, and 1; `rare` is that of their columns."""
        ends = pairwise(np.cumsum([0, *(block.shape[1] for block in blocks)]))
        some = [dampened(block) if sublinear else block for block in blocks]
        weighed = [weigh(block, rare[i:j]) for block, (i, j) in zip(some, ends, strict=True)]
        return with_bias(side_by_side(*weighed))


class NbSvm:
    """NB-SVM (Wang and Manning, ACL 2012) by logistic regression, which needs no interpolation."""

    START = 0.1  # tried first: rows are long, as ratios are not of unit length

    SPEC = Spec(
        yields="predictions",
        options={"pairs": {"type": "boolean"}},
        choice={"c": {"type": "number", "exclusiveMinimum": 0}},
        seeded=False,
        ordered=lambda options: bool(options.get("pairs")),
        cost=lambda options: Cost(0.6, 1.8, 0, 0.28, 0.19, 0.035),
        # A token makes at most an entry for its word and one for its pair. An entry takes 12 bytes
        # in the counts, in the folds and with ratios, and 16 in LIBLINEAR.
        memory=lambda size: 2 * (4 * 12 + 16) * size.tokens + 8 * 4 * size.classes * size.words,
    )

    @classmethod
    def learn(cls, task: Task) -> Learnt:
        """Choose C on folds, and train on all labelled documents."""
        corpus, known = task.corpus, labelled_documents(task.corpus, "NB-SVM")
        columns = {"pairs": frequent_pairs(corpus)} if task.options.get("pairs") else {}
        present = _present(corpus, columns.get("pairs"))
        c, tried = cls.START, list[tuple[float, float]]()
        if task.choice is not None:
            c = task.choice["c"]
        elif parts := _judging_parts(task, present):
            tried = outwards(HeldOutScore(parts, fit_ratios), cls.START)
            c = first_best(tried)
        choice, curve = {"c": c}, [{"c": each, "score": score} for each, score in tried]
        model = fit_ratios(some_rows(present, known), corpus.targets(known), c)
        facts = {"choice": choice, "notes": {"choice": choice, "curve": curve}}
        return Learnt({**columns, **vars(model)}, facts)

    @staticmethod
    def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
        """Return the probabilities of the classes, shape (documents, classes)."""
        return _probabilities(learnt, _present(corpus, learnt.arrays.get("pairs")))

    @staticmethod
    def check(kept: ArrayFile, options: Options) -> int:
        """Check the arrays and facts that `learn` gives; return the number of classes."""
        kept.fact("choice", {"c": float})
        return _check_classifier(kept, _check_columns(kept))


def _present(corpus: EncodedCorpus, pairs: NDArray[np.int64] | None) -> Any:
    """Return 1 where a document holds a word or pair, float32, and in the column of the bias."""
    counts = counts_with(corpus, pairs)
    return with_bias(holding(counts, np.ones(counts.data.size, np.float32)))


def fit_hinge(
    features: Features, targets: Targets, c: float, start: Any = None
) -> LinearClassifier:
    """Train on the squared hinge loss, one class against the rest; `start` is not used."""
    labels = np.asarray(targets, np.int32)
    return liblinear.fit_squared_hinge(features, labels, c)


def fit_ratios(
    features: Features, targets: Targets, c: float, start: Any = None
) -> LinearClassifier:
    """Learn each class from what is present, times its ratios, which then go into the weights."""
    known = sparse.csr_array(features).sorted_indices()  # once, and not for each class
    classes, numbers = np.unique(np.asarray(targets, np.int32), return_inverse=True)
    all_ratios = log_count_ratios(known, numbers, 1 if classes.size == 2 else classes.size)
    weights = np.empty(all_ratios.shape)
    for column, ratios in enumerate(all_ratios.T.copy()):
        inside = numbers == column
        values = known.data * ratios[known.indices]
        scaled = sparse.csr_array((values, known.indices, known.indptr), known.shape)
        learnt = liblinear.fit_sparse(scaled, inside.astype(np.int32), c)
        towards = 1 if learnt.classes[0] == 1 else -1
        weights[:, column] = towards * ratios * learnt.weights[:, 0]
    return LinearClassifier(weights, classes)


def log_count_ratios(
    present: sparse.csr_array, numbers: NDArray[np.int64], n_columns: int
) -> NDArray[np.float32]:
    """Return log(p(feature | class) / p(feature | rest)), float32, shape (features, columns).

    `numbers` are those of the classes of the rows, of which the first `n_columns` have a column;
    1 is added to each count. The last feature is the bias, whose ratio is 1.
    """
    ones = np.ones(numbers.size, np.float32)
    inside = sparse.csr_array((ones, (numbers, np.arange(numbers.size))))
    counts = (inside @ present).toarray()
    every, found = counts.sum(axis=0), []
    for each in counts[:n_columns]:
        shares = [np.log(side / side.sum()) for side in (each + 1, every - each + 1)]
        found.append(shares[0] - shares[1])
    ratios = np.stack(found, axis=1)
    ratios[-1] = 1
    return np.asarray(ratios, np.float32)


def _judging_parts(task: Task, features: Features) -> list[Judging]:
    corpus, found = task.corpus, list[Judging]()
    for split in in_turn(corpus, labelled_documents(corpus, "folds"), task.seed):
        found.append(Judging.of(corpus, features, *split))
        if sum(len(part.judged_targets) for part in found) >= ENOUGH:
            break
    return [part for part in found if len(part.judged_targets)]


def _probabilities(learnt: Learnt, features: Features) -> NDArray[np.float64]:
    """Return a softmax of decision values, times `STEEP`."""
    model = LinearClassifier(learnt.arrays["weights"], learnt.arrays["classes"])
    return np.asarray(softmax(STEEP * model.decisions(features), axis=1))


def _check_columns(kept: ArrayFile) -> int:
    """Return how many words and pairs a method counts."""
    pairs = kept.array("pairs", "int64", "pairs").size if "pairs" in kept else 0
    return kept.lengths["words"] + pairs


def _check_classifier(kept: ArrayFile, columns: int) -> int:
    n_classes = kept.lengths["classes"]
    classifier_of(kept, columns + 1, n_classes)
    return n_classes
