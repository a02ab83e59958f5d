"""The scores of a contest: the trials of all folds joined, and methods compared to the best."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.classify.folds import Collection, Fold, tested_documents
from pte.classify.registry import method_named
from pte.classify.registry import methods as registered
from pte.classify.trial import Tested
from pte.corpora.encoded import Targets
from pte.errors import called
from pte.evaluation.metrics import ERRORS, Interval, confusion, per_class, wilson
from pte.training.method import CONTROL

MOST_PAIRS, EXAMPLES, LENGTH = 10, 2, 160  # confused pairs, examples of each, their characters

SKEWED = 0.8  # the share of documents of one class above which micro-F1 alone says little

DRAWS, AT_ONCE = 2000, 100  # bootstrap samples, and how many are drawn at a time


class Predictions(NamedTuple):
    """What a method predicted for all tested documents, ascending, in each repeat.

    `seconds` are processor seconds to learn once and to predict a fold, in the mean of the folds;
    `chosen` is each different choice of the folds.
    """

    method: str
    predicted: list[Targets]
    seconds: float
    chosen: list[Mapping[str, Any]]
    without_known_word: int


class Comparison(NamedTuple):
    """The rows of a contest, the best method first, and what the advice is made from."""

    rows: list[dict[str, Any]]
    hits: dict[str, NDArray[np.float64]]


def joined(folds: Sequence[Fold], found: Sequence[Tested]) -> Predictions:
    """Join the trials of one method on all folds, none of which failed."""
    by_fold = {each.fold: each for each in found}
    predicted = []
    for repeat in range(1 + max(fold.repeat for fold in folds)):
        numbers = [i for i, fold in enumerate(folds) if fold.repeat == repeat]
        tested = np.concatenate([folds[i].test for i in numbers])
        said = np.concatenate([by_fold[i].predicted for i in numbers])
        predicted.append(said[np.argsort(tested, kind="stable")])
    seconds = float(np.mean([each.seconds for each in found]))
    unknown = sum(by_fold[i].without_known_word for i, f in enumerate(folds) if f.repeat == 0)
    chosen: list[Mapping[str, Any]] = []
    for i in range(len(folds)):
        chosen += [by_fold[i].chosen] if by_fold[i].chosen not in (*chosen, {}) else []
    return Predictions(found[0].method, predicted, round(seconds, 2), chosen, unknown)


def compared(
    collection: Collection, folds: Sequence[Fold], methods: Sequence[Predictions]
) -> Comparison:
    """Compare methods; of equal micro-F1, the first in the registry is better, as seconds vary."""
    tested = tested_documents(folds)
    truth, n_classes = collection.targets(tested), collection.labels.classes.size
    counts = {each.method: count_labels(truth, each.predicted, n_classes) for each in methods}
    scores = {name: each.f1 for name, each in counts.items()}
    is_control = {each.method: method_named(each.method).group == CONTROL for each in methods}
    place = {name: i for i, name in enumerate(registered())}
    order = sorted(methods, key=lambda m: (-scores[m.method][0], place[m.method]))
    best = min(order, key=lambda m: is_control[m.method]).method
    found = intervals(counts, best, collection.labels.several)
    rows = []
    for each in order:
        name = each.method
        micro, macro = scores[name]
        rows.append(
            {
                "method": name,
                "label": method_named(name).label,
                "control": is_control[name],
                "micro_f1": micro,
                "micro_f1_interval": found[name].micro_f1,
                "macro_f1": macro,
                "macro_f1_interval": found[name].macro_f1,
                "difference": micro - scores[best][0],
                "difference_interval": found[name].difference,
                "as_good": not is_control[name] and found[name].difference[1] >= 0,
                "seconds": each.seconds,
                "chosen": each.chosen,
                **_details(collection, tested, truth, each),
            }
        )
    return Comparison(rows, {name: each.hits for name, each in counts.items()})


def _details(
    collection: Collection, tested: NDArray[np.int64], truth: Targets, each: Predictions
) -> dict[str, Any]:
    names, n = [str(name) for name in collection.labels.classes.tolist()], len(each.predicted)
    confusions: list[dict[str, Any]] = []
    if truth.ndim == 2:
        right = np.sum([truth & found for found in each.predicted], axis=(0, 1))
        true, said = n * truth.sum(axis=0), np.sum(each.predicted, axis=(0, 1))
    else:
        every = [np.asarray(predicted, np.int32) for predicted in each.predicted]
        tables = [confusion(np.asarray(truth, np.int32), found, len(names)) for found in every]
        whole = np.sum(tables, axis=0)
        right, true, said = np.diagonal(whole), whole.sum(axis=1), whole.sum(axis=0)
        confusions = _confusions(collection, tested, truth, every, whole)
    rows = per_class(right, true, said, names)
    by_class = [row | {"documents": row["documents"] // n} for row in rows]
    return {"per_class": by_class, "confusions": confusions}


def _confusions(
    collection: Collection,
    tested: NDArray[np.int64],
    truth: Targets,
    predicted: Sequence[NDArray[np.int32]],
    table: NDArray[np.int64],
) -> list[dict[str, Any]]:
    """Return the most frequent pairs of a true class and another predicted class, over repeats."""
    wrong = table.copy()
    np.fill_diagonal(wrong, 0)
    names = [str(name) for name in collection.labels.classes.tolist()]
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_PAIRS]
    found = []
    for true, said in zip(*np.unravel_index(order, wrong.shape), strict=True):
        if not wrong[true, said]:
            break
        ever = np.any([each == said for each in predicted], axis=0)
        every = tested[(truth == true) & ever].tolist()
        documents = sorted(every, key=lambda i: not collection.texts[i].strip())[:EXAMPLES]
        found.append(
            {
                "true": names[true],
                "predicted": names[said],
                "documents": max(1, round(int(wrong[true, said]) / len(predicted))),
                "examples": [
                    {
                        "id": called(collection.ids[i], collection.unit),
                        "text": beginning(collection.texts[i]),
                    }
                    for i in documents
                ],
            }
        )
    return found


def beginning(text: bytes) -> str:
    """Return the first characters of a text, on one line."""
    line = " ".join(text[: 20 * LENGTH].decode("utf-8", "replace").split())
    return line if len(line) <= LENGTH else f"{line[: LENGTH - 1].rstrip()}…"


def is_skewed(truth: Targets) -> bool:
    """Return whether one class holds so many documents that micro-F1 alone says little."""
    return truth.ndim == 1 and bool(np.bincount(truth).max() > SKEWED * truth.size)


class Counted(NamedTuple):
    """Sparse counts of documents and classes over all repeats; F1 is 2 sum(right) / sum(sizes)."""

    right: sparse.csr_array
    sizes: sparse.csr_array

    @property
    def hits(self) -> NDArray[np.float64]:
        """The share of the repeats in which a document of one class is predicted right."""
        right = np.asarray(self.right.sum(axis=1), np.float64).ravel()
        return 2 * right / np.maximum(np.asarray(self.sizes.sum(axis=1)).ravel(), 1)

    @property
    def f1(self) -> tuple[float, float]:
        """Micro-F1 and macro-F1 in percent, over all repeats together."""
        right = np.asarray(self.right.sum(axis=0), np.float64).ravel()
        sizes = np.asarray(self.sizes.sum(axis=0), np.float64).ravel()
        micro = 200 * right.sum() / max(sizes.sum(), 1)
        return float(micro), float((200 * right / np.maximum(sizes, 1)).mean())


def count_labels(truth: Targets, predicted: list[Targets], n_classes: int) -> Counted:
    """Count the labels of each document; `predicted` has an array for each repeat."""
    true = _indicator(truth, n_classes)
    each = [_indicator(found, n_classes) for found in predicted]
    right = sum((true.multiply(found) for found in each[1:]), start=true.multiply(each[0]))
    sizes = sum((true + found for found in each[1:]), start=true + each[0])
    return Counted(sparse.csr_array(right), sparse.csr_array(sizes))


def _indicator(targets: Targets, n_classes: int) -> sparse.csr_array:
    if targets.ndim == 2:
        return sparse.csr_array(targets.astype(np.float64))
    n = targets.size
    cells = (np.ones(n), (np.arange(n), np.asarray(targets, np.int64)))
    return sparse.csr_array(cells, shape=(n, n_classes))


class Intervals(NamedTuple):
    """The 95 % intervals of micro-F1, of macro-F1, and of the difference to the best method."""

    micro_f1: Interval
    macro_f1: Interval
    difference: Interval


def intervals(counts: Mapping[str, Counted], best: str, several: bool) -> dict[str, Intervals]:
    """Return intervals in percent, by the bootstrap over the same documents for all methods.

    For one label, that of micro-F1 is Wilson's (1927), which holds near 0 and 100, too.
    """
    drawn = {name: _resampled(each) for name, each in counts.items()}
    found = {}
    for name, (micro, macro) in drawn.items():
        hits = counts[name].hits
        own = _quantiles(micro) if several else wilson(float(hits.mean()), hits.size)
        found[name] = Intervals(own, _quantiles(macro), _quantiles(micro - drawn[best][0]))
    return found


def _resampled(counts: Counted) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    random = np.random.default_rng(0)
    n = counts.right.shape[0]
    micro, macro = [], []
    for _ in range(0, DRAWS, AT_ONCE):
        times = random.multinomial(n, np.full(n, 1 / n), AT_ONCE).astype(np.float64)
        right, sizes = times @ counts.right, times @ counts.sizes
        micro.append(200 * right.sum(axis=1) / np.maximum(sizes.sum(axis=1), 1))
        macro.append((200 * right / np.maximum(sizes, 1)).mean(axis=1))
    return np.concatenate(micro), np.concatenate(macro)


def _quantiles(drawn: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def to_tell_apart(hits: NDArray[np.float64], others: NDArray[np.float64]) -> int | None:
    """Return about how many tested documents tell two methods apart.

    The 95 % interval of the mean difference d, of standard deviation s, leaves out 0
    from (1.96 s / d)² documents on. None if `others` are not behind.
    """
    apart = hits - others
    mean = float(apart.mean())
    if mean <= 0:
        return None
    if apart.size == 1:
        return 2  # of one document there is no deviation
    return int(np.ceil((ERRORS * float(apart.std(ddof=1)) / mean) ** 2))
