"""What the paper says by comparing methods, judged on our own runs.

A claim is data: the paper's words, the method that is said to be better, `left`, and those it is
compared with, `right`, on some corpora or subsets of them. Each pair's difference on each corpus
is tested against 0, or against the margin of what counts as comparable. The p-values of all that is
tested are one family (Holm). A claim holds on a corpus if all its pairs do.
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
from pte.evaluation.significance import (
    LEVEL,
    Hits,
    common_spread,
    compare,
    differences,
    holm,
    seed_spread,
)
from pte.files import read_json
from pte.report.sides import checkpoint, part_of_samples, views

REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE = "reproduced", "not reproduced", "inconclusive"
NOT_RUN, UNAVAILABLE = "not yet run", "cannot be run here"
JUDGED = (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE)
VERDICTS = (*JUDGED, NOT_RUN, UNAVAILABLE)
MARGIN = 1.0
"""Points of micro-F1 within which methods are comparable, where a claim does not say."""

PAIR = ["left", "left_on", "right", "right_on"]
HYPOTHESIS = [*PAIR, "relation", "bound"]
"""Two claims with the same of these say the same."""
MEASURED = ["seeds", "effect", "low", "high", "p"]
COLUMNS = ["claim", "corpus", *HYPOTHESIS, *MEASURED, "p_holm", "verdict", "reason"]


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


def collect_unavailable(score_files: Iterable[Path]) -> dict[tuple[str, str], str]:
    """By corpus and method, why it could not be run. The subsets of all seeds are one corpus."""
    reasons = {}
    for path in score_files:
        run = read_json(path)
        if "unavailable" in run:
            subset = Subset.parse(run["corpus"])
            reasons[replace(subset, seed=None).name, run["method"]] = str(run["unavailable"])
    return reasons


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
    unavailable: Mapping[str | tuple[str, str], str],
) -> pd.DataFrame:
    """A row for each claim, corpus and method on the right, with a verdict.

    What is compared is `left`, where it is measured, `left_on`, and so of the right; `bound` is the
    points or the factor that `relation` is about. `effect` is left minus right in points with the
    interval `low` to `high`, and for `faster` how many times as long right took, lowest and highest
    over the `seeds`. `p` and `p_holm` are empty where nothing was tested. What two claims both test
    is one member of the family. `unavailable` says why a corpus, or a method on a corpus, cannot be
    run.
    """
    rows = [
        {"claim": name, "corpus": corpus} | pair | _found(pair, corpus, runs, unavailable)
        for name, claim in claims.items()
        for corpus in claim["corpora"]
        for right in claim["right"]
        for pair in [_hypothesis(claim, corpus, right)]
    ]
    tested = [row for row in rows if "wins" in row]
    pairs = {tuple(row[name] for name in PAIR): row["wins"] for row in tested}
    spread = common_spread([seed_spread(wins) for wins in pairs.values()])
    for row in tested:
        wins = row.pop("wins")
        row |= vars(compare(wins, _null(row | {"effect": float(wins.mean())}), spread))
    return as_one_family(pd.DataFrame(rows, columns=COLUMNS))


def as_one_family(measured: pd.DataFrame) -> pd.DataFrame:
    """The frame of `judge` with `p_holm` and verdicts, from what was measured and its `p`.

    Rows in which nothing was measured keep their verdict and its reason.
    """
    rows = measured.to_dict("records")
    tested = {
        i: (*(row[name] for name in PAIR), _null(row))
        for i, row in enumerate(rows)
        if not pd.isna(row["p"])
    }
    p_values = {hypothesis: rows[i]["p"] for i, hypothesis in tested.items()}
    adjusted = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    for i, row in enumerate(rows):
        if not pd.isna(row["effect"]):
            row["p_holm"] = adjusted.get(tested.get(i, ()), np.nan)
            row["verdict"] = _verdict(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def beside_earlier(judged: pd.DataFrame, earlier: pd.DataFrame) -> pd.DataFrame:
    """`judged` with what an `earlier` frame measured, and it did not or on fewer seeds: one family.

    They are matched by what is compared, whichever claim asks. The spread over seeds that pairs
    borrow from each other stays that of the run they are of.
    """
    measured = earlier.dropna(subset="effect").drop_duplicates(HYPOTHESIS)
    theirs = judged[HYPOTHESIS].merge(measured, how="left", on=HYPOTHESIS)
    theirs.index = judged.index
    fewer = judged["effect"].isna() | (judged["seeds"] < theirs["seeds"])
    taken = theirs["effect"].notna() & fewer
    if not taken.any():
        return judged
    columns = [*MEASURED, "reason"]
    together = pd.concat([judged.loc[~taken, columns], theirs.loc[taken, columns]])
    return as_one_family(judged.assign(**together.loc[judged.index]))


def without_checkpoints(claims: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The claims that are not about parts of the samples: these have the paper's setting alone."""
    return {name: claim for name, claim in claims.items() if part_of_samples(claim) is None}


def of_claims(pairs: pd.DataFrame) -> pd.DataFrame:
    """A row for each claim and corpus: the verdict on all its pairs.

    It is not reproduced if one pair is not, whatever the others are, and reproduced if all are.
    """
    verdicts = pairs.groupby(["claim", "corpus"], sort=False)["verdict"].agg(_together)
    return verdicts.reset_index()


def _found(
    pair: Mapping[str, Any],
    corpus: str,
    runs: Mapping[tuple[str, str], Runs],
    unavailable: Mapping[str | tuple[str, str], str],
) -> dict[str, Any]:
    """The differences of a pair, or how many times as long right took, or why there is neither."""
    left, here, right, there = (pair[name] for name in PAIR)
    for key in (Subset.parse(corpus).base, (here, left), (there, right)):
        if key in unavailable:
            return {"verdict": UNAVAILABLE, "reason": unavailable[key]}
    ours, others = runs.get((here, left)), runs.get((there, right))
    if ours is None or others is None:
        missing = f"{left} on {here}" if ours is None else f"{right} on {there}"
        return {"verdict": NOT_RUN, "reason": f"no scores of {missing}"}
    ours, others = ours.beside(others), others.beside(ours)
    seeds = ours.seeds or others.seeds
    if seeds is not None and len(seeds) < 2:
        reason = f"{left} and {right} have fewer than two seeds in common"
        return {"verdict": NOT_RUN, "reason": reason}
    found: dict[str, Any] = {"seeds": None if seeds is None else len(seeds)}
    if pair["relation"] == "faster":
        ratios = others.seconds / ours.seconds
        if np.isnan(ratios).any():
            reason = f"no seconds of training of {left} or {right}"
            return {"verdict": NOT_RUN, "reason": reason}
        return found | {"effect": np.median(ratios), "low": ratios.min(), "high": ratios.max()}
    try:
        return found | {"wins": differences(ours.hits, others.hits)}
    except PteError as error:
        raise PteError(f"{corpus}: {left} and {right}: {error}") from error


def _hypothesis(claim: Mapping[str, Any], corpus: str, right: str) -> dict[str, Any]:
    """What a claim says of a pair."""
    here, there = views(claim, corpus)
    bounds = {"above": 0, "faster": claim.get("factor")}
    return {
        "left": claim["left"],
        "left_on": here,
        "right": right,
        "right_on": there,
        "relation": claim["relation"],
        "bound": float(bounds.get(claim["relation"], claim.get("margin", MARGIN))),
    }


def _null(row: Mapping[Any, Any]) -> float:
    """The difference that separates what the claim says from the contrary."""
    bound = float(row["bound"])
    return float(np.copysign(bound, row["effect"])) if row["relation"] == "comparable" else bound


def _verdict(row: Mapping[Any, Any]) -> str:
    effect, bound = row["effect"], row["bound"]
    if row["relation"] == "faster":
        holds, fails = row["low"] >= bound, row["high"] < bound
    else:
        said = {
            "above": effect > bound,
            "not_above": effect < bound,
            "comparable": abs(effect) < bound,
        }[row["relation"]]
        differs = row["p_holm"] < LEVEL
        holds, fails = differs and said, differs and not said
    return REPRODUCED if holds else NOT_REPRODUCED if fails else INCONCLUSIVE


def _together(verdicts: "pd.Series[str]") -> str:
    found = set(verdicts)
    for verdict in (NOT_REPRODUCED, UNAVAILABLE, NOT_RUN, INCONCLUSIVE):
        if verdict in found:
            return verdict
    return REPRODUCED
