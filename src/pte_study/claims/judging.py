"""The measurement of claims on runs, pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from pte_study.claims.claim import Claim, Pair, Side
from pte_study.claims.pairing import AllOutcomes, Key, Kinds, difference, on_all_splits
from pte_study.claims.points import METRICS
from pte_study.claims.significance import Sample, estimate, priors_by_stratum
from pte_study.claims.verdicts import COLUMNS, NOT_RUN, UNAVAILABLE, PairRow, in_families

Reasons = Mapping[str | Key, str]
"""The reasons why a corpus, or a method on a corpus, cannot be run."""
NO_KINDS = Kinds()


def judge(
    claims: Mapping[str, Claim],
    runs: AllOutcomes,
    unavailable: Reasons,
    kinds: Kinds = NO_KINDS,
    metric: str = METRICS[0],
    moderated: bool = True,
) -> pd.DataFrame:
    """Return a row for each claim, corpus and pair of methods, with the verdict on the claim.

    `left_on` and `right_on` say where each method is measured, and `beyond` says where the
    difference should be smaller. Rows whose `overall` is true compare means over the points of a
    claim, and have no part in its p-values. `bound` is the bound of `relation`. `effect` is left
    minus right in points. Its standard `error` has `df` degrees of freedom, and `of_documents` is
    the part of `error` that documents contribute. The 95 % interval is from `low` to `high`. Where
    seconds are compared, `effect` is the logarithm of right's seconds over left's seconds, and the
    metric of the row is "seconds". Seconds are judged beside the first metric alone.

    The p-values have the names of `pte_study.claims.answers.Answers`, and adjusted p-values end in
    `_holm`. All rows of a claim have the same p-values, which are empty where nothing was tested.
    `stand_in` names the corpus of the paper that the row's corpus stands in for. If `moderated` is
    false, the spread over seeds of a sample does not depend on other samples.
    """
    splits = {name: more for c in claims.values() for name, more in c.other_splits.items()}
    runs = on_all_splits(runs, splits)
    rows = [
        row | {"metric": "seconds" if claim.measure == "seconds" else metric}
        for name, claim in claims.items()
        if claim.measure != "seconds" or metric == METRICS[0]
        for corpus in claim.corpora
        for row in _pairs(name, claim.on_all_splits(corpus, runs), corpus, runs, unavailable, kinds)
    ]
    for source in {claim.source for claim in claims.values()}:
        _measure([row for row in rows if row["source"] == source and "samples" in row], moderated)
    return in_families(pd.DataFrame(rows, columns=COLUMNS))


def _measure(rows: Sequence[PairRow], moderated: bool) -> None:
    """Replace the samples of the rows of one source by estimates.

    If `moderated`, the spread over seeds of a sample depends on all samples of its stratum.
    """
    samples = [sample for row in rows for sample in row["samples"]]
    priors = priors_by_stratum(samples) if moderated else {}
    for row in rows:
        found = estimate(row.pop("samples"), priors)
        low, high = found.interval()
        row |= vars(found) | {"low": low, "high": high}


def _pairs(
    name: str, claim: Claim, corpus: str, runs: AllOutcomes, unavailable: Reasons, kinds: Kinds
) -> list[PairRow]:
    """Return the rows of a claim on a corpus, with samples or the reason why there are none."""
    stand_in = claim.stand_in_for.get(corpus)
    fixed: PairRow = {
        "source": claim.source,
        "claim": name,
        "corpus": corpus,
        "stand_in": stand_in,
    }
    fixed |= {"relation": claim.relation, "bound": claim.bound}
    rows = []
    for left in claim.left:
        elsewhere = {other: claim.pairs(other, left) for other in claim.beyond}
        for i, pair in enumerate(claim.pairs(corpus, left)):
            (here, _), (there, right) = pair.left, pair.right
            said = {"left": left, "left_on": here.name, "right": right, "right_on": there.name}
            for other in claim.beyond or [None]:
                pairs = [pair] if other is None else [pair, elsewhere[other][i]]
                found = _found(pairs, stand_in, runs, unavailable, kinds)
                rows.append(fixed | said | {"beyond": other, "overall": pair.overall} | found)
    return rows


def _found(
    pairs: Sequence[Pair],
    stand_in: str | None,
    runs: AllOutcomes,
    unavailable: Reasons,
    kinds: Kinds,
) -> PairRow:
    """Return the samples of a pair, or the reason why there are none.

    If there is a second pair, its samples are subtracted.
    """
    samples: list[Sample] = []
    for sign, (left, right, _) in zip((1, -1), pairs, strict=False):
        why = _why_not([left, right], stand_in, unavailable)
        if why:
            return {"verdict": UNAVAILABLE, "reason": why}
        found = difference(left, right, runs, kinds)
        if isinstance(found, str):
            return {"verdict": NOT_RUN, "reason": found}
        samples += [replace(each, sign=sign * each.sign) for each in found]
    seeds = [len(each.points) for each in samples if len(each.points) > 1]
    return {"samples": samples, "seeds": min(seeds, default=None)}


def _why_not(sides: Sequence[Side], stand_in: str | None, unavailable: Reasons) -> str | None:
    """Return why a corpus, or a method on it, cannot be run; None if all can be run."""
    base = sides[0][0].base
    if base in unavailable:
        return unavailable.get(stand_in or base) or unavailable[base]
    keys = [(part, method) for view, method in sides for part in view.parts]
    return next((unavailable[key] for key in keys if key in unavailable), None)
