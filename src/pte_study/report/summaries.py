"""The two frames that every comparison starts from: our runs, and the scores others reported."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.errors import PteError
from pte_study.configuration.entries import CHOSEN, PAPER

RUN = ["corpus", "method", "protocol", "seed"]
MEANS = {"n_seeds": ("micro_f1", "count")} | {
    f"{score}_{name}": (f"{score}_f1", of)
    for score in ("micro", "macro")
    for name, of in (("mean", "mean"), ("sd", "std"))
}
"""The columns that summarise the scores of several seeds, for `agg` of pandas."""
NUMBERS = {"micro_f1": "float", "macro_f1": "float", "samples": "Float64", "train_seconds": "float"}
DESIGNED_ON = ("dblp", "mr", "r8", "r52")
"""Corpora whose test documents were looked at when PTE(auto) was designed; r52 has those of r8."""
DESIGN_NOTE = (
    "Test documents of dblp, mr and r8 were looked at when PTE(auto) was designed, so its scores "
    "there may be a little too high."
)
UNAVAILABLE = "unavailable"
"""The column that says why a run has no scores.

Reasons are a missing package, a lost order of words, several labels, or what a fit said.
"""

Record = dict[Hashable, Any]


def frame_of(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the tidy frame of runs, with a row for each run.

    `records` is what is kept of the runs beside their predictions. Without any run, the frame is
    empty and has the same columns.
    """
    return pd.DataFrame(records, columns=[*RUN, *NUMBERS, UNAVAILABLE])


def caveats(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the `DESIGN_NOTE` if a frame has PTE(auto) on a corpus of its design."""
    seen = frame["label"].str.startswith("PTE(auto)") & frame["corpus"].isin(DESIGNED_ON)
    return (DESIGN_NOTE,) if seen.any() else ()


def summarise(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each corpus, method and protocol: mean and deviation over the seeds.

    Raises `PteError` when a run has two rows.
    """
    repeated = scores[scores.duplicated(RUN)]
    if len(repeated):
        run = ", ".join(f"{name} {repeated.iloc[0][name]}" for name in RUN)
        raise PteError(f"scores: {run} appears twice; keep one row per run")
    summary = (
        scores.astype(NUMBERS)
        .groupby(RUN[:3], sort=False)
        .agg(
            **MEANS,
            samples=("samples", "median"),
            train_seconds=("train_seconds", "median"),
            unavailable=(UNAVAILABLE, "first"),
        )
        .reset_index()
    )
    return summary.assign(samples=summary["samples"].round().astype("Int64"))


def ranked(frame: pd.DataFrame) -> Iterator[tuple[str, str, list[Record]]]:
    """Yield each corpus, the protocol that it is ranked by, and its methods, the best first.

    Scores are by the protocol "chosen" if a corpus has such scores, and otherwise by "paper".
    Controls are left out.
    """
    for corpus, panel in frame[frame["group"] != "control"].groupby("corpus", sort=False):
        chosen = "chosen_micro_mean" in panel and bool(panel["chosen_micro_mean"].notna().any())
        by = [f"{'chosen_' * chosen}{name}" for name in ("micro_mean", "micro_sd", "train_seconds")]
        taken = panel.reindex(columns=[*by, "method", "label", "group"])
        taken.columns = ["score", "deviation", "seconds", "method", "label", "group"]
        scored = taken[taken["score"].notna()].sort_values("score", ascending=False, kind="stable")
        if len(scored):
            yield str(corpus), CHOSEN if chosen else PAPER, scored.to_dict("records")


def reference_scores(
    paper_csv: Path, third_party_csv: Path, stand_ins: Collection[str], official: Mapping[str, str]
) -> pd.DataFrame:
    """Read the paper's scores, and TextGCN's accuracies for corpora that the paper does not have.

    With one label per document, accuracy and micro-F1 are the same number. Corpora that stand in
    for the paper's corpora are other texts, so they have no reference, whatever their names are.
    `official` has our corpora of the paper's own files, by the names that the paper gives them.
    """
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
