"""How tables, curves and the sensitivity experiment are drawn outside of the workflow.

The files are those that the workflow makes of the same runs, to the byte.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.render.text import read_csv
from pte_study.report.comparison import comparison, write_comparison
from pte_study.report.comparison_figure import plot_comparison
from pte_study.report.curves import learning_curves, plot_curves, write_curves
from pte_study.report.sensitivity import (
    plot_sensitivity,
    sensitivity,
    with_values,
    write_sensitivity,
)
from pte_study.report.summaries import frame_of, reference_scores
from pte_study.report.table1 import check_table1, corpus_row, table1, write_table1
from pte_study.report.times import plot_times
from pte_study.store.reading import corpus_record, read_records

TABLE1 = "table1"


def draw(runs: Runs, part: str, folder: Path) -> None:
    """Draw a part of `published_parts` below `folder`.

    The part is a table, `curves-` with the name of a curve, or `sensitivity-` with that of a
    parameter. Raises `PteError` when there is no run of the part.
    """
    experiment, _, name = part.partition("-")
    if part == TABLE1:
        _draw_table1(runs, folder)
    elif part in runs.study.tables:
        _draw_table(runs, part, folder)
    elif experiment == "curves":
        _draw_curve(runs, name, folder)
    else:
        _draw_sensitivity(runs, name, folder)


def _records(runs: Runs, names: Sequence[str]) -> list[Mapping[str, Any]]:
    return read_records(map(Path, runs.files(names, "json")), runs.had(names))


def _draw_table(runs: Runs, name: str, folder: Path) -> None:
    table, study = runs.study.tables[name], runs.study
    stem = folder / paths.TABLE.format(table=name)
    frame = comparison(
        frame_of(_records(runs, runs.of_table(name))),
        reference_scores(Path(paths.PAPER_SCORES), Path(paths.OTHERS_SCORES), study.stand_ins),
        study.rows(study.methods_of(name)),
        table.corpora,
        table.protocols,
    )
    write_comparison(frame, stem, table.caption)
    written = read_csv(stem.with_suffix(".csv"))
    plot_comparison(written, folder / paths.FIGURE.format(table=name))
    plot_times(written, folder / paths.TIMES_FIGURE.format(table=name))


def _draw_table1(runs: Runs, folder: Path) -> None:
    corpora = runs.study.registries.corpora
    rows = [
        corpus_row(name, corpus_record(Path(place))["counts"], corpora[name].table1)
        for name, place in zip(runs.shown, runs.places(runs.shown), strict=True)
    ]
    frame = table1(rows, pd.read_csv(paths.PAPER_CORPORA))
    check_table1(frame)
    write_table1(frame, folder / paths.TABLE1)


def _draw_curve(runs: Runs, name: str, folder: Path) -> None:
    curve = runs.study.shown_curve(name)
    rows = runs.study.rows(runs.study.config.curves[name].methods)
    frame = learning_curves(frame_of(_records(runs, runs.of_curve(name))), rows)
    reference = reference_scores(Path(paths.PAPER_SCORES), Path(paths.OTHERS_SCORES))
    write_curves(frame, curve, folder / paths.CURVE.format(curve=name))
    plot_curves(frame, curve, folder / paths.CURVE_FIGURE.format(curve=name), reference)


def _draw_sensitivity(runs: Runs, name: str, folder: Path) -> None:
    defaults = runs.values_in_tables(name)
    frame = sensitivity(with_values(_records(runs, runs.of_sensitivity(name)), defaults))
    write_sensitivity(frame, name, folder / paths.SENSITIVITY.format(parameter=name))
    figure = folder / paths.SENSITIVITY_FIGURE.format(parameter=name)
    plot_sensitivity(frame, name, figure, defaults)
