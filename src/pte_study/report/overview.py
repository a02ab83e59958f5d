"""Tables of scores, with chosen hyperparameters and with the paper's: short in the README, long."""

from collections.abc import Iterable, Sequence

import pandas as pd

from pte_study.render.cells import NONE, as_printed
from pte_study.render.markdown import markdown_table
from pte_study.report.summaries import caveats

CHOSEN_CAPTION = (
    "T, the classifier and what the paper leaves open, chosen on held-out documents. The best of a "
    "corpus is bold."
)
PAPER_CAPTION = "The paper's hyperparameters, with the number that is reported in brackets."

ALL_SCORES = "Micro-F1 of all methods"
"""The title of the long tables."""
SCORE = "chosen_micro_mean"
IN_README = (
    *("bow", "bow_pairs", "svm", "fasttext_pairs", "line_ww_wd", "cnn_pretrain", "pte_joint"),
    *("pte_auto", "encoder", "pte_auto_encoder"),
)
"""The methods of the README's table."""


def short_overview(frames: Sequence[pd.DataFrame]) -> str:
    """Return a Markdown table of the mean micro-F1 of the methods `IN_README`.

    Scores are by the protocol `chosen` if it was run, and otherwise by `paper`.
    """
    frame = each_once(frames)
    if SCORE not in frame or frame[SCORE].isna().all():
        frame = frame.assign(**{SCORE: frame["micro_mean"]})
    shown = frame[frame["method"].isin(IN_README) & frame[SCORE].notna()]
    return _table(shown.assign(cell=_with_best(shown)), shown["label"].unique())


def overview(frames: Sequence[pd.DataFrame]) -> str:
    """Return Markdown tables of mean micro-F1, by the protocol `chosen` and by `paper`.

    The table by `chosen` is left out if it was not run. `frames` are comparisons. Rows are methods,
    in the order of the frame that has most methods. Columns are the corpora of `each_once`. A dash
    is a score that was not run.
    """
    frame = each_once(frames)
    longest_first = sorted(frames, key=lambda each: -each["label"].nunique())
    labels = pd.concat(longest_first)["label"].unique()
    paper = _table(frame.assign(cell=_beside_reported(frame)), labels)
    if SCORE not in frame or frame[SCORE].isna().all():
        return "\n\n".join([paper, *caveats(frame)])
    run = frame.groupby("corpus")[SCORE].transform("count") > 0
    chosen = frame[run]
    return "\n\n".join(
        [
            CHOSEN_CAPTION,
            _table(chosen.assign(cell=_with_best(chosen)), labels),
            PAPER_CAPTION,
            paper,
            *caveats(frame),
        ]
    )


def each_once(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of each corpus once, from the frame that has most scores of the corpus.

    Several frames may have the same corpus.
    """
    rows: dict[str, pd.DataFrame] = {}
    for frame in frames:
        for corpus, panel in frame.groupby("corpus", sort=False):
            if str(corpus) not in rows or _scores(panel) > _scores(rows[str(corpus)]):
                rows[str(corpus)] = panel
    return pd.concat(rows.values(), ignore_index=True)


def _scores(panel: pd.DataFrame) -> int:
    there = [name for name in ("micro_mean", SCORE) if name in panel]
    return int(panel[there].notna().to_numpy().sum())


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
