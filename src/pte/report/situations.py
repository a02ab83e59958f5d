"""Scores by situation, for `pte.recommend`: how many labels, how much other text, what length.

The scores come from the tables and curves in `results/published`. `pte.report.guidelines` writes
them.
"""

from pathlib import Path

import pandas as pd

from pte import recommendation
from pte.render.text import read_csv

TABLES = ("long", "short", "news")
"""The tables with all labels, without the tables of stand-ins."""

CURVES = ("curves-labelled", "curves-labelled_chosen")
"""The curves along labels, by the protocols `paper` and `chosen`."""

COLUMNS = ["corpus", "labelled", "unlabelled", "mean_length", "method", "micro_f1"]


def situations(published: Path) -> pd.DataFrame:
    """Return a row for each corpus, number of labels, and method, with a micro-F1 in percent.

    Scores are by the protocol `chosen`. They are by `paper` for methods that have no `chosen` curve
    along labels, and for the curve along unlabelled text. A method that learns nothing from text
    without labels has each score of its curve twice, with this text and without it.
    """
    lengths = read_csv(published / "table1.csv").query("values == 'ours'").set_index("corpus")
    tables = all_labels(published).assign(unlabelled=0.0).query("group != 'control'")
    by_paper, chosen = fewer_labels(published)
    others = by_paper[~by_paper["method"].isin(chosen["method"])]
    labels = pd.concat([chosen, others], ignore_index=True).query("labelled < 100")
    alone = labels[labels["method"].isin(recommendation.NEED_NO_OTHER_TEXT)]
    texts = read_csv(published / "curves-unlabelled.csv").query(
        "labelled < 100 and unlabelled == 0"
    )
    without = alone.assign(unlabelled=0.0)
    found = pd.concat([tables, labels, without, texts], ignore_index=True)
    found = found[found["corpus"].isin(lengths.index)].dropna(subset="micro_mean")
    train = lengths.loc[found["corpus"], "train"].to_numpy()
    known = (train * found["labelled"] / 100).round()
    found = found.assign(
        labelled=known.astype(int),
        unlabelled=((train - known) * found["unlabelled"] / 100).round().astype(int),
        mean_length=lengths.loc[found["corpus"], "doc_length"].to_numpy(),
        micro_f1=found["micro_mean"],
    )
    return found[COLUMNS].reset_index(drop=True)


def all_labels(published: Path) -> pd.DataFrame:
    """Return the rows of the published tables, with `micro_mean` by the protocol `chosen`."""
    tables = pd.concat([read_csv(published / f"{name}.csv") for name in TABLES], ignore_index=True)
    return tables.assign(micro_mean=tables["chosen_micro_mean"], labelled=100.0)


def fewer_labels(published: Path) -> list[pd.DataFrame]:
    """Return the points of the published curves along labels, by `paper` and by `chosen`."""
    return [read_csv(published / f"{name}.csv") for name in CURVES]
