"""A table or a curve of which a run made a part: its rows, and the published ones that it lacks."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pte.render.text import read_csv
from pte.report.comparison import write_comparison
from pte.report.comparison_figure import plot_comparison
from pte.report.curves import plot_curves, write_curves
from pte.report.here import PAPER, THIRD_PARTY
from pte.report.summaries import reference_scores
from pte.report.times import plot_times
from pte.study import paths
from pte.study.runs import Runs

CELL = ["corpus", "method", "labelled", "unlabelled"]
"""What a row is about; the last two in curves alone."""
WHOLE = ["n_seeds", "samples", "chosen_samples"]
"""Columns of whole numbers, which are read as floats where a row has none."""


def beside(
    made: pd.DataFrame, published: pd.DataFrame, methods: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the rows of `made` that have a score, and the `published` rows of other cells.

    Corpora, and methods after those that are given, keep the order of `published`; new ones follow.
    """
    new = made[made["micro_mean"].notna()]
    together = pd.concat([published, new], ignore_index=True)
    order = {
        "corpus": together["corpus"].unique().tolist(),
        "method": list(dict.fromkeys([*methods, *together["method"]])),
    }
    cells = [name for name in CELL if name in together]
    together = together.drop_duplicates(cells, keep="last").sort_values(
        cells,
        key=lambda column: column.map(order[column.name].index) if column.name in order else column,
    )
    whole = {name: "Int64" for name in WHOLE if name in together}
    return together.astype(whole).reset_index(drop=True)


def write_beside(runs: Runs, name: str, published: Path, folder: Path) -> None:
    """Write the files of a part of `published_parts` below `folder`, by their own names.

    `name` is that of a table or, after `curves-`, of a curve, whose CSV file is there. Raises
    `PteError` when a figure would be empty.
    """
    curve = name.removeprefix("curves-")
    if name in runs.study.tables:
        methods = runs.study.config.methods
        frame = _together(paths.TABLE.format(table=name), published / name, methods)
        caption = runs.study.tables[name].caption
        write_comparison(frame, folder / paths.TABLE.format(table=name), caption)
        plot_comparison(frame, folder / paths.FIGURE.format(table=name))
        plot_times(frame, folder / paths.TIMES_FIGURE.format(table=name))
    else:
        frame = _together(paths.CURVE.format(curve=curve), published / name)
        shown, reference = runs.study.shown_curve(curve), reference_scores(PAPER, THIRD_PARTY)
        write_curves(frame, shown, folder / paths.CURVE.format(curve=curve))
        plot_curves(frame, shown, folder / paths.CURVE_FIGURE.format(curve=curve), reference)


def _together(made: str, published: Path, methods: Sequence[str] = ()) -> pd.DataFrame:
    earlier = published.with_name(f"{published.name}.csv")
    return beside(read_csv(Path(f"{made}.csv")), read_csv(earlier), methods)
