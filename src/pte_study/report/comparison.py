"""Our scores beside the reported scores: a table and a panel of dots for every corpus."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pte.errors import PteError
from pte_study.configuration.config import CHOSEN, PAPER, Row
from pte_study.render import figures
from pte_study.render import tables as shown
from pte_study.render.tables import EMPHASIS, NONE, Section, as_printed, write_tables
from pte_study.report import summaries
from pte_study.store import read_records

SCORES = [f"{metric}_{part}" for metric in summaries.TITLES for part in ("mean", "sd")]
OF_CHOSEN = [*SCORES, "samples", "train_seconds"]
COSTS = ["n_seeds", "samples", "train_seconds", "unavailable"]
CELL = ["corpus", "method"]
NOT_RUN = "not yet run"
EXTRA = "†"
NOTE = f"{EXTRA} not in the paper."
MARKS = (
    "The best micro-F1 is bold, the second best underlined. "
    "Δ is our micro-F1 minus the reported one."
)
CHOSEN_NOTE = "A method without T that classifies by itself has one score, shown in both protocols."
FAR = 2.0  # points of micro-F1 above which a difference stands out


PAPER_MARK: dict[str, Any] = {"marker": "o", "markersize": 4, "linestyle": "none"}
CHOSEN_MARK = PAPER_MARK | {"markersize": 6.5, "fillstyle": "none", "markeredgewidth": 0.9}
REPORTED = PAPER_MARK | {"marker": "|", "markersize": 9, "markeredgewidth": 1.1, "color": "black"}
VALUES = ["micro_mean", "chosen_micro_mean", "reference_micro"]
CLOSE = 10.0  # points within which panels share their axis, lest small differences look large
TITLE = 36  # letters of a title in one line
Limits = tuple[float, float]


def make_comparison(files: summaries.Files, given: summaries.Given, stem: Path) -> None:
    scores = summaries.frame_of(read_records(files["runs"], given["names"]))
    texts = (given["stand_ins"], given["official"])
    reference = summaries.reference_scores(files["paper"], files["third_party"], *texts)
    frame = comparison(
        scores, reference, given["methods"], given["corpora"], CHOSEN in given["protocols"]
    )
    write_comparison(frame, stem, given["title"])


def show_comparison(files: summaries.Files, given: summaries.Given) -> Section:
    frame = pd.read_csv(files["csv"])
    return Section(given["title"], (given["caption"], *_notes(frame)), comparison_cells(frame))


def comparison(
    scores: pd.DataFrame,
    reference: pd.DataFrame,
    methods: Sequence[Row],
    corpora: Sequence[str],
    with_chosen: bool,
) -> pd.DataFrame:
    """Return a row for each corpus and method, in the order in which they are shown."""
    summary = summaries.summarise(scores)
    reported = reference.set_index(CELL).add_prefix("reference_").reset_index()
    reported.columns = reported.columns.str.removesuffix("_f1")
    rows = pd.DataFrame([asdict(method) for method in methods]).rename(columns={"name": "method"})
    frame = (
        pd.DataFrame({"corpus": list(corpora)})
        .merge(rows, how="cross")
        .merge(_of_protocol(summary, PAPER, SCORES + COSTS), on=CELL, how="left")
        .merge(reported, on=CELL, how="left", validate="one_to_one")
    )
    frame["difference"] = frame["micro_mean"] - frame["reference_micro"]
    frame["n_seeds"] = frame["n_seeds"].fillna(0).astype("Int64")
    if with_chosen:
        chosen = _of_protocol(summary, CHOSEN, OF_CHOSEN)
        chosen = chosen.rename(columns={name: f"chosen_{name}" for name in OF_CHOSEN})
        frame = frame.merge(chosen, on=CELL, how="left")
    return frame


def _of_protocol(summary: pd.DataFrame, protocol: str, columns: list[str]) -> pd.DataFrame:
    return summary.loc[summary["protocol"] == protocol, CELL + columns]


def write_comparison(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    """Write the comparison as `stem`.csv and .md, a table for each corpus."""
    write_tables(frame, comparison_cells(frame), stem, caption, (MARKS, *_notes(frame)))


def _notes(frame: pd.DataFrame) -> tuple[str, ...]:
    chosen = (CHOSEN_NOTE,) if "chosen_micro_mean" in frame else ()
    return (NOTE, *chosen, *summaries.caveats(frame))


def comparison_cells(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {str(corpus): _cells(panel) for corpus, panel in frame.groupby("corpus", sort=False)}


def difference_classes(column: str, cell: str) -> list[str]:
    """Return the CSS classes of a difference: on which side of 0, and whether far from 0."""
    difference = shown.sort_key(cell)
    if column != "Δ" or not difference:
        return []
    return ["above" if difference > 0 else "below"] + ["far"] * (abs(difference) > FAR)


def _cells(panel: pd.DataFrame) -> pd.DataFrame:
    """Return the cells of a corpus; marks stand at the best micro-F1 as printed, less controls."""
    micro = as_printed(panel["micro_mean"].astype(float).where(panel["group"] != "control"))
    ranks = micro.rank(method="dense", ascending=False)
    source = "/".join(panel["reference_source"].dropna().unique()) or "reference"
    pairs = zip(panel["label"], panel["group"], strict=True)
    cells = {"method": [f"{name} {EXTRA}" if of == "extra" else name for name, of in pairs]}
    cells |= {title: _spreads(panel, metric) for metric, title in summaries.TITLES.items()}
    marks = [EMPHASIS.get(rank, "{}") for rank in ranks]
    cells["micro-F1"] = [m.format(c) for m, c in zip(marks, cells["micro-F1"], strict=True)]
    cells[source] = [NONE if pd.isna(x) else f"{x:.2f}" for x in panel["reference_micro"]]
    cells["Δ"] = [shown.signed(x) for x in panel["difference"]]
    if "chosen_micro_mean" in panel:
        cells["chosen"] = _spreads(panel, "chosen_micro")
    cells["T"] = [shown.humanise(x) for x in panel["samples"]]
    if "chosen_samples" in panel:
        cells["chosen T"] = [shown.humanise(x) for x in panel["chosen_samples"]]
    cells["seconds"] = [shown.seconds(x) for x in panel["train_seconds"]]
    return pd.DataFrame(cells)


def _spreads(panel: pd.DataFrame, score: str) -> list[str]:
    unknown = (panel["n_seeds"] > 0) & (
        score in summaries.TITLES
    )  # of several labels, without a confusion
    why = panel["unavailable"].astype(object).fillna(NOT_RUN).mask(unknown, NONE)
    if score != "micro":
        why = why.mask(panel["unavailable"].notna(), NONE)
    triples = zip(panel[f"{score}_mean"], panel[f"{score}_sd"], why, strict=True)
    return [reason if pd.isna(mean) else shown.spread(mean, sd) for mean, sd, reason in triples]


# The figure


def make_comparison_figure(files: summaries.Files, given: summaries.Given, stem: Path) -> None:
    plot_comparison(pd.read_csv(files["comparison"]), stem)


def show_comparison_figure(files: summaries.Files, given: summaries.Given) -> Section:
    title = given["title"]
    return Section(title, pictures={f"{title}: micro-F1": files["svg"].read_bytes()})


def plot_comparison(frame: pd.DataFrame, stem: Path) -> None:
    """Draw micro-F1 per method and corpus to `stem`.pdf, `stem`.svg and `stem`.png."""
    frame = frame.reindex(columns=frame.columns.union([*VALUES, summaries.UNAVAILABLE], sort=False))
    corpora = list(frame["corpus"].unique())
    rows = _rows(frame)
    if rows.empty:
        raise PteError("comparison figure: the frame has no score to draw; run a method first")
    with figures.styled():
        columns = min(len(corpora), 2)
        height = 0.155 * (rows["y"].max() + 1) + 0.35
        figure, panels = figures.panelled(len(corpora), height, 0.75, sharey=True)
        groups: set[str] = set()
        parts = [frame[frame["corpus"] == corpus] for corpus in corpora]
        limits = _shared(list(map(_limits, parts)))
        for index, (axes, corpus) in enumerate(zip(panels, corpora, strict=True)):
            groups |= _draw_panel(axes, parts[index], rows, limits[index])
            axes.xaxis.set_major_locator(MaxNLocator(6 // columns + 1, steps=[1, 2, 5, 10]))
            title = corpus if len(corpus) <= TITLE / columns else "_\n".join(corpus.rsplit("_", 1))
            axes.set_title(figures.verbatim(title), loc="left")
            if index + columns >= len(corpora):
                axes.set_xlabel("micro-F1 (%)")
        _draw_legend(figure, frame, groups)
        figures.save(
            figure, stem, f"Micro-F1 of {len(rows)} methods on {', '.join(corpora)}", _told(frame)
        )


def _rows(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame[[*VALUES, summaries.UNAVAILABLE]].notna().any(axis=1)
    methods = frame[shown]["method"].unique()
    rows = frame[frame["method"].isin(methods)].drop_duplicates("method").set_index("method")
    gaps = rows["group"].ne(rows["group"].shift()).cumsum() - 1
    return pd.DataFrame({"label": rows["label"], "y": np.arange(len(rows)) + 0.5 * gaps})


def _draw_panel(axes: Axes, panel: pd.DataFrame, rows: pd.DataFrame, limits: Limits) -> set[str]:
    """Return the groups that have a mark in the panel."""
    low, high = limits
    axes.set_xlim(low, high)
    axes.set_ylim(rows["y"].max() + 0.7, -0.7)
    axes.set_yticks(rows["y"].to_list(), rows["label"].map(figures.verbatim).to_list())
    shown = panel.merge(rows["y"], left_on="method", right_index=True)
    for row in shown.to_dict("records"):
        _draw_row(axes, row, low)
    return set(shown.loc[(shown[["micro_mean", "chosen_micro_mean"]] >= low).any(axis=1), "group"])


def _draw_row(axes: Axes, row: dict[Any, Any], low: float) -> None:
    y, colour = row["y"], figures.GROUPS[row["group"]][1]
    whisker = 0.0 if pd.isna(row["micro_sd"]) else row["micro_sd"]
    if row["micro_mean"] >= low:
        axes.errorbar(row["micro_mean"], y, xerr=whisker, color=colour, **PAPER_MARK)
    if row["chosen_micro_mean"] >= low:
        axes.plot(row["chosen_micro_mean"], y, color=colour, clip_on=False, **CHOSEN_MARK)
    if row["reference_micro"] >= low:
        axes.plot(row["reference_micro"], y, **REPORTED)
    far = dict(zip("●○|", (row[name] for name in VALUES), strict=True))
    text = " ".join(f"{mark} {value:.1f}" for mark, value in far.items() if value < low)
    if text:
        text = f"◂ {text}"
    elif pd.isna(row["micro_mean"]) and pd.notna(row[summaries.UNAVAILABLE]):
        text = row[summaries.UNAVAILABLE]
    if text:
        ends = (row["micro_mean"] + whisker, row["chosen_micro_mean"], row["reference_micro"])
        beside = max((end for end in ends if end >= low), default=low)
        gap = 8 if beside > low else 2
        said = axes.annotate(text, (beside, y), (gap, 0), textcoords="offset points")
        said.set(color=figures.GREY, va="center", fontsize=7)


def _shared(limits: Sequence[Limits | None]) -> list[Limits]:
    given = [each for each in limits if each]
    if not given:
        return [(0.0, 100.0)] * len(limits)
    low, high = min(low for low, _ in given), max(high for _, high in given)
    if high - low <= CLOSE:
        return [(low, high)] * len(limits)
    return [each or (low, high) for each in limits]


def _limits(panel: pd.DataFrame) -> Limits | None:
    """Return the limits around the values that are not below the lower fence of a box plot."""
    values, others = _finite(panel), _finite(panel[panel["group"] != "control"])
    if not values.size:
        return None
    others = others if others.size else values
    quarter, three = np.quantile(others, [0.25, 0.75])
    low, high = others[others >= quarter - 1.5 * (three - quarter)].min(), values.max()
    near = values[values >= low - 0.1 * (high - low)]
    margin = max(0.04 * (high - near.min()), 0.3)
    return float(near.min() - margin), float(high + margin)


def _finite(panel: pd.DataFrame) -> npt.NDArray[np.float64]:
    whisker = panel["micro_sd"].fillna(0.0)
    ends = [panel["micro_mean"] - whisker, panel["micro_mean"] + whisker]
    values = pd.concat([panel[VALUES], *ends], axis=1).to_numpy(dtype=np.float64)
    return np.asarray(values[np.isfinite(values)])


def _told(frame: pd.DataFrame) -> str:
    return "; ".join(
        f"on {corpus}, {best['label']} has the best score, {best['score']:.2f}"
        for corpus, _, (best, *_) in summaries.ranked(frame)
    )


def _draw_legend(figure: Figure, frame: pd.DataFrame, groups: set[str]) -> None:
    sources = " / ".join(frame["reference_source"].dropna().unique())
    look, named = PAPER_MARK | {"marker": "s"}, figures.GROUPS.items()
    marks = [Line2D([], [], color=c, label=name, **look) for g, (name, c) in named if g in groups]
    marks.append(Line2D([], [], color=figures.GREY, label="paper protocol", **PAPER_MARK))
    if frame["chosen_micro_mean"].notna().any():
        marks.append(Line2D([], [], color=figures.GREY, label="chosen protocol", **CHOSEN_MARK))
    if sources:
        marks.append(Line2D([], [], label=f"reported ({sources})", **REPORTED))
    figure.legend(handles=marks, loc="outside lower center", ncols=3)
