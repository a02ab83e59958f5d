"""How held-out documents choose: the first candidate with the best score, and who is held out."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus, Groups
from pte.corpora.subsets import find_labelled, judged_by
from pte.errors import PteError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Candidate = TypeVar("Candidate", bound="DataclassInstance")

Value = TypeVar("Value")

GAIN = 0.1  # how many points a choice must gain, to be taken in place of one that was tried before
LEAST, MOST = 1e-6, 1e6  # bounds of `outwards`, for searches that score nothing


@dataclass(frozen=True)
class Search(Generic[Candidate]):
    """The `best` candidate, and those `tried` with their scores; none if `best` was given."""

    best: Candidate
    tried: tuple[tuple[Candidate, float], ...] = ()

    def curve(self, score: str = "score") -> list[dict[str, Any]]:
        """Return a point of JSON for each candidate tried; `score` is the key of its score."""
        return [asdict(candidate) | {score: value} for candidate, value in self.tried]

    @classmethod
    def of(cls, tried: Sequence[tuple[Candidate, float]]) -> "Search[Candidate]":
        """Choose the first candidate with the best score; there must be at least one candidate."""
        best = int(np.argmax([score for _, score in tried]))
        return cls(tried[best][0], tuple(tried))

    @property
    def notes(self) -> dict[str, Any]:
        """The choice and the curve, for the notes of a fit."""
        return {"choice": asdict(self.best), "curve": self.curve()}


def search(
    candidates: Iterable[Candidate],
    score: Callable[[Candidate], float],
    ended: Callable[[Sequence[float]], bool] = lambda scores: False,
) -> Search[Candidate]:
    """Score the candidates until `ended` is true of the scores; choose the first of the best."""
    tried: list[tuple[Candidate, float]] = []
    for candidate in candidates:
        tried.append((candidate, score(candidate)))
        if ended([value for _, value in tried]):
            break
    return Search.of(tried)


def outwards(
    score: Callable[[float], float], start: float = 1.0, factor: float = 10.0
) -> list[tuple[float, float]]:
    """Score `start`, and values further and further from it, by `factor`, while scores still rise.

    Up ends after two values that do not gain `GAIN`, but not while all scores are 0, as for rare
    labels; down, if nothing above is better, after one. No search ends at its best value.
    """
    found = [(start, score(start))]
    while found[-1][0] < MOST and (_highest(found) == 0 or _rises(found, 2)):
        value = _rounded(start * factor ** len(found))
        found.append((value, score(value)))
    if first_best(found) != start:
        return found
    below = found[:1]
    while below[-1][0] > LEAST and _rises(below, 1):
        value = _rounded(start / factor ** len(below))
        below.append((value, score(value)))
    return found + below[1:]


def first_best(found: Sequence[tuple[Value, float]]) -> Value:
    highest = _highest(found)
    return next(value for value, score in found if score > highest - GAIN)


def _highest(found: Sequence[tuple[Any, float]]) -> float:
    return max(score for _, score in found)


def _rises(found: Sequence[tuple[float, float]], last: int) -> bool:
    before = found[:-last]
    return not before or _highest(found[-last:]) >= _highest(before) + GAIN


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def is_worse(scores: Sequence[float], n: int) -> bool:
    """Return whether the last score, of `n` documents, is a standard error below the best."""
    best = max(scores)
    return scores[-1] < best - standard_error(best, n)


def standard_error(percent: float, n: int) -> float:
    """Return the standard error, in percent, of the share `percent` of `n` documents."""
    return float(np.sqrt(percent * (100 - percent) / n))


FOLDS = 5  # that choose hyperparameters; each judges what learnt from the rest
Split = tuple[NDArray[np.int64], NDArray[np.int64]]  # documents that train, and that judge
NAMES = np.iinfo(np.int32).min  # the group of texts that name a class: they train, and never judge


def folds(
    labels: NDArray[np.int32], seed: int, groups: Groups | None = None, n: int = FOLDS
) -> list[Split]:
    """Split `labels` in at most `n` ways; each position judges once, unless alone in its class."""
    if groups is not None and (named := groups == NAMES).any():
        others, names = np.flatnonzero(~named), np.flatnonzero(named)
        given = groups[others]
        mates = alone_or_grouped(given) if (given >= 0).any() else None
        found = folds(labels[others], seed, mates, n)
        return [(np.union1d(names, others[some]), others[judges]) for some, judges in found]
    n = min(n, int(np.unique_counts(labels).counts.max(initial=0)))
    if n < 2:
        return []
    splits = (_taught(split, labels, groups) for split in divided(labels, n, seed, groups))
    return [split for split in splits if split[1].size]


def divided(
    labels: NDArray[np.int32],
    n: int,
    seed: int | np.random.RandomState,
    groups: Groups | None = None,
) -> list[Split]:
    """Split `labels` in `n` ways, or as many as there are `groups`, with classes in proportion."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold  # takes seconds

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class smaller than `n` is no fault
        if groups is None:
            return list(StratifiedKFold(n, shuffle=True, random_state=seed).split(labels, labels))
        n = min(n, np.unique(groups).size)
        of_groups = StratifiedGroupKFold(n, shuffle=True, random_state=seed)
        return list(of_groups.split(labels, labels, groups))


def in_turn(corpus: EncodedCorpus, documents: NDArray[np.int64], seed: int) -> list[Split]:
    """Return `folds` of some labelled documents of a corpus, as positions in the corpus."""
    labels = np.asarray(corpus.labels[documents])
    splits = folds(labels, seed, groups_of(corpus, documents))
    return [(documents[learn], documents[judge]) for learn, judge in splits]


def groups_of(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> Groups | None:
    """Return the groups of some documents, or None if there is none, or one alone."""
    if corpus.groups is None:
        return None
    given = corpus.groups[documents]
    if (given == NAMES).any():  # `folds` looks for them
        return given
    groups = alone_or_grouped(given)
    return groups if np.unique(groups).size > 1 else None


def alone_or_grouped(groups: Groups) -> Groups:
    """Return groups in which each document of group −1, which has none, is a group alone."""
    return np.where(groups < 0, -1 - np.arange(groups.size), groups)


def hold_out(
    labels: NDArray[np.int32], size: int, rng: np.random.Generator, groups: Groups | None = None
) -> Split:
    """Hold out about `size` documents, by whole groups; no class loses its last document."""
    if groups is not None:
        n = max(2, round(labels.size / max(1, size)))
        if splits := folds(labels, int(rng.integers(2**32)), groups, n):
            return splits[0]
        raise PteError("groups: some classes are in one group alone; leave the groups out")
    order = _shuffled_by_class(np.arange(labels.size), labels, rng)
    _, firsts, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    rank = np.arange(labels.size) - np.repeat(firsts, sizes)
    order = order[np.argsort((rank + 0.5) / np.repeat(sizes, sizes), kind="stable")]
    return _taught((np.sort(order[size:]), np.sort(order[:size])), labels, None)


def stratified_part(
    corpus: EncodedCorpus, documents: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return `size` random documents, ascending, at equal distances in a list sorted by class."""
    documents = _shuffled_by_class(documents, corpus.labels, rng)
    return np.sort(documents[np.arange(size) * documents.size // size])


def held_out(
    corpus: EncodedCorpus, share: float, at_most: int, chosen: str, seed: int
) -> EncodedCorpus:
    """Return the training documents as a corpus whose test documents are the judges of `chosen`."""
    rng, labelled = np.random.default_rng(seed), find_labelled(corpus)
    size = min(int(share * labelled.size), at_most)
    if size < 2 * corpus.n_classes:
        raise PteError(
            f"{chosen}: {labelled.size} labelled training documents of {corpus.n_classes} classes "
            f"are too few to hold some out; give the number of {chosen}"
        )
    groups, labels = groups_of(corpus, labelled), np.asarray(corpus.labels[labelled])
    if groups is not None:
        return judged_by(corpus, labelled[hold_out(labels, size, rng, groups)[1]])
    _, numbers, counts = np.unique(labels, return_inverse=True, return_counts=True)
    part = stratified_part(corpus, labelled, size, rng)
    return judged_by(corpus, np.setdiff1d(part, labelled[counts[numbers] == 1]))


def _shuffled_by_class(
    documents: NDArray[np.int64], labels: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.int64]:
    shuffled = rng.permutation(documents)
    by_class: NDArray[np.int64] = shuffled[np.argsort(labels[shuffled], kind="stable")]
    return by_class


def _taught(split: Split, labels: NDArray[np.int32], groups: Groups | None) -> Split:
    """Let groups teach that would judge a class which no document teaches."""
    learn, judge = split
    moved = ~np.isin(labels[judge], labels[learn])
    if groups is not None:
        moved = np.isin(groups[judge], groups[judge[moved]])
    return np.union1d(learn, judge[moved]), judge[~moved]
