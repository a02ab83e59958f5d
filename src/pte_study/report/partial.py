"""Rows of a table or of an experiment that a run made, beside published rows that it lacks."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.render.text import read_csv
from pte_study.report.comparison import write_comparison
from pte_study.report.comparison_figure import plot_comparison
from pte_study.report.curves import plot_curves, write_curves
from pte_study.report.sensitivity import plot_sensitivity, write_sensitivity
from pte_study.report.summaries import reference_scores
from pte_study.report.times import plot_times

CELL = ["corpus", "method", "labelled", "unlabelled", "value"]
"""The columns that say what a row is about.

Only curves have shares, and only the sensitivity experiment has a value.
"""
WHOLE = ["n_seeds", "samples", "chosen_samples"]
"""Columns of whole numbers, which are read as floats if a row has no number."""


def beside(
    made: pd.DataFrame, published: pd.DataFrame, methods: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the rows of `made` that have a score, and the `published` rows of other cells.

    Corpora keep the order of `published`, and new corpora follow. The given `methods` come first.
    Other methods keep the order of `published`, and new methods follow.
    """
    new = made[made["micro_mean"].notna()]
    together = pd.concat([published, new], ignore_index=True)
    cells = [name for name in CELL if name in together]
    order = {"corpus": together["corpus"].unique().tolist()}
    if "method" in cells:
        order["method"] = list(dict.fromkeys([*methods, *together["method"]]))
    together = together.drop_duplicates(cells, keep="last").sort_values(
        cells,
        key=lambda column: column.map(order[column.name].index) if column.name in order else column,
    )
    whole = {name: "Int64" for name in WHOLE if name in together}
    return together.astype(whole).reset_index(drop=True)


def write_beside(runs: Runs, name: str, published: Path, folder: Path) -> None:
    """Write the files of a part of `published_parts` below `folder`, under their own names.

    `name` is the name of a table, `curves-` and the name of a curve, or `sensitivity-` and the name
    of a parameter. Its CSV file must be there. Raises `PteError` when a figure would be empty.
    """
    experiment, _, part = name.partition("-")
    if experiment == "curves":
        _write_curve(runs, part, published / name, folder)
    elif experiment == "sensitivity":
        _write_sensitivity(runs, part, published / name, folder)
    else:
        _write_table(runs, name, published / name, folder)


def _write_table(runs: Runs, table: str, published: Path, folder: Path) -> None:
    frame = _together(paths.TABLE.format(table=table), published, runs.study.config.methods)
    caption = runs.study.tables[table].caption
    write_comparison(frame, folder / paths.TABLE.format(table=table), caption)
    plot_comparison(frame, folder / paths.FIGURE.format(table=table))
    plot_times(frame, folder / paths.TIMES_FIGURE.format(table=table))


def _write_curve(runs: Runs, curve: str, published: Path, folder: Path) -> None:
    frame = _together(paths.CURVE.format(curve=curve), published)
    shown = runs.study.shown_curve(curve)
    reference = reference_scores(Path(paths.PAPER_SCORES), Path(paths.OTHERS_SCORES))
    write_curves(frame, shown, folder / paths.CURVE.format(curve=curve))
    plot_curves(frame, shown, folder / paths.CURVE_FIGURE.format(curve=curve), reference)


def _write_sensitivity(runs: Runs, parameter: str, published: Path, folder: Path) -> None:
    frame = _together(paths.SENSITIVITY.format(parameter=parameter), published)
    figure = folder / paths.SENSITIVITY_FIGURE.format(parameter=parameter)
    write_sensitivity(frame, parameter, folder / paths.SENSITIVITY.format(parameter=parameter))
    plot_sensitivity(frame, parameter, figure, runs.values_in_tables(parameter))


def _together(made: str, published: Path, methods: Sequence[str] = ()) -> pd.DataFrame:
    earlier = published.with_name(f"{published.name}.csv")
    return beside(read_csv(Path(f"{made}.csv")), read_csv(earlier), methods)
