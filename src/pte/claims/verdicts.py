"""What the paper says by comparing methods, judged on our own runs.

Each pair of a claim is measured on each corpus, and its difference is tested against what the
relation names. The p-values of the paper's claims are one family (Holm), and those of a plugin's
claims are another. A claim holds on a corpus if all its pairs do.

Some corpora stand in for one of the paper's that is not to be had. Verdicts on these are made in
the same way and apart: their tests are a family of their own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.claims import relations
from pte.claims.claim import PAPER, Claim
from pte.claims.pairing import (
    Outcomes,
    Side,
    collect_checkpoints,
    collect_runs,
    collect_unavailable,
    compared,
    paired,
    read_truth,
)
from pte.claims.relations import Measured
from pte.claims.significance import LEVEL, common_spread, compare, holm, seed_spread
from pte.corpora.subsets import Subset

REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE = "reproduced", "not reproduced", "inconclusive"
NOT_RUN, UNAVAILABLE = "not yet run", "cannot be run here"
JUDGED = (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE)
VERDICTS = (*JUDGED, NOT_RUN, UNAVAILABLE)

PAIR = ["left", "left_on", "right", "right_on"]
HYPOTHESIS = [*PAIR, "relation", "bound"]
"""Two claims with the same values of these say the same."""
MEASURED = ["seeds", "effect", "low", "high", "p"]
COLUMNS = ["claim", "corpus", *HYPOTHESIS, *MEASURED, "p_holm", "verdict", "reason", "stand_in"]
ON_A_STAND_IN = "judged on a stand-in"
"""The reason that stands beside verdicts of this kind."""

Reasons = Mapping[str | Side, str]
"""Why a corpus, or a method on a corpus, cannot be run."""


@dataclass(frozen=True)
class Evidence:
    """The files that claims are judged on.

    `corpora` are the folders of encoded corpora that the scores and checkpoints are of, and
    `method` is the one that has checkpoints.
    """

    scores: Sequence[Path]
    checkpoints: Sequence[Path]
    corpora: Sequence[Path]
    method: str


def judge_settings(
    claims: Mapping[str, Claim],
    evidence: Evidence,
    settings: Sequence[str],
    unavailable: Mapping[str, str],
    unseeded: Collection[str],
) -> dict[str, pd.DataFrame]:
    """Judge the claims with each classifier setting, on files; see `judge`.

    `unavailable` says why a corpus cannot be had, and `unseeded` names the methods that need no
    seed. Checkpoints have the setting "paper" alone, so other settings leave out their claims.
    """
    truth = read_truth(evidence.corpora)
    checkpoints = collect_checkpoints(evidence.checkpoints, truth, evidence.method)
    reasons: dict[str | Side, str] = dict(unavailable.items())
    reasons.update(collect_unavailable(evidence.scores))
    return {
        setting: judge(
            claims if setting == "paper" else without_checkpoints(claims),
            collect_runs(evidence.scores, truth, setting, unseeded) | checkpoints,
            reasons,
        )
        for setting in settings
    }


def judge(
    claims: Mapping[str, Claim], runs: Mapping[Side, Outcomes], unavailable: Reasons
) -> pd.DataFrame:
    """Judge the claims of each source as one family; see `judge_family`."""
    found = [judge_family(family, runs, unavailable) for family in families(claims)]
    return pd.concat(found, ignore_index=True) if len(found) > 1 else found[0]


def families(claims: Mapping[str, Claim]) -> list[dict[str, Claim]]:
    """Return the claims by source, the paper's first; without claims, one empty family."""
    sources = dict.fromkeys([PAPER, *(claim.source for claim in claims.values())])
    parts = [{n: c for n, c in claims.items() if c.source == source} for source in sources]
    return [part for part in parts if part] or [{}]


def judge_family(
    claims: Mapping[str, Claim], runs: Mapping[Side, Outcomes], unavailable: Reasons
) -> pd.DataFrame:
    """Return a row for each claim, corpus and method on the right, with a verdict.

    The row says which methods are compared, `left` and `right`, and where each is measured,
    `left_on` and `right_on`. `bound` is the points or the factor that `relation` is about. For
    scores, `effect` is left minus right in points, with the interval `low` to `high`. For seconds,
    it is how many times as long right took, in the median, with the extremes over the `seeds`. `p`
    and `p_holm` are empty where nothing was tested. If two claims test the same, the test counts
    once in the family. `stand_in` names the corpus of the paper that the row's stands in for.
    """
    rows = [
        {"claim": name, "corpus": corpus} | pair | _found(pair, corpus, runs, unavailable)
        for name, claim in claims.items()
        for corpus in claim.corpora
        for right in claim.right
        for pair in [_hypothesis(claim, corpus, right)]
    ]
    for family in _families(rows):
        tested = [row for row in family if "wins" in row]
        pairs = {tuple(row[name] for name in PAIR): row["wins"] for row in tested}
        spread = common_spread([seed_spread(wins) for wins in pairs.values()])
        for row in tested:
            wins = row.pop("wins")
            row |= vars(compare(wins, _null(row | {"effect": float(wins.mean())}), spread))
    return in_families(pd.DataFrame(rows, columns=COLUMNS))


def in_families(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the frame of `judge_family` with `p_holm` and verdicts, from what was measured.

    Rows in which nothing was measured keep their verdict and its reason.
    """
    rows = measured.to_dict("records")
    for family in _families(rows):
        _adjust(family)
    return pd.DataFrame(rows, columns=COLUMNS)


def _families(rows: Sequence[dict[Any, Any]]) -> list[list[dict[Any, Any]]]:
    """The rows on corpora of the paper, and those on stand-ins."""
    of_paper = [pd.isna(row["stand_in"]) for row in rows]
    return [
        [row for row, ours in zip(rows, of_paper, strict=True) if ours == kept]
        for kept in (True, False)
    ]


def _adjust(rows: Sequence[dict[Any, Any]]) -> None:
    """Adjust the p-values of a family, and give its rows their verdicts."""
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


def beside_earlier(judged: pd.DataFrame, earlier: pd.DataFrame) -> pd.DataFrame:
    """Fill `judged` with what an `earlier` frame measured, and adjust all p-values together.

    A row is taken from `earlier` if `judged` did not measure it, or did on fewer seeds. Rows match
    if they compare the same, whichever claim asks. The spread over seeds that pairs borrow from
    each other stays that of the run they come from.
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
    return in_families(judged.assign(**together.loc[judged.index]))


def without_checkpoints(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """Leave out the claims about parts of the samples."""
    return {name: claim for name, claim in claims.items() if claim.part_of_samples is None}


def of_claims(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each claim and corpus, with the verdict on all its pairs.

    A claim is not reproduced if one of its pairs is not, whatever the others are. It is reproduced
    if all its pairs are.
    """
    verdicts = pairs.groupby(["claim", "corpus"], sort=False)["verdict"].agg(_together)
    return verdicts.reset_index()


def _found(
    pair: Mapping[str, Any], corpus: str, runs: Mapping[Side, Outcomes], unavailable: Reasons
) -> dict[str, Any]:
    """Return what was measured of a pair, or why nothing was."""
    left, here, right, there = (pair[name] for name in PAIR)
    base = Subset.parse(corpus).base
    for key in (base, (here, left), (there, right)):
        if key in unavailable:
            of_paper = unavailable.get(pair["stand_in"] or base) if key == base else None
            return {"verdict": UNAVAILABLE, "reason": of_paper or unavailable[key]}
    both = paired((here, left), (there, right), runs)
    if isinstance(both, str):
        return {"verdict": NOT_RUN, "reason": both}
    found: dict[str, Any] = {"seeds": None if both.seeds is None else len(both.seeds)}
    if pair["stand_in"] is not None:
        found["reason"] = ON_A_STAND_IN
    if relations.named(pair["relation"]).compares == "scores":
        return found | {"wins": compared(corpus, left, right, both)}
    ratios = both.ratios()
    if np.isnan(ratios).any():
        reason = f"no seconds of training of {left} or {right}"
        return {"verdict": NOT_RUN, "reason": reason}
    return found | {"effect": np.median(ratios), "low": ratios.min(), "high": ratios.max()}


def _hypothesis(claim: Claim, corpus: str, right: str) -> dict[str, Any]:
    """Return what a claim says of a pair."""
    here, there = claim.views(corpus)
    return {
        "left": claim.left,
        "left_on": here,
        "right": right,
        "right_on": there,
        "relation": claim.relation,
        "bound": claim.bound,
        "stand_in": claim.stand_in_for.get(corpus),
    }


def _null(row: Mapping[Any, Any]) -> float:
    """Return the difference that separates what the claim says from the contrary."""
    return relations.named(row["relation"]).null(float(row["effect"]), float(row["bound"]))


def _verdict(row: Mapping[Any, Any]) -> str:
    relation = relations.named(row["relation"])
    effect, low, high, bound = (row[name] for name in ("effect", "low", "high", "bound"))
    measured = Measured(effect, low, high, bound, differs=row["p_holm"] < LEVEL)
    if relation.holds(measured):
        return REPRODUCED
    return NOT_REPRODUCED if relation.fails(measured) else INCONCLUSIVE


def _together(verdicts: "pd.Series[str]") -> str:
    found = set(verdicts)
    for verdict in (NOT_REPRODUCED, UNAVAILABLE, NOT_RUN, INCONCLUSIVE):
        if verdict in found:
            return verdict
    return REPRODUCED
