"""Verdicts on whole sentences of the paper, from the verdicts on each corpus.

Several claims may have the quotation of one sentence, and a claim is about several corpora. The
p-values here are those that are adjusted for all claims on a corpus.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from pte_study.claims.claim import Claim, HoldsOn
from pte_study.claims.significance import LEVEL
from pte_study.claims.verdicts import (
    ADJUSTED,
    CLAIMED,
    LEVEL_WITH,
    NOT_REPRODUCED,
    NOT_RUN,
    REPRODUCED,
    UNAVAILABLE,
    of_claims,
)

IN_PART, INCONCLUSIVE = "reproduced in part", "inconclusive"
SENTENCE_VERDICTS = (
    REPRODUCED,
    IN_PART,
    LEVEL_WITH,
    NOT_REPRODUCED,
    INCONCLUSIVE,
    NOT_RUN,
    UNAVAILABLE,
)


def of_sentences(pairs: pd.DataFrame, claims: Mapping[str, Claim]) -> pd.DataFrame:
    """Return a row for each sentence, on the paper's corpora and on stand-ins apart.

    `pairs` is a frame of `pte_study.claims.judging.judge`. The columns are the `source`, the
    `section` and the `quotation` of the sentence, whether stand-ins are meant (`stand_ins`), the
    p-values of the sentence and its `verdict`. Corpora that cannot be run are left out.
    """
    first = pairs.drop_duplicates(CLAIMED).drop(columns="verdict")
    cells = first.merge(of_claims(pairs), on=CLAIMED)
    absent = cells["verdict"] == UNAVAILABLE
    cells = cells[~absent | absent.groupby(cells["claim"]).transform("all")]
    quotations = cells["claim"].map(lambda name: claims[name].quotation)
    keys = [cells["source"], quotations, cells["stand_in"].notna()]
    rows = []
    for _, group in cells.groupby(keys, sort=False):
        ours = {name: claims[str(name)] for name in group["claim"].unique()}
        of_each = [
            _p_values(group[group["claim"] == name], claim.holds_on) for name, claim in ours.items()
        ]
        p, one = together(of_each), next(iter(ours.values()))
        stand_ins = bool(group["stand_in"].notna().any())
        verdict = _verdict(p, list(group["verdict"]))
        rows.append((one.source, one.section, one.quotation, stand_ins, *p, verdict))
    columns = ["source", "section", "quotation", "stand_ins", *ADJUSTED, "verdict"]
    return pd.DataFrame(rows, columns=columns)


def at_least(p_values: Iterable[float], many: int) -> float:
    """Return the p-value of the claim that at least so many of some claims hold.

    It is the `many`-th smallest p-value, times the number of p-values that are not smaller
    (Benjamini and Heller 2008). NaN counts as 1.
    """
    p = sorted(1.0 if math.isnan(each) else each for each in p_values)
    return min(1.0, (len(p) - many + 1) * p[many - 1])


def _p_values(cells: pd.DataFrame, holds_on: HoldsOn) -> tuple[float, float, float]:
    """Return the p-values of a claim over its corpora: it holds, its contrary does, it is level."""
    n = len(cells)
    needed = {"each": n, "most": n // 2 + 1, "one": 1}[holds_on]
    p, contrary, level = (cells[name] for name in ADJUSTED)
    return at_least(p, needed), at_least(contrary, n - needed + 1), at_least(level, n)


def together(of_claims: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """Return the p-values of a sentence that states several claims: each of them must hold."""
    n = len(of_claims)
    p, contrary, level = zip(*of_claims, strict=True)
    return at_least(p, n), at_least(contrary, 1), at_least(level, n)


def _verdict(p_values: tuple[float, float, float], verdicts: Sequence[str]) -> str:
    words = (REPRODUCED, NOT_REPRODUCED, LEVEL_WITH)
    found = next((w for w, p in zip(words, p_values, strict=True) if p < LEVEL), None)
    if found:
        return found
    if set(verdicts) <= {NOT_RUN, UNAVAILABLE}:
        return min(verdicts, key=SENTENCE_VERDICTS.index)
    return IN_PART if REPRODUCED in verdicts and NOT_REPRODUCED not in verdicts else INCONCLUSIVE
