"""Verdicts on claims, from what was measured; docs/claims.md declares the tests.

A claim has a p-value for each question: does it hold, does its contrary, are both sides level?
The answers to a question on a corpus, by a metric, are a Holm family; plugins have their own."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from pte_study.claims.claim import MARGIN, RELATIONS, Claim, HoldsOn, base_of
from pte_study.claims.significance import LEVEL, NORMAL, Answers, Estimate, answers, fails, holm

REPRODUCED, NOT_REPRODUCED, LEVEL_WITH = "reproduced", "not reproduced", "level"
TOO_FEW_DOCUMENTS, TOO_FEW_SEEDS = "too few documents", "too few seeds"
NOT_RUN, UNAVAILABLE = "not yet run", "cannot be run here"
JUDGED = (REPRODUCED, NOT_REPRODUCED, LEVEL_WITH, TOO_FEW_DOCUMENTS, TOO_FEW_SEEDS)
VERDICTS = (*JUDGED, NOT_RUN, UNAVAILABLE)
IN_PART, INCONCLUSIVE = "reproduced in part", "inconclusive"
_CONCLUDED = (REPRODUCED, IN_PART, LEVEL_WITH, NOT_REPRODUCED, INCONCLUSIVE)
SENTENCE_VERDICTS = (*_CONCLUDED, NOT_RUN, UNAVAILABLE)

CLAIMED = ["source", "claim", "corpus", "metric"]
HYPOTHESIS = ["left", "left_on", "right", "right_on", "beyond", "metric", "relation", "bound"]
"""Equal in claims that say the same."""
ESTIMATED = ["effect", "error", "df", "of_documents"]  # fields of `Estimate`: all p-values follow
MEASURED = ["seeds", *ESTIMATED, "low", "high"]
ANSWERS = list(Answers._fields)
ADJUSTED = [f"{name}_holm" for name in ANSWERS]
COLUMNS = [*CLAIMED, *HYPOTHESIS[:5], "overall", "relation", "bound", *MEASURED, *ANSWERS]
COLUMNS += [*ADJUSTED, "verdict", "reason", "stand_in"]

MOST_SEEDS = 1000  # the largest number of seeds that is named
PairRow = dict[Any, Any]


def in_families(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the frame of `judge` with all p-values and verdicts, from what was measured."""
    rows: list[PairRow] = measured.to_dict("records")
    families: dict[Any, dict[Any, list[PairRow]]] = {}
    for row in rows:
        of_family = (row["source"], base_of(row["corpus"]), row["metric"])
        family = families.setdefault(of_family, {})
        family.setdefault(tuple(row[key] for key in CLAIMED), []).append(row)
    for of_claim in families.values():
        _answer(list(of_claim.values()))
    return pd.DataFrame(rows, columns=COLUMNS)


def _answer(of_claims: Sequence[list[PairRow]]) -> None:
    same = [hypothesis(rows) for rows in of_claims]
    found = {key: _answers(rows) for key, rows in zip(same, of_claims, strict=True)}
    adjusted: dict[Any, PairRow] = {key: {} for key in found}
    for question, name in zip(ANSWERS, ADJUSTED, strict=True):
        p = {k: each for k, a in found.items() if not math.isnan(each := getattr(a, question))}
        for key, value in zip(p, holm(list(p.values())), strict=True):
            adjusted[key][name] = value
    for key, rows in zip(same, of_claims, strict=True):
        values = dict.fromkeys(ADJUSTED, np.nan) | found[key]._asdict() | adjusted[key]
        verdict = _verdict(values, rows)
        for row in rows:
            row |= values | ({} if pd.isna(row["effect"]) else {"reason": None})
        if verdict is None:
            verdict, deciding(rows)["reason"] = lacking(rows, len(found))
        for row in rows:
            if not pd.isna(row["effect"]):
                row["verdict"] = verdict


def hypothesis(rows: Sequence[Mapping[Any, Any]]) -> tuple[str, ...]:
    """Return what the rows of a claim say; two claims that say the same are one test."""
    return tuple(sorted(str([row[key] for key in HYPOTHESIS]) for row in rows))


def _answers(rows: Sequence[PairRow]) -> Answers:
    relation, bound = RELATIONS[rows[0]["relation"]], float(rows[0]["bound"])
    parts = [row for row in rows if not row["overall"]]
    grid: dict[str, dict[str, list[Estimate]]] = {row["left"]: {} for row in parts}
    measured = [row for row in parts if not pd.isna(row["effect"])]
    for row in measured:
        found = Estimate(*(float(row[name]) for name in ESTIMATED))
        grid[row["left"]].setdefault(row["right"], []).append(found)
    known = [list(opponents.values()) for opponents in grid.values()]
    if len(measured) == len(parts):
        return answers(known, relation, bound)
    contrary = fails(known, relation.region(bound)) if all(known) else math.nan
    return Answers(math.nan, contrary, math.nan)


def _verdict(values: Mapping[str, float], rows: Sequence[PairRow]) -> str | None:
    """Return the verdict of a claim; None if all was measured, and is not enough."""
    if values["p_holm"] < LEVEL:
        return REPRODUCED
    if values["p_contrary_holm"] < LEVEL:
        return NOT_REPRODUCED
    if values["p_level_holm"] < LEVEL:
        return LEVEL_WITH
    missing = {row["verdict"] for row in rows if pd.isna(row["effect"])}
    return next((each for each in (UNAVAILABLE, NOT_RUN) if each in missing), None)


def slack(row: Mapping[Any, Any]) -> float:
    """Return how far a difference lies inside the region of its relation, below 0 if outside."""
    low, high = RELATIONS[row["relation"]].region(float(row["bound"]))
    return float(min(row["effect"] - low, high - row["effect"]))


def sureness(row: Mapping[Any, Any]) -> float:
    inside, error = slack(row), float(row["error"])
    return inside / error if error else math.copysign(math.inf, inside) if inside else 0.0


def deciding(rows: Sequence[PairRow]) -> PairRow:
    """Return the surest of each left method's hardest pairs; the first row if none was measured."""
    measured = [row for row in rows if not row["overall"] and not pd.isna(row["effect"])]
    if not measured:
        return rows[0]
    hardest: dict[str, PairRow] = {}
    for row in measured:
        if row["left"] not in hardest or sureness(row) < sureness(hardest[row["left"]]):
            hardest[row["left"]] = row
    return max(hardest.values(), key=sureness)


def lacking(rows: Sequence[PairRow], tests: int) -> tuple[str, str]:
    """Return the verdict on a claim without result, and its reason: few seeds, or few documents.
    If the pair that decides tells against the claim, its method's pairs on the right count."""
    row = deciding(rows)
    if slack(row) < 0:
        tests *= sum(each["left"] == row["left"] and not each["overall"] for each in rows)
    distance = abs(slack(row))
    if RELATIONS[row["relation"]].has_level:
        distance = max(distance, MARGIN - abs(row["effect"]))
    critical = -float(special.ndtri(LEVEL / tests))
    if pd.isna(row["seeds"]) or critical * row["of_documents"] >= distance:
        return TOO_FEW_DOCUMENTS, _shows(row, critical * row["of_documents"])
    seeds = np.arange(int(row["seeds"]) + 1, MOST_SEEDS + 1)
    more = seeds / row["seeds"]
    of_seeds = (row["error"] ** 2 - row["of_documents"] ** 2) / more
    reach = special.stdtrit(np.minimum(NORMAL, row["df"] * more), 1 - LEVEL / tests)
    enough = seeds[reach * np.sqrt(row["of_documents"] ** 2 + of_seeds) <= distance]
    said = f"about {enough[0]}" if enough.size else f"more than {MOST_SEEDS}"
    return TOO_FEW_SEEDS, f"{said} would be enough"


def _shows(row: Mapping[Any, Any], reach: float) -> str:
    """Say which differences test documents show, if only those so far from a bound can be seen."""
    low, high = RELATIONS[row["relation"]].region(float(row["bound"]))
    ends = [end for end in (low, high) if math.isfinite(end)]
    wide = math.isfinite(high - low) and high - low > 2 * reach
    between = [low + reach, high - reach] if wide else []
    values = [min(ends) - reach, max(ends) + reach, *between]
    below, above, *inner = (f"{value:+.1f}".replace("-", "−") for value in values)
    said = f" or between {' and '.join(inner)}" if inner else ""
    return f"only below {below} or above {above}{said} would show"


def of_claims(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each claim, corpus and metric, with the verdict."""
    keys = [key for key in CLAIMED if key in pairs]
    verdicts = pairs.groupby(keys, sort=False)["verdict"].agg(_together)
    return verdicts.reset_index()


def of_tests(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `of_claims`, but two claims that say the same on a corpus once."""
    said = {
        name: hypothesis(rows[~rows["overall"].astype(bool)].to_dict("records"))
        for name, rows in pairs.groupby(CLAIMED, sort=False)
    }
    judged = of_claims(pairs)
    same = [said[name] for name in judged[CLAIMED].itertuples(index=False, name=None)]
    return judged[~pd.Series(same, judged.index, dtype=object).duplicated()]


def _together(verdicts: "pd.Series[str]") -> str:
    order = (NOT_REPRODUCED, UNAVAILABLE, NOT_RUN, *JUDGED[:1:-1], REPRODUCED)
    return min(set(verdicts), key=order.index)


def of_sentences(pairs: pd.DataFrame, claims: Mapping[str, Claim]) -> pd.DataFrame:
    """Return a row for each sentence, on the paper's corpora and on stand-ins apart."""
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
        verdict = _sentence_verdict(p, list(group["verdict"]))
        rows.append((one.source, one.section, one.quotation, stand_ins, *p, verdict))
    columns = ["source", "section", "quotation", "stand_ins", *ADJUSTED, "verdict"]
    return pd.DataFrame(rows, columns=columns)


def at_least(p_values: Iterable[float], many: int) -> float:
    """Return the p-value that at least so many of some claims hold (Benjamini and Heller 2008)."""
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


def _sentence_verdict(p_values: tuple[float, float, float], verdicts: Sequence[str]) -> str:
    words = (REPRODUCED, NOT_REPRODUCED, LEVEL_WITH)
    found = next((w for w, p in zip(words, p_values, strict=True) if p < LEVEL), None)
    if found:
        return found
    if set(verdicts) <= {NOT_RUN, UNAVAILABLE}:
        return min(verdicts, key=SENTENCE_VERDICTS.index)
    return IN_PART if REPRODUCED in verdicts and NOT_REPRODUCED not in verdicts else INCONCLUSIVE
