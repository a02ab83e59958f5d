"""Our scores beside the reported ones: a row for every method on every corpus."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pte.errors import PteError
from pte.report.summaries import summarise

SETTINGS = ("paper", "tuned")
SCORES = ["micro_mean", "micro_sd", "macro_mean", "macro_sd"]
COSTS = ["n_seeds", "samples", "train_seconds", "unavailable"]
CELL = ["corpus", "method"]


def comparison(
    scores: pd.DataFrame,
    reference: pd.DataFrame,
    methods: Sequence[dict[str, Any]],
    corpora: Sequence[str],
    settings: Sequence[str] = SETTINGS,
) -> pd.DataFrame:
    """One row per corpus and method, in display order; what was not run stays NaN.
    `unavailable` says why a method could not be run.

    Scores and costs without a prefix are those of the `paper` setting; `tuned_` columns are there
    when `settings` has "tuned". `difference` is our mean micro-F1 minus the reported one.
    """
    _check_names(scores, methods, settings)
    summary = summarise(scores)
    reported = reference.rename(
        columns={
            "micro_f1": "reference_micro",
            "macro_f1": "reference_macro",
            "source": "reference_source",
        }
    )
    frame = (
        _grid(methods, corpora)
        .merge(_of_setting(summary, "paper", SCORES + COSTS), on=CELL, how="left")
        .merge(reported, on=CELL, how="left", validate="one_to_one")
    )
    frame["difference"] = frame["micro_mean"] - frame["reference_micro"]
    frame["n_seeds"] = frame["n_seeds"].fillna(0).astype("Int64")
    if "tuned" in settings:
        tuned = _of_setting(summary, "tuned", SCORES)
        tuned = tuned.rename(columns={name: f"tuned_{name}" for name in SCORES})
        frame = frame.merge(tuned, on=CELL, how="left")
    return frame


def _check_names(
    scores: pd.DataFrame, methods: Sequence[dict[str, Any]], settings: Sequence[str]
) -> None:
    unknown = sorted(set(scores["method"]) - {method["name"] for method in methods})
    if unknown:
        raise PteError(f"scores: unknown method {', '.join(unknown)}; add it to the methods list")
    if "paper" not in settings or not set(settings) <= set(SETTINGS):
        raise PteError(f"settings: got {list(settings)}; give 'paper', with or without 'tuned'")


def _grid(methods: Sequence[dict[str, Any]], corpora: Sequence[str]) -> pd.DataFrame:
    rows = pd.DataFrame(list(methods)).rename(columns={"name": "method"})
    columns = rows[["method", "label", "latex", "group"]]
    return pd.DataFrame({"corpus": list(corpora)}).merge(columns, how="cross")


def _of_setting(summary: pd.DataFrame, setting: str, columns: list[str]) -> pd.DataFrame:
    return summary.loc[summary["setting"] == setting, CELL + columns]
