"""What the paper says by comparing methods, judged on our own runs.

A claim is data: the paper's words, the method that is said to be better, `left`, and those it is
compared with, `right`, on some corpora or subsets of them. Each pair on each corpus is tested; the
p-values of all pairs are one family (Holm). A claim holds on a corpus if all its pairs do.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.evaluation.significance import LEVEL, Difference, Hits, compare, holm
from pte.files import read_json

REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE = "reproduced", "not reproduced", "inconclusive"
NOT_RUN, UNAVAILABLE = "not yet run", "cannot be run here"
JUDGED = (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE)
VERDICTS = (*JUDGED, NOT_RUN, UNAVAILABLE)
MARGIN = 1.0
"""Points of micro-F1 within which methods are comparable, where a claim does not say."""

COLUMNS = ["claim", "corpus", "left", "right"]
COLUMNS += ["effect", "low", "high", "p", "p_holm", "verdict", "reason"]


@dataclass(frozen=True)
class Runs:
    """The runs of a method on a corpus, by rising seed: `hits`, shape (seeds, documents).

    Without seeds, a single run stands for those of any.
    """

    seeds: tuple[int, ...] | None
    hits: Hits
    seconds: NDArray[np.float64]

    def beside(self, other: "Runs") -> "Runs":
        """Those of the seeds that `other` has, too."""
        if self.seeds is None or other.seeds is None:
            return self
        both = [i for i, seed in enumerate(self.seeds) if seed in other.seeds]
        return Runs(tuple(self.seeds[i] for i in both), self.hits[both], self.seconds[both])


Found = dict[tuple[str, str], list[tuple[int, Hits, float]]]
"""By corpus and method: the seed, the hits, shape (documents,), and the seconds of each run."""


def collect_runs(
    score_files: Iterable[Path],
    truth: Mapping[str, NDArray[np.int32]],
    setting: str,
    unseeded: Collection[str] = (),
) -> dict[tuple[str, str], Runs]:
    """By corpus and method, the runs with one classifier setting, in the order of their seeds.

    The subsets of all seeds are one corpus, by their name without a seed. `truth` has the classes
    of the test documents of each corpus, which are those of its subsets. Runs without a score are
    left out. `unseeded` names methods that need no seed; one run of a corpus stands for all.
    """
    found: Found = {}
    for path in score_files:
        run = read_json(path)
        if run["setting"] != setting or "unavailable" in run:
            continue
        subset = Subset.parse(run["corpus"])
        hits = np.load(path.with_suffix(".npy")) == truth[subset.base]
        seconds = np.nan if run["train_seconds"] is None else run["train_seconds"]
        key = (replace(subset, seed=None).name, run["method"])
        found.setdefault(key, []).append((run["seed"], hits, seconds))
    return {
        (corpus, method): replace(runs, seeds=None) if alone else runs
        for (corpus, method), runs in _by_seed(found).items()
        for alone in [method in unseeded and corpus in truth]
    }


def collect_checkpoints(
    files: Iterable[Path], truth: Mapping[str, NDArray[np.int32]]
) -> dict[tuple[str, str], Runs]:
    """Checkpoints of trainings of PTE(joint), by the name of `checkpoint` and the method.

    Each file has the runs of one seed, in the order of their samples, and beside it a row of
    predictions for each.
    """
    found: Found = {}
    for path in files:
        runs, predicted = read_json(path)["runs"], np.load(path.with_suffix(".npy"))
        for run, row in zip(runs, predicted, strict=True):
            key = (checkpoint(run["corpus"], run["part"]), "pte_joint")
            hits = row == truth[run["corpus"]]
            found.setdefault(key, []).append((run["seed"], hits, np.nan))
    return _by_seed(found)


def _by_seed(found: Found) -> dict[tuple[str, str], Runs]:
    runs = {}
    for key, each in found.items():
        seeds, hits, seconds = zip(*sorted(each, key=lambda run: run[0]), strict=True)
        runs[key] = Runs(seeds, np.stack(hits), np.array(seconds, np.float64))
    return runs


def judge(
    claims: Mapping[str, Mapping[str, Any]],
    runs: Mapping[tuple[str, str], Runs],
    unavailable: Mapping[str, str],
) -> pd.DataFrame:
    """A row for each claim, corpus and method on the right, with a verdict.

    `effect` is left minus right in points with the interval `low` to `high`, and for `faster` how
    many times as long right took, lowest and highest over the seeds. `p` and `p_holm` are empty
    where nothing was tested. `unavailable` names corpora that cannot be run, and why.
    """
    rows = [
        {"claim": name, "corpus": corpus, "left": claim["left"], "right": right}
        | _measured(claim, runs, corpus, right, unavailable)
        for name, claim in claims.items()
        for corpus in claim["corpora"]
        for right in claim["right"]
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    tested = frame["p"].notna()
    frame.loc[tested, "p_holm"] = holm(frame.loc[tested, "p"].tolist())
    frame["verdict"] = [
        _verdict(claims[row["claim"]], row) if pd.isna(row["verdict"]) else row["verdict"]
        for row in frame.to_dict("records")
    ]
    return frame


def views(claim: Mapping[str, Any], corpus: str) -> tuple[str, str]:
    """Where left and right are measured: on the corpus; right on what `right_with` says of it.

    If that is a part of the samples, left is measured at the end of the longest training, and right
    at that part of it: checkpoints, as `collect_checkpoints` names them.
    """
    other = dict(claim.get("right_with", {}))
    if "samples" in other:
        return checkpoint(corpus, 1), checkpoint(corpus, other["samples"])
    return corpus, replace(Subset.parse(corpus), **other).name


def checkpoint(corpus: str, part: float) -> str:
    """The name of a corpus after a part of the longest training on it."""
    return f"{corpus} at {part:g} T"


def of_claims(pairs: pd.DataFrame) -> pd.DataFrame:
    """A row for each claim and corpus: the verdict on all its pairs.

    It is not reproduced if one pair is not, and reproduced if all are.
    """
    verdicts = pairs.groupby(["claim", "corpus"], sort=False)["verdict"].agg(_together)
    return verdicts.reset_index()


def _measured(
    claim: Mapping[str, Any],
    runs: Mapping[tuple[str, str], Runs],
    corpus: str,
    right: str,
    unavailable: Mapping[str, str],
) -> dict[str, Any]:
    if corpus in unavailable:
        return {"verdict": UNAVAILABLE, "reason": unavailable[corpus]}
    here, there = views(claim, corpus)
    ours, others = runs.get((here, claim["left"])), runs.get((there, right))
    if ours is None or others is None:
        missing = f"{claim['left']} on {here}" if ours is None else f"{right} on {there}"
        return {"verdict": NOT_RUN, "reason": f"no scores of {missing}"}
    ours, others = ours.beside(others), others.beside(ours)
    if not ours.hits.size:
        reason = f"{claim['left']} and {right} have no seed in common"
        return {"verdict": NOT_RUN, "reason": reason}
    if claim["relation"] == "faster":
        ratios = others.seconds / ours.seconds
        return {"effect": np.median(ratios), "low": ratios.min(), "high": ratios.max()}
    try:
        difference: Difference = compare(ours.hits, others.hits)
    except PteError as error:
        raise PteError(f"{corpus}: {claim['left']} and {right}: {error}") from error
    return vars(difference)


def _verdict(claim: Mapping[str, Any], row: Mapping[Any, Any]) -> str:
    relation, low, high = claim["relation"], row["low"], row["high"]
    margin, factor = claim.get("margin", MARGIN), claim.get("factor", 1.0)
    differs = row["p_holm"] < LEVEL
    above, below = differs and row["effect"] > 0, differs and row["effect"] < 0
    holds, fails = {
        "above": (above, below),
        "not_above": (high < margin, above),
        "comparable": (-margin < low and high < margin, low > margin or high < -margin),
        "faster": (low >= factor, high < factor),
    }[relation]
    return REPRODUCED if holds else NOT_REPRODUCED if fails else INCONCLUSIVE


def _together(verdicts: "pd.Series[str]") -> str:
    found = set(verdicts)
    for verdict in (UNAVAILABLE, NOT_RUN, NOT_REPRODUCED, INCONCLUSIVE):
        if verdict in found:
            return verdict
    return REPRODUCED
