"""Runs as frames: what every table and figure starts from, and the overview of all scores."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.errors import PteError
from pte.evaluation.metrics import metrics_of
from pte_study.configuration.config import CHOSEN, PAPER
from pte_study.render.tables import NONE, as_printed, markdown_table

RUN = ["corpus", "method", "protocol", "seed"]
TITLES = {"micro": "micro-F1", "macro": "macro-F1"}
"""Titles of columns; of micro, the metric is `micro_f1` of `pte.evaluation.metrics`."""
MEANS = {"n_seeds": ("micro_f1", "count")} | {
    f"{metric}_{name}": (f"{metric}_f1", of)
    for metric in TITLES
    for name, of in (("mean", "mean"), ("sd", "std"))
}  # columns over seeds, for `agg` of pandas
NUMBERS = {f"{metric}_f1": "float" for metric in TITLES}
NUMBERS |= {"samples": "Float64", "train_seconds": "float"}
UNAVAILABLE = "unavailable"  # the column that says why a run has no scores
DESIGNED_ON = ("dblp", "mr", "r8", "r52")
"""Corpora whose test documents were looked at when PTE(auto) was designed; r52 has those of r8."""
DESIGN_NOTE = (
    "Test documents of dblp, mr and r8 were looked at when PTE(auto) was designed, so its scores "
    "there may be a little too high."
)
CHOSEN_CAPTION = (
    "T, the classifier and what the paper leaves open, chosen on held-out documents. The best of a "
    "corpus is bold."
)
PAPER_CAPTION = "The paper's hyperparameters, with the number that is reported in brackets."
ALL_SCORES = "Micro-F1 of all methods"
SCORE = "chosen_micro_mean"
IN_README = (
    *("bow", "bow_pairs", "svm_pairs", "fasttext_pairs", "line_ww_wd", "cnn_pretrain", "pte_joint"),
    *("pte_auto", "encoder", "pte_auto_encoder"),
)
Record = dict[Hashable, Any]
Files = Mapping[str, Any]  # paths, or lists of paths, by role
Given = Mapping[str, Any]  # what the plan tells an exhibit


def frame_of(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a row for each run, from what is kept of runs beside their predictions."""
    wanted = {f"{metric}_f1" for metric in TITLES}
    rows = [
        {**metrics_of(np.array(run["confusion"])), **run}
        if "confusion" in run and not wanted <= run.keys()
        else run
        for run in records
    ]
    return pd.DataFrame(rows, columns=[*RUN, *NUMBERS, UNAVAILABLE])


def summarise(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each corpus, method and protocol: mean and deviation over the seeds."""
    repeated = scores[scores.duplicated(RUN)]
    if len(repeated):
        run = ", ".join(f"{name} {repeated.iloc[0][name]}" for name in RUN)
        raise PteError(f"scores: {run} appears twice; keep one row per run")
    medians = {name: (name, "median") for name in ("samples", "train_seconds")}
    groups = scores.astype(NUMBERS).groupby(RUN[:3], sort=False)
    summary = groups.agg(**MEANS, **medians, unavailable=(UNAVAILABLE, "first")).reset_index()
    return summary.assign(samples=summary["samples"].round().astype("Int64"))


def caveats(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the `DESIGN_NOTE` if a frame has PTE(auto) on a corpus of its design."""
    seen = frame["label"].str.startswith("PTE(auto)") & frame["corpus"].isin(DESIGNED_ON)
    return (DESIGN_NOTE,) if seen.any() else ()


def reference_scores(
    paper_csv: Path, third_party_csv: Path, stand_ins: Collection[str], official: Mapping[str, str]
) -> pd.DataFrame:
    """Read scores of the paper and TextGCN (accuracy is micro-F1 here); stand-ins have none."""
    paper = pd.read_csv(paper_csv).assign(source="paper")
    paper["corpus"] = paper["corpus"].replace(dict(official))
    others = pd.read_csv(third_party_csv)
    text_gcn = others[
        others["source"].str.startswith("text_gcn")
        & (others["metric"] == "accuracy")
        & ~others["corpus"].isin(paper["corpus"])
    ].rename(columns={"value": "micro_f1"})
    columns = ["corpus", "method", "source", "micro_f1", "macro_f1"]
    rows = [paper, text_gcn.assign(source="TextGCN", macro_f1=float("nan"))]
    known = pd.concat([part[columns] for part in rows], ignore_index=True)
    return known[~known["corpus"].isin(stand_ins)].reset_index(drop=True)


def ranked(frame: pd.DataFrame) -> Iterator[tuple[str, str, list[Record]]]:
    """Yield each corpus of a comparison, its protocol, and its methods, the best first."""
    for corpus, panel in frame[frame["group"] != "control"].groupby("corpus", sort=False):
        chosen = "chosen_micro_mean" in panel and bool(panel["chosen_micro_mean"].notna().any())
        by = [f"{'chosen_' * chosen}{name}" for name in ("micro_mean", "micro_sd", "train_seconds")]
        taken = panel.reindex(columns=[*by, "method", "label", "group"])
        taken.columns = ["score", "deviation", "seconds", "method", "label", "group"]
        scored = taken[taken["score"].notna()].sort_values("score", ascending=False, kind="stable")
        if len(scored):
            yield str(corpus), CHOSEN if chosen else PAPER, scored.to_dict("records")


def short_overview(frames: Sequence[pd.DataFrame]) -> str:
    """Return a Markdown table of the mean micro-F1 of the methods `IN_README`."""
    frame = each_once(frames)
    if not _has_chosen(frame):
        frame = frame.assign(**{SCORE: frame["micro_mean"]})
    shown = frame[frame["method"].isin(IN_README) & frame[SCORE].notna()]
    return _table(shown.assign(cell=_with_best(shown)), shown["label"].unique())


def overview(frames: Sequence[pd.DataFrame]) -> str:
    """Return Markdown tables of mean micro-F1, by `chosen` if this was run, and by `paper`."""
    frame = each_once(frames)
    longest_first = sorted(frames, key=lambda each: -each["label"].nunique())
    labels = pd.concat(longest_first)["label"].unique()
    parts = [_table(frame.assign(cell=_beside_reported(frame)), labels)]
    if _has_chosen(frame):
        chosen = frame[frame.groupby("corpus")[SCORE].transform("count") > 0]
        table = _table(chosen.assign(cell=_with_best(chosen)), labels)
        parts = [CHOSEN_CAPTION, table, PAPER_CAPTION, *parts]
    return "\n\n".join([*parts, *caveats(frame)])


def each_once(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of each corpus from the one comparison that has most scores of it."""
    panels: dict[Hashable, list[pd.DataFrame]] = {}
    for corpus, panel in (each for frame in frames for each in frame.groupby("corpus", sort=False)):
        panels.setdefault(corpus, []).append(panel)
    return pd.concat([max(each, key=_scores) for each in panels.values()], ignore_index=True)


def _scores(panel: pd.DataFrame) -> int:
    there = [name for name in ("micro_mean", SCORE) if name in panel]
    return int(panel[there].notna().to_numpy().sum())


def _has_chosen(frame: pd.DataFrame) -> bool:
    return SCORE in frame and not frame[SCORE].isna().all()


def _table(frame: pd.DataFrame, labels: Iterable[str]) -> str:
    table = frame.pivot(index="label", columns="corpus", values="cell")
    known = [label for label in labels if label in table.index]
    table = table.loc[known, frame["corpus"].unique()].fillna(NONE)
    return markdown_table(table.reset_index(names="micro-F1"))


def _beside_reported(frame: pd.DataFrame) -> list[str]:
    pairs = zip(frame["micro_mean"], frame["reference_micro"], strict=True)
    return [
        NONE if pd.isna(ours) else f"{ours:.2f}" + ("" if pd.isna(given) else f" ({given:.2f})")
        for ours, given in pairs
    ]


def _with_best(frame: pd.DataFrame) -> list[str]:
    printed = as_printed(frame[SCORE])
    pairs = zip(printed, printed.groupby(frame["corpus"]).transform("max"), strict=True)
    return [
        NONE if pd.isna(score) else f"**{score:.2f}**" if score == most else f"{score:.2f}"
        for score, most in pairs
    ]
