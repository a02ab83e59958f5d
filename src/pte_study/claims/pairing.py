"""The outcomes of the runs of a method, and how the outcomes of two methods are compared."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import Subset
from pte.corpora.targets import Targets
from pte.errors import PteError
from pte.files import load_array, read_json
from pte_study.claims.claim import Side, View, base_of, beside, training
from pte_study.claims.points import Metric, Points, document_points
from pte_study.claims.significance import Sample, Spreads, Stratum

PROTOCOL = "protocol"
"""The key of a score file that names the protocol."""

Truth = Mapping[str, Targets]
"""The classes of the test documents, by corpus; a subset has the test documents of its corpus."""
Key = tuple[str, str]
"""A part of a view, and a method."""
AllOutcomes = Mapping[Key, "Outcomes"]
"""The outcomes of all methods."""


@dataclass(frozen=True)
class Outcomes:
    """The points of the runs of a method, in the order of their seeds.

    `points` are float32, shape (seeds, documents). If `seeds` is None, one run stands for every
    seed. The points of seconds are their logarithms, shape (seeds, 1).
    """

    seeds: tuple[int, ...] | None
    points: Points

    def of_seeds(self, seeds: Sequence[int]) -> "Outcomes":
        """Return the outcomes of the given seeds, in the order that is given."""
        if self.seeds is None:
            return self
        kept = [self.seeds.index(seed) for seed in seeds]
        return Outcomes(tuple(seeds), self.points[kept])

    @property
    def is_enough(self) -> bool:
        """Whether there are at least two seeds, or one run stands for every seed."""
        return self.seeds is None or len(self.seeds) >= 2


class Kinds(NamedTuple):
    """The methods of two kinds.

    The `unseeded` methods need no seed. The `stochastic` methods classify by themselves, with a
    classifier that depends on the seed.
    """

    unseeded: Collection[str] = ()
    stochastic: Collection[str] = ()


Found = dict[Key, list[tuple[int, Points]]]
"""The seed and the points of each run."""


def read_truth(folders: Iterable[Path]) -> dict[str, Targets]:
    """Read the classes of the test documents from folders of encoded corpora."""
    truth = {}
    for folder in folders:
        corpus = EncodedCorpus.load(folder)
        truth[folder.name] = corpus.targets(corpus.documents(TEST))
    return truth


def collect_runs(
    score_files: Iterable[Path],
    truth: Truth,
    protocol: str,
    unseeded: Collection[str] = (),
    metric: Metric = "micro_f1",
) -> dict[Key, Outcomes]:
    """Collect the outcomes of the runs with one protocol, by corpus and method.

    The subsets of all seeds are one corpus, which has their name without a seed. Runs without a
    score are left out. `unseeded` names the methods that need no seed. One run of such a method on
    a whole corpus stands for every seed.
    """
    found: Found = {}
    for path in score_files:
        run = read_json(path, "corpus", "method", PROTOCOL, "seed")
        if run[PROTOCOL] != protocol or "unavailable" in run:
            continue
        classes = _classes(truth, Subset.parse(run["corpus"]).base)
        points = document_points(classes, load_array(path.with_suffix(".npy")), metric)
        found.setdefault(key_of(run), []).append((run["seed"], points))
    return stand_for_all(by_seed(found), unseeded)


def key_of(run: Mapping[str, Any]) -> Key:
    """Return the corpus of a run, without the seed of a subset, and the method of the run."""
    return replace(Subset.parse(run["corpus"]), seed=None).name, run["method"]


def collect_unavailable(score_files: Iterable[Path]) -> dict[Key, str]:
    """Collect the reasons why methods could not be run, by corpus and method.

    The subsets of all seeds are one corpus.
    """
    runs = map(read_json, score_files)
    return {key_of(run): str(run["unavailable"]) for run in runs if "unavailable" in run}


def collect_trainings(
    files: Iterable[Path], truth: Truth, method: str, metric: Metric = "micro_f1"
) -> dict[Key, Outcomes]:
    """Collect the outcomes of the finished trainings of a method, by the name of `training`.

    A file PARAMETER/VALUE/seedSEED.json has the checkpoints of a training. An array beside it has a
    row of predictions for each checkpoint. The training is finished only at the last checkpoint.
    """
    found: Found = {}
    for path in files:
        run, predicted = read_json(path, "runs")["runs"][-1], load_array(path.with_suffix(".npy"))
        points = document_points(_classes(truth, run["corpus"]), predicted[-1], metric)
        value, parameter = path.parent.name, path.parent.parent.name
        key = (training(run["corpus"], parameter, value), method)
        found.setdefault(key, []).append((run["seed"], points))
    return by_seed(found)


def collect_seconds(files: Iterable[Path]) -> dict[Key, Outcomes]:
    """Collect the logarithms of seconds of training, by the name of `beside` and by method.

    A file CORPUS/METHOD/seedSEED.json holds `seconds`, unless the method could not run.
    """
    found: Found = {}
    for path in files:
        seconds = read_json(path).get("seconds")
        if seconds:
            key = (beside(path.parent.parent.name, "seconds"), path.parent.name)
            seed = int(path.stem.removeprefix("seed"))
            found.setdefault(key, []).append((seed, seconds_points(seconds)))
    return by_seed(found)


def seconds_points(seconds: float) -> Points:
    """Return the points of seconds: their logarithm, float32, shape (1,)."""
    points: Points = np.array([log(seconds)], np.float32)
    return points


def collect_neighbours(
    files: Iterable[Path], truth: Truth, metric: Metric = "micro_f1"
) -> dict[Key, Outcomes]:
    """Collect the outcomes of predictions by the nearest documents.

    The predictions are in files CORPUS/METHOD/seedSEED.npy.
    """
    found: Found = {}
    for path in files:
        corpus, method = path.parent.parent.name, path.parent.name
        points = document_points(_classes(truth, corpus), load_array(path), metric)
        key = (beside(corpus, "neighbours"), method)
        found.setdefault(key, []).append((int(path.stem.removeprefix("seed")), points))
    return by_seed(found)


def _classes(truth: Truth, corpus: str) -> Targets:
    if corpus not in truth:
        raise PteError(f"{corpus}: there are scores, but not the encoded corpus; make it first")
    return truth[corpus]


def by_seed(found: Found) -> dict[Key, Outcomes]:
    """Return the outcomes of each part and method, with the runs in the order of their seeds."""
    runs = {}
    for key, each in found.items():
        seeds, points = zip(*sorted(each, key=lambda run: run[0]), strict=True)
        runs[key] = Outcomes(seeds, np.stack(points))
    return runs


def stand_for_all(runs: AllOutcomes, unseeded: Collection[str]) -> dict[Key, Outcomes]:
    """Let a run of an `unseeded` method on a whole corpus stand for every seed."""
    return {
        (part, method): replace(each, seeds=None) if alone else each
        for (part, method), each in runs.items()
        for alone in [method in unseeded and part == base_of(part)]
    }


def outcomes_on(view: View, method: str, runs: AllOutcomes) -> Outcomes | str:
    """Return the outcomes of a method on a view, or say what is missing.

    If the view has several parts, the points of a document are the mean over the parts, for the
    seeds that all parts have.
    """
    for part in view.parts:
        if (part, method) not in runs:
            return f"no scores of {method} on {part}"
    all_parts = [runs[part, method] for part in view.parts]
    if len(all_parts) > 1:
        seeds = _in_common(all_parts)
        points = [each.of_seeds(seeds).points for each in all_parts]
        whole = np.stack(np.broadcast_arrays(*points)).mean(axis=0)
        all_parts = [Outcomes(tuple(seeds), whole)]
    if not all_parts[0].is_enough:
        return f"{method} has fewer than two seeds on {view.name}"
    return all_parts[0]


def _in_common(all_outcomes: Iterable[Outcomes]) -> list[int]:
    seeds = [set(each.seeds) for each in all_outcomes if each.seeds is not None]
    return sorted(set.intersection(*seeds)) if seeds else []


def difference(left: Side, right: Side, runs: AllOutcomes, kinds: Kinds) -> list[Sample] | str:
    """Return the samples of left minus right, or say why left and right cannot be compared.

    For seconds, the samples are of right minus left. If runs with one seed have something in
    common, there is one sample, of the differences at each seed. Otherwise each side has a sample.
    On parts of a corpus, runs with one seed see the same documents, and trainings with other
    parameters share their random numbers. Raises `PteError` when the sides of one sample have
    different numbers of test documents.
    """
    found = [outcomes_on(view, method, runs) for view, method in (left, right)]
    for each in found:
        if isinstance(each, str):
            return each
    ours, theirs = (each for each in found if isinstance(each, Outcomes))
    if "runs" in (_spreads(left[0]), _spreads(right[0])):
        signs = (-1, 1) if left[0].measure == "seconds" else (1, -1)
        return [
            _sample(sign, each.points, (side,), kinds)
            for sign, each, side in zip(signs, (ours, theirs), (left, right), strict=True)
        ]
    seeds = _in_common([ours, theirs])
    if len(seeds) < 2:
        return f"{left[1]} and {right[1]} have fewer than two seeds in common"
    ours, theirs = ours.of_seeds(seeds), theirs.of_seeds(seeds)
    if ours.points.shape[1] != theirs.points.shape[1]:
        numbers = f"{ours.points.shape[1]} and {theirs.points.shape[1]}"
        raise PteError(f"{left[0].name}: {left[1]} and {right[1]}: {numbers} test documents")
    return [_sample(1, ours.points - theirs.points, (left, right), kinds)]


def _spreads(view: View) -> Spreads:
    """Return what varies with the seed: "runs" if runs with one seed have nothing in common."""
    if view.measure == "training":
        return "trainings"
    parts = view.measure == "scores" and any(part != base_of(part) for part in view.parts)
    return "parts" if parts else "runs"


def _sample(sign: int, points: Points, sides: Sequence[Side], kinds: Kinds) -> Sample:
    """Return a sample of one side, or of the differences of two sides.

    The name of the sample does not depend on the order of the sides.
    """
    view = sides[0][0]
    stochastic = any(method in kinds.stochastic for _, method in sides)
    place = view.base if view.measure in ("scores", "training") else view.parts[0]
    stratum = Stratum(place, _spreads(view), stochastic and view.measure != "neighbours")
    name = tuple(
        text for pair in sorted((each.name, method) for each, method in sides) for text in pair
    )
    return Sample(sign, points, place, stratum, name)
