"""Verdicts on claims, from what was measured; docs/claims.md declares how.

A claim has one p-value for each of three questions: is it so, is its contrary so, and are both
sides level? The answers to one question on one corpus, by one metric, are a family (Holm); a
plugin's claims are families of their own.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from pte.claims import relations
from pte.claims.answers import Answers, answers, fails
from pte.claims.claim import base_of
from pte.claims.relations import MARGIN
from pte.claims.significance import LEVEL, Estimate, holm

REPRODUCED, NOT_REPRODUCED, LEVEL_WITH = "reproduced", "not reproduced", "level"
INCONCLUSIVE = "inconclusive"
NOT_RUN, UNAVAILABLE = "not yet run", "cannot be run here"
JUDGED = (REPRODUCED, NOT_REPRODUCED, LEVEL_WITH, INCONCLUSIVE)
VERDICTS = (*JUDGED, NOT_RUN, UNAVAILABLE)

CLAIMED = ["source", "claim", "corpus", "metric"]
"""What tells the verdicts of a frame apart."""
HYPOTHESIS = ["left", "left_on", "right", "right_on", "beyond", "metric", "relation", "bound"]
"""Two claims whose pairs have the same values of these say the same."""
ESTIMATED = ["effect", "error", "df", "of_documents"]
"""The fields of `Estimate`, from which all p-values follow."""
MEASURED = ["seeds", *ESTIMATED, "low", "high"]
ANSWERS = list(Answers._fields)
ADJUSTED = [f"{name}_holm" for name in ANSWERS]
COLUMNS = [*CLAIMED, *HYPOTHESIS[:5], "relation", "bound", *MEASURED, *ANSWERS, *ADJUSTED]
COLUMNS += ["verdict", "reason", "stand_in"]

Row = dict[Any, Any]


def in_families(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the frame of `judge` with all p-values and verdicts, from what was measured.

    Rows in which nothing was measured keep their verdict and its reason. If two claims say the
    same, they count once.
    """
    rows: list[Row] = measured.to_dict("records")
    families: dict[Any, dict[Any, list[Row]]] = {}
    for row in rows:
        of_family = (row["source"], base_of(row["corpus"]), row["metric"])
        family = families.setdefault(of_family, {})
        family.setdefault(tuple(row[key] for key in CLAIMED), []).append(row)
    for of_claim in families.values():
        _answer(list(of_claim.values()))
    return pd.DataFrame(rows, columns=COLUMNS)


def _answer(of_claims: Sequence[list[Row]]) -> None:
    """Give the rows of each claim of a family their p-values and the verdict."""
    same = [tuple(sorted(str([row[k] for k in HYPOTHESIS]) for row in rows)) for rows in of_claims]
    found = {key: _answers(rows) for key, rows in zip(same, of_claims, strict=True)}
    adjusted: dict[Any, Row] = {key: {} for key in found}
    for question, name in zip(ANSWERS, ADJUSTED, strict=True):
        p = {k: each for k, a in found.items() if not math.isnan(each := getattr(a, question))}
        for key, value in zip(p, holm(list(p.values())), strict=True):
            adjusted[key][name] = value
    for key, rows in zip(same, of_claims, strict=True):
        values = dict.fromkeys(ADJUSTED, np.nan) | found[key]._asdict() | adjusted[key]
        verdict = _verdict(values, rows)
        for row in rows:
            row |= values
            if not pd.isna(row["effect"]):
                row |= {"verdict": verdict, "reason": None}
        if verdict == INCONCLUSIVE:
            deciding(rows)["reason"] = lacking(deciding(rows), len(found))


def _answers(rows: Sequence[Row]) -> Answers:
    """The p-values of a claim; if a pair is missing, that of the contrary at most."""
    relation, bound = relations.named(rows[0]["relation"]), float(rows[0]["bound"])
    grid: dict[str, list[Estimate]] = {row["left"]: [] for row in rows}
    for row in rows:
        if not pd.isna(row["effect"]):
            grid[row["left"]].append(Estimate(*(float(row[name]) for name in ESTIMATED)))
    known = list(grid.values())
    if sum(map(len, known)) == len(rows):
        return answers(known, relation, bound)
    contrary = fails(known, relation.region(bound)) if all(known) else math.nan
    return Answers(math.nan, contrary, math.nan)


def _verdict(values: Mapping[str, float], rows: Sequence[Row]) -> str:
    if values["p_holm"] < LEVEL:
        return REPRODUCED
    if values["p_contrary_holm"] < LEVEL:
        return NOT_REPRODUCED
    if values["p_level_holm"] < LEVEL:
        return LEVEL_WITH
    missing = {row["verdict"] for row in rows if pd.isna(row["effect"])}
    return next((each for each in (UNAVAILABLE, NOT_RUN) if each in missing), INCONCLUSIVE)


def slack(row: Mapping[Any, Any]) -> float:
    """Return how far a difference lies inside the region of its relation; negative is outside."""
    low, high = relations.named(row["relation"]).region(float(row["bound"]))
    return float(min(row["effect"] - low, high - row["effect"]))


def sureness(row: Mapping[Any, Any]) -> float:
    """Return `slack` in standard errors."""
    inside, error = slack(row), float(row["error"])
    return inside / error if error else math.copysign(math.inf, inside) if inside else 0.0


def deciding(rows: Sequence[Row]) -> Row:
    """Return the pair that decides: of the best left, the one that is hardest for the claim."""
    measured = [row for row in rows if not pd.isna(row["effect"])]
    if not measured:
        return rows[0]
    hardest: dict[str, Row] = {}
    for row in measured:
        if row["left"] not in hardest or sureness(row) < sureness(hardest[row["left"]]):
            hardest[row["left"]] = row
    return max(hardest.values(), key=sureness)


def lacking(row: Mapping[Any, Any], tests: int) -> str:
    """Say what the pair that decides lacks for a verdict among so many `tests`.

    These are test documents where no number of seeds would do, and else seeds. That so many times
    the documents are enough assumes that seeds add nothing to the error.
    """
    distance = abs(slack(row))
    if relations.named(row["relation"]).has_level:
        distance = max(distance, MARGIN - abs(row["effect"]))
    needed = distance / -float(special.ndtri(LEVEL / tests))
    if pd.isna(row["seeds"]) or row["of_documents"] >= needed:
        times = (row["of_documents"] / needed) ** 2 if needed else math.inf
        return f"lacks test documents: at least {max(times, 1.1):.1f} times as many"
    share = (row["error"] ** 2 - row["of_documents"] ** 2) / (needed**2 - row["of_documents"] ** 2)
    return f"lacks seeds: about {max(math.ceil(row['seeds'] * share), int(row['seeds']) + 1)}"


def beside_earlier(judged: pd.DataFrame, earlier: pd.DataFrame) -> pd.DataFrame:
    """Fill `judged` with what an `earlier` frame measured, and answer all questions again.

    A row is taken from `earlier` if `judged` did not measure it, or did on fewer seeds. Rows match
    if they compare the same, whichever claim asks. The spread over seeds that pairs borrow from
    each other stays that of the run they come from. Verdicts of before docs/claims.md have no
    standard errors; they are not joined.
    """
    if "error" not in earlier:
        return judged
    measured = earlier.dropna(subset="effect").drop_duplicates(HYPOTHESIS)
    keys = [judged[HYPOTHESIS].astype(object), measured.astype(dict.fromkeys(HYPOTHESIS, object))]
    filled = [each.assign(beyond=each["beyond"].fillna("")) for each in keys]
    theirs = filled[0].merge(filled[1], how="left", on=HYPOTHESIS)
    theirs.index = judged.index
    fewer = judged["effect"].isna() | (judged["seeds"] < theirs["seeds"])
    taken = theirs["effect"].notna() & fewer
    if not taken.any():
        return judged
    together = judged.copy()
    together.loc[taken, MEASURED] = theirs.loc[taken, MEASURED]
    together.loc[taken, "reason"] = None
    return in_families(together)


def of_claims(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each claim, corpus and metric, with the verdict."""
    keys = [key for key in CLAIMED if key in pairs]
    verdicts = pairs.groupby(keys, sort=False)["verdict"].agg(_together)
    return verdicts.reset_index()


def _together(verdicts: "pd.Series[str]") -> str:
    """The verdict on a claim: all pairs have it, but for those that were not run."""
    order = (NOT_REPRODUCED, UNAVAILABLE, NOT_RUN, INCONCLUSIVE, LEVEL_WITH, REPRODUCED)
    return min(set(verdicts), key=order.index)
