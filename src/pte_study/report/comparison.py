"""Our scores beside the reported scores: a row for every method on every corpus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from pte_study.configuration.entries import CHOSEN, PAPER, Row
from pte_study.render import cells as shown
from pte_study.render.cells import EMPHASIS, NONE, as_printed
from pte_study.render.html import html_page
from pte_study.render.latex import escape, write_latex
from pte_study.render.markdown import write_markdown
from pte_study.render.section import Section
from pte_study.render.text import aligned_table, read_csv, write_csv, write_text
from pte_study.report.summaries import caveats, frame_of, reference_scores, summarise
from pte_study.store.reading import read_records

SCORES = ["micro_mean", "micro_sd", "macro_mean", "macro_sd"]
OF_CHOSEN = [*SCORES, "samples", "train_seconds"]
COSTS = ["n_seeds", "samples", "train_seconds", "unavailable"]
CELL = ["corpus", "method"]
NOT_RUN = "not yet run"
EXTRA = "†"
NOTE = f"{EXTRA} not in the paper."
DIFFERENCE_NOTE = "Δ is our micro-F1 minus the reported one."
MARKS = f"The best micro-F1 is bold, the second best underlined. {DIFFERENCE_NOTE}"
ON_TERMINAL = (
    f"An asterisk marks the best micro-F1. {DIFFERENCE_NOTE} T is the number of edges drawn, and "
    "seconds are those of the training."
)
CHOSEN_NOTE = "A method without T that classifies by itself has one score, shown in both protocols."
FAR = 2.0
"""Points of micro-F1 above which a difference stands out."""


def make(files: Mapping[str, Any], given: Mapping[str, Any], stem: Path) -> None:
    """Write the comparison of some runs."""
    records = read_records(files["runs"], given["names"])
    write_comparison(compared(records, files, given), stem, given["title"])


def compared(
    records: Sequence[Mapping[str, Any]], files: Mapping[str, Any], given: Mapping[str, Any]
) -> pd.DataFrame:
    """Return the comparison of some runs, from the files and values that `make` is given."""
    texts = (given["stand_ins"], given["official"])
    reference = reference_scores(files["paper"], files["third_party"], *texts)
    rows = (given["methods"], given["corpora"], given["protocols"])
    return comparison(frame_of(records), reference, *rows)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show methods beside the reported numbers."""
    frame = read_csv(files["csv"])
    cells = comparison_cells(frame)
    said = (given["caption"], *notes(frame))
    return Section(given["title"], said, cells, corpora={corpus: corpus for corpus in cells})


def comparison(
    scores: pd.DataFrame,
    reference: pd.DataFrame,
    methods: Sequence[Row],
    corpora: Sequence[str],
    protocols: Sequence[str],
) -> pd.DataFrame:
    """Return a row for each corpus and method, in the order in which they are shown.

    Values of runs that are missing stay NaN; `unavailable` says why a method could not be run.
    Scores and costs without a prefix are by the protocol "paper". Columns with the prefix `chosen_`
    are there if `protocols` has "chosen". `difference` is our mean micro-F1 minus the reported
    micro-F1.
    """
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
        .merge(_of_protocol(summary, PAPER, SCORES + COSTS), on=CELL, how="left")
        .merge(reported, on=CELL, how="left", validate="one_to_one")
    )
    frame["difference"] = frame["micro_mean"] - frame["reference_micro"]
    frame["n_seeds"] = frame["n_seeds"].fillna(0).astype("Int64")
    if CHOSEN in protocols:
        chosen = _of_protocol(summary, CHOSEN, OF_CHOSEN)
        chosen = chosen.rename(columns={name: f"chosen_{name}" for name in OF_CHOSEN})
        frame = frame.merge(chosen, on=CELL, how="left")
    return frame


def write_comparison(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    """Write the comparison as `stem`.csv, .md, .html, .tex and .txt, a table for each corpus."""
    cells, said = comparison_cells(frame), (MARKS, *notes(frame))
    html = html_page(caption, [Section(tables=cells)], said, difference_classes)
    groups = {corpus: list(panel["group"]) for corpus, panel in _panels(frame)}
    names = dict(zip(_methods(frame, "label"), _methods(frame, "latex"), strict=True))
    write_csv(frame, stem)
    write_markdown(cells, stem, caption, said)
    write_text(stem, "html", html)
    write_latex(cells, stem, caption, said, groups, names)
    write_text(stem, "txt", format_for_terminal(frame))


def notes(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the notes below a comparison."""
    chosen = (CHOSEN_NOTE,) if "chosen_micro_mean" in frame else ()
    return (NOTE, *chosen, *caveats(frame))


def comparison_cells(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the comparison as strings, a table for each corpus, with the best two marked."""
    return {corpus: _emphasised(_cells(panel), panel) for corpus, panel in _panels(frame)}


def format_for_terminal(frame: pd.DataFrame) -> str:
    """Return the comparison in aligned columns, a table for each corpus; the best is starred."""
    tables = []
    for corpus, panel in _panels(frame):
        best = _ranks(panel) == 1
        cells = _cells(panel)
        cells["micro-F1"] = [
            value + (" *" if top else "  ")
            for value, top in zip(cells["micro-F1"], best, strict=True)
        ]
        tables.append(f"{corpus}\n{aligned_table(cells)}")
    return "\n\n".join([*tables, "\n".join([ON_TERMINAL, *notes(frame)])])


def difference_classes(column: str, cell: str) -> list[str]:
    """Return the CSS classes of a difference: on which side of 0, and whether far from 0."""
    difference = shown.sort_key(cell)
    if column != "Δ" or not difference:
        return []
    return ["above" if difference > 0 else "below"] + ["far"] * (abs(difference) > FAR)


def _panels(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for corpus, panel in frame.groupby("corpus", sort=False):
        yield str(corpus), panel.reset_index(drop=True)


def _ranks(panel: pd.DataFrame) -> "pd.Series[int]":
    """Return the ranks of mean micro-F1 as it is printed: 1 for the best, 0 for controls."""
    micro = as_printed(panel["micro_mean"].astype(float).where(panel["group"] != "control"))
    return micro.rank(method="dense", ascending=False).fillna(0).astype(int)


def _emphasised(cells: pd.DataFrame, panel: pd.DataFrame) -> pd.DataFrame:
    """Return the cells with the best micro-F1 and the second best marked."""
    marked = [
        EMPHASIS.get(rank, "{}").format(cell)
        for rank, cell in zip(_ranks(panel), cells["micro-F1"], strict=True)
    ]
    return cells.assign(**{"micro-F1": marked})


def _cells(panel: pd.DataFrame) -> pd.DataFrame:
    source = "/".join(panel["reference_source"].dropna().unique()) or "reference"
    cells = {
        "method": _methods(panel, "label"),
        "micro-F1": _spreads(panel, "micro"),
        "macro-F1": _spreads(panel, "macro"),
        source: [NONE if pd.isna(x) else f"{x:.2f}" for x in panel["reference_micro"]],
        "Δ": [shown.signed(x) for x in panel["difference"]],
    }
    if "chosen_micro_mean" in panel:
        cells["chosen"] = _spreads(panel, "chosen_micro")
    cells["T"] = [shown.humanise(x) for x in panel["samples"]]
    if "chosen_samples" in panel:
        cells["chosen T"] = [shown.humanise(x) for x in panel["chosen_samples"]]
    cells["seconds"] = [shown.seconds(x) for x in panel["train_seconds"]]
    return pd.DataFrame(cells)


def _methods(panel: pd.DataFrame, name: str) -> list[str]:
    """Return the names of the methods, with a mark on methods that are not in the paper."""
    mark = f" {escape(EXTRA) if name == 'latex' else EXTRA}"
    pairs = zip(panel[name], panel["group"], strict=True)
    return [f"{method}{mark}" if group == "extra" else method for method, group in pairs]


def _spreads(panel: pd.DataFrame, score: str) -> list[str]:
    """Return the cells of a score; if a method could not be run, micro-F1 alone says why."""
    why = panel["unavailable"].where(panel["unavailable"].isna() | (score == "micro"), NONE)
    triples = zip(panel[f"{score}_mean"], panel[f"{score}_sd"], why, strict=True)
    return [_spread(*triple) for triple in triples]


def _spread(mean: float, deviation: float, why: Any) -> str:
    if pd.isna(mean):
        return NOT_RUN if pd.isna(why) else str(why)
    return shown.spread(mean, deviation)


def _grid(methods: Sequence[Row], corpora: Sequence[str]) -> pd.DataFrame:
    rows = pd.DataFrame([asdict(method) for method in methods]).rename(columns={"name": "method"})
    rows["latex"] = [method.latex or escape(method.label) for method in methods]
    return pd.DataFrame({"corpus": list(corpora)}).merge(rows, how="cross")


def _of_protocol(summary: pd.DataFrame, protocol: str, columns: list[str]) -> pd.DataFrame:
    return summary.loc[summary["protocol"] == protocol, CELL + columns]
