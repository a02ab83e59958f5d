"""What the runs of a method got right, and how the runs of two methods are paired."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte.claims.claim import checkpoint
from pte.claims.significance import Hits, differences
from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import Subset
from pte.corpora.targets import Targets
from pte.corpora.targets import hits as hits_of
from pte.errors import PteError
from pte.files import load_array, read_json

Truth = Mapping[str, Targets]
"""The classes of the test documents, by corpus; subsets have those of their corpus."""
Side = tuple[str, str]
"""A corpus, a name of subsets or of a checkpoint; and a method."""


@dataclass(frozen=True)
class Outcomes:
    """What the runs of a method on a corpus came to, in the order of their seeds.

    `hits` has the shape (seeds, documents). If `seeds` is None, one run stands for every seed.
    """

    seeds: tuple[int, ...] | None
    hits: Hits
    seconds: NDArray[np.float64]

    def beside(self, other: "Outcomes") -> "Outcomes":
        """Keep the seeds that `other` has, too."""
        if self.seeds is None or other.seeds is None:
            return self
        both = [i for i, seed in enumerate(self.seeds) if seed in other.seeds]
        return Outcomes(tuple(self.seeds[i] for i in both), self.hits[both], self.seconds[both])


@dataclass(frozen=True)
class Pair:
    """The outcomes of left and right with the same `seeds`, or one run that stands for all."""

    seeds: tuple[int, ...] | None
    left: Outcomes
    right: Outcomes

    @classmethod
    def of(cls, left: Outcomes, right: Outcomes) -> "Pair":
        """Pair the runs that have the same seed."""
        ours, others = left.beside(right), right.beside(left)
        return cls(ours.seeds or others.seeds, ours, others)

    @property
    def is_enough(self) -> bool:
        """Whether there are two seeds, or neither method needs a seed."""
        return self.seeds is None or len(self.seeds) >= 2

    def wins(self) -> NDArray[np.float64]:
        """Return the points that left has more than right, shape (seeds, documents)."""
        return differences(self.left.hits, self.right.hits)

    def ratios(self) -> NDArray[np.float64]:
        """Return how many times as long right was trained, with each seed."""
        ratios: NDArray[np.float64] = self.right.seconds / self.left.seconds
        return ratios


Found = dict[Side, list[tuple[int, Hits, float]]]
"""The seed, the hits and the seconds of each run."""


def read_truth(folders: Iterable[Path]) -> dict[str, Targets]:
    """Read the classes of the test documents from folders of encoded corpora."""
    truth = {}
    for folder in folders:
        corpus = EncodedCorpus.load(folder)
        truth[folder.name] = corpus.targets(corpus.documents(TEST))
    return truth


def collect_runs(
    score_files: Iterable[Path], truth: Truth, setting: str, unseeded: Collection[str] = ()
) -> dict[Side, Outcomes]:
    """Collect the runs with one classifier setting, by corpus and method.

    The subsets of all seeds are one corpus, by their name without a seed. Runs without a score are
    left out. `unseeded` names the methods that need no seed; one run of these on a whole corpus
    stands for every seed.
    """
    found: Found = {}
    for path in score_files:
        run = read_json(path, "corpus", "method", "setting", "seed")
        if run["setting"] != setting or "unavailable" in run:
            continue
        subset = Subset.parse(run["corpus"])
        hits = hits_of(_classes(truth, subset.base), load_array(path.with_suffix(".npy")))
        seconds = np.nan if run["train_seconds"] is None else run["train_seconds"]
        key = (replace(subset, seed=None).name, run["method"])
        found.setdefault(key, []).append((run["seed"], hits, seconds))
    return stand_for_all(by_seed(found), unseeded)


def collect_unavailable(score_files: Iterable[Path]) -> dict[Side, str]:
    """Collect why methods could not be run, by corpus and method.

    The subsets of all seeds are one corpus.
    """
    reasons = {}
    for path in score_files:
        run = read_json(path)
        if "unavailable" in run:
            subset = Subset.parse(run["corpus"])
            reasons[replace(subset, seed=None).name, run["method"]] = str(run["unavailable"])
    return reasons


def collect_checkpoints(files: Iterable[Path], truth: Truth, method: str) -> dict[Side, Outcomes]:
    """Collect the checkpoints of trainings of a method, by the name of `checkpoint`.

    Each file has the runs of one seed, in the order of their samples; an array beside it has a row
    of predictions for each of them.
    """
    found: Found = {}
    for path in files:
        runs, predicted = read_json(path, "runs")["runs"], load_array(path.with_suffix(".npy"))
        for run, row in zip(runs, predicted, strict=True):
            key = (checkpoint(run["corpus"], run["part"]), method)
            hits = hits_of(_classes(truth, run["corpus"]), row)
            found.setdefault(key, []).append((run["seed"], hits, np.nan))
    return by_seed(found)


def paired(left: Side, right: Side, runs: Mapping[Side, Outcomes]) -> Pair | str:
    """Pair the runs of two methods, or say why they cannot be compared."""
    for corpus, method in (left, right):
        if (corpus, method) not in runs:
            return f"no scores of {method} on {corpus}"
    pair = Pair.of(runs[left], runs[right])
    if not pair.is_enough:
        return f"{left[1]} and {right[1]} have fewer than two seeds in common"
    return pair


def compared(corpus: str, left: str, right: str, pair: Pair) -> NDArray[np.float64]:
    """Return `Pair.wins`; a `PteError` names the corpus and the methods."""
    try:
        return pair.wins()
    except PteError as error:
        raise PteError(f"{corpus}: {left} and {right}: {error}") from error


def _classes(truth: Truth, corpus: str) -> Targets:
    if corpus not in truth:
        raise PteError(f"{corpus}: there are scores, but not the encoded corpus; make it first")
    return truth[corpus]


def by_seed(found: Found) -> dict[Side, Outcomes]:
    """Put the runs of each side into the order of their seeds."""
    runs = {}
    for key, each in found.items():
        seeds, hits, seconds = zip(*sorted(each, key=lambda run: run[0]), strict=True)
        runs[key] = Outcomes(seeds, np.stack(hits), np.array(seconds, np.float64))
    return runs


def stand_for_all(runs: Mapping[Side, Outcomes], unseeded: Collection[str]) -> dict[Side, Outcomes]:
    """Let a run of an `unseeded` method on a whole corpus stand for every seed."""
    return {
        (corpus, method): replace(each, seeds=None) if alone else each
        for (corpus, method), each in runs.items()
        for alone in [method in unseeded and corpus == Subset.parse(corpus).base]
    }
