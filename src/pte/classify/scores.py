"""The scores of a contest: trials of all folds joined, and each method compared to the best."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.classify.chosen import over_folds
from pte.classify.folds import Collection, Fold
from pte.classify.intervals import Counted, count_labels, intervals
from pte.classify.registry import method_named
from pte.classify.registry import methods as registered
from pte.classify.trial import Tested
from pte.corpora.finding import called
from pte.corpora.targets import Targets
from pte.evaluation.metrics import confusion, per_class
from pte.training.method import CONTROL

MOST_PAIRS, EXAMPLES, LENGTH = 10, 2, 160
"""The most pairs of confused classes, examples of each, and characters of an example."""

MOST_CLASSES = 100
"""With more classes, there is no table of confusions, which would be large and empty."""


class Predictions(NamedTuple):
    """What a method predicted for all tested documents, ascending, in each repeat.

    `seconds` are processor seconds to learn once and to predict a fold, in the mean of the folds.
    `chosen` is what was chosen in the folds, as `over_folds` joins it.
    """

    method: str
    predicted: list[Targets]
    seconds: float
    chosen: Mapping[str, Any]
    without_known_word: int


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
    chosen = over_folds([by_fold[i].chosen for i in range(len(folds))])
    return Predictions(found[0].method, predicted, round(seconds, 2), chosen, unknown)


def tested_documents(folds: Sequence[Fold]) -> NDArray[np.int64]:
    """Return the positions of all tested documents, ascending."""
    return np.sort(np.concatenate([fold.test for fold in folds if fold.repeat == 0]))


class Comparison(NamedTuple):
    """The rows of a contest, the best method first, and what the advice is made from."""

    rows: list[dict[str, Any]]
    hits: dict[str, NDArray[np.float64]]


def compared(
    collection: Collection, folds: Sequence[Fold], methods: Sequence[Predictions]
) -> Comparison:
    """Compare methods that have predicted all tested documents.

    Of methods with equal micro-F1, the first in the registry counts as better: measured seconds
    would make the advice vary. The control is never the best, unless it is alone. There must be a
    method.
    """
    tested = tested_documents(folds)
    truth, n_classes = targets_of(collection, tested), collection.labels.classes.size
    counts = {each.method: count_labels(truth, each.predicted, n_classes) for each in methods}
    scores = {name: _f1(each) for name, each in counts.items()}
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
                "chosen": dict(each.chosen) or None,
                **_details(collection, tested, truth, each),
            }
        )
    return Comparison(rows, {name: each.hits for name, each in counts.items()})


def targets_of(collection: Collection, documents: NDArray[np.int64]) -> Targets:
    """Return the true classes of labelled documents."""
    rows = [list(collection.labels.of_documents[i] or ()) for i in documents]
    if not collection.labels.several:
        return np.array([row[0] for row in rows], np.int32)
    found = np.zeros((len(rows), collection.labels.classes.size), np.bool_)
    for i, row in enumerate(rows):
        found[i, row] = True
    return found


def _f1(counts: Counted) -> tuple[float, float]:
    """Return micro-F1 and macro-F1 in percent, over all repeats together."""
    right = np.asarray(counts.right.sum(axis=0), np.float64).ravel()
    sizes = np.asarray(counts.sizes.sum(axis=0), np.float64).ravel()
    micro = 200 * right.sum() / max(sizes.sum(), 1)
    return float(micro), float((200 * right / np.maximum(sizes, 1)).mean())


def _details(
    collection: Collection, tested: NDArray[np.int64], truth: Targets, each: Predictions
) -> dict[str, Any]:
    """Return the scores of each class, and the classes that are confused, with examples."""
    names, n = [str(name) for name in collection.labels.classes.tolist()], len(each.predicted)
    confused: dict[str, Any] = {"confusions": [], "confusion": None}
    if truth.ndim == 2:
        right = np.sum([truth & found for found in each.predicted], axis=(0, 1))
        true, said = n * truth.sum(axis=0), np.sum(each.predicted, axis=(0, 1))
    else:
        every = [np.asarray(predicted, np.int32) for predicted in each.predicted]
        tables = [confusion(np.asarray(truth, np.int32), found, len(names)) for found in every]
        table, whole = np.rint(np.mean(tables, axis=0)).astype(np.int64), np.sum(tables, axis=0)
        right, true, said = np.diagonal(whole), whole.sum(axis=1), whole.sum(axis=0)
        confused["confusions"] = _confusions(collection, tested, truth, every, whole)
        confused["confusion"] = table.tolist() if len(names) <= MOST_CLASSES else None
    rows = per_class(right, true, said, names)
    return {"per_class": [row | {"documents": row["documents"] // n} for row in rows], **confused}


def _confusions(
    collection: Collection,
    tested: NDArray[np.int64],
    truth: Targets,
    predicted: Sequence[NDArray[np.int32]],
    table: NDArray[np.int64],
) -> list[dict[str, Any]]:
    """Return the most frequent pairs of a true class and another predicted class.

    `predicted` has an array for each repeat, and `table` is the sum over the repeats. Documents are
    counted in a repeat, on average, and at least one.
    """
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
                "examples": [_example(collection, i) for i in documents],
            }
        )
    return found


def _example(collection: Collection, i: int) -> dict[str, str]:
    name = called(collection.ids[i], collection.unit)
    return {"id": name, "text": beginning(collection.texts[i])}


def beginning(text: bytes) -> str:
    """Return the first characters of a text, on one line."""
    line = " ".join(text[: 20 * LENGTH].decode("utf-8", "replace").split())
    return line if len(line) <= LENGTH else f"{line[: LENGTH - 1].rstrip()}…"
