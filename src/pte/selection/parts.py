"""How methods hold labelled documents out of a training; subsets of corpora may do so, too.

Every part has the classes in proportion, as nearly as whole documents allow.
"""

import warnings

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_labelled
from pte.corpora.subsets import judged_by
from pte.errors import PteError

FOLDS = 5
"""How many folds choose hyperparameters; each fold judges what has learnt from the other folds."""

Split = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The positions of the documents that train, and of the documents that judge."""


def folds(labels: NDArray[np.int32], method: str, seed: int, n: int = FOLDS) -> list[Split]:
    """Split the positions of `labels` in `n` ways; each position judges in one of these splits.

    The only document of a class judges in none, and always trains: where it judged, no document
    would teach its class. Raises `PteError`, which names the method, when no class has `n`
    documents.
    """
    from sklearn.model_selection import StratifiedKFold  # takes seconds; few methods choose

    largest = np.unique_counts(labels).counts.max()
    if largest < n:
        raise PteError(
            f"{method}: no class has more than {largest} labelled documents, too few for the {n} "
            "folds that choose its settings; label more"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class smaller than `n` is no fault
        splits = list(StratifiedKFold(n, shuffle=True, random_state=seed).split(labels, labels))
    alone = _only_ones(labels)
    return [
        (np.union1d(learn, judge[alone[judge]]), judge[~alone[judge]]) for learn, judge in splits
    ]


def hold_out(labels: NDArray[np.int32], size: int, rng: np.random.Generator) -> Split:
    """Hold out `size` documents as judges; both parts of the split are in ascending order.

    The documents of each class are spread evenly over one list, and the first `size` are held out.
    A small class therefore loses documents in proportion only.
    """
    order = _shuffled_by_class(np.arange(labels.size), labels, rng)
    _, firsts, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    rank = np.arange(labels.size) - np.repeat(firsts, sizes)
    order = order[np.argsort((rank + 0.5) / np.repeat(sizes, sizes), kind="stable")]
    return np.sort(order[size:]), np.sort(order[:size])


def stratified_part(
    corpus: EncodedCorpus, documents: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return `size` of the documents at random, ascending, with each class in proportion.

    The documents are sorted by class, in random order within a class, and taken at equal distances.
    """
    documents = _shuffled_by_class(documents, corpus.labels, rng)
    return np.sort(documents[np.arange(size) * documents.size // size])


def judging_part(
    corpus: EncodedCorpus, share: float, at_most: int, chosen: str, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return `share` of the labelled training documents, at most `at_most`, by `stratified_part`.

    These documents judge what is `chosen`, which the error message names. The only document of a
    class does not judge. Raises `PteError` when `share` is fewer than two documents for each class.
    """
    labelled = find_labelled(corpus)
    size = min(int(share * labelled.size), at_most)
    if size < 2 * corpus.n_classes:
        raise PteError(
            f"{chosen}: {labelled.size} labelled training documents of {corpus.n_classes} classes "
            f"are too few to hold some out; give the number of {chosen}"
        )
    part = stratified_part(corpus, labelled, size, rng)
    alone = labelled[_only_ones(np.asarray(corpus.labels[labelled]))]
    return np.setdiff1d(part, alone)


def held_out(
    corpus: EncodedCorpus, share: float, at_most: int, chosen: str, seed: int
) -> EncodedCorpus:
    """Return the training documents as a corpus whose test documents come from `judging_part`.

    A method trains and is judged on this corpus as on the whole corpus, but never meets a test
    document of the whole corpus. The vocabulary stays. Raises `PteError` as `judging_part` does.
    """
    held = judging_part(corpus, share, at_most, chosen, np.random.default_rng(seed))
    return judged_by(corpus, held)


def _shuffled_by_class(
    documents: NDArray[np.int64], labels: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Sort the documents by class; within a class the order is random."""
    shuffled = rng.permutation(documents)
    by_class: NDArray[np.int64] = shuffled[np.argsort(labels[shuffled], kind="stable")]
    return by_class


def _only_ones(labels: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return whether each position has a label that no other position has."""
    _, numbers, counts = np.unique(labels, return_inverse=True, return_counts=True)
    return np.asarray(counts[numbers] == 1)
