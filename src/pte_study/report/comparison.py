"""Our scores beside the reported scores: a row for every method on every corpus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from pte_study.configuration.config import CHOSEN, PAPER, Row
from pte_study.render import tables as shown
from pte_study.render.html import Section, html_page
from pte_study.render.tables import EMPHASIS, NONE, as_printed, escape, read_csv, write_tables
from pte_study.report.summaries import METRICS, caveats, frame_of, reference_scores, summarise
from pte_study.store.reading import read_records

SCORES = [f"{metric}_{part}" for metric in METRICS for part in ("mean", "sd")]
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
FAR = 2.0  # points of micro-F1 above which a difference stands out


def make(files: Mapping[str, Any], given: Mapping[str, Any], stem: Path) -> None:
    """Write the comparison of some runs."""
    scores = frame_of(read_records(files["runs"], given["names"]))
    texts = (given["stand_ins"], given["official"])
    reference = reference_scores(files["paper"], files["third_party"], *texts)
    frame = comparison(
        scores, reference, given["methods"], given["corpora"], CHOSEN in given["protocols"]
    )
    write_comparison(frame, stem, given["title"])


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show methods beside the reported numbers."""
    frame = read_csv(files["csv"])
    return Section(given["title"], (given["caption"], *_notes(frame)), comparison_cells(frame))


def comparison(
    scores: pd.DataFrame,
    reference: pd.DataFrame,
    methods: Sequence[Row],
    corpora: Sequence[str],
    with_chosen: bool,
) -> pd.DataFrame:
    """Return a row for each corpus and method, in the order in which they are shown."""
    summary = summarise(scores)
    reported = reference.set_index(CELL).add_prefix("reference_").reset_index()
    reported.columns = reported.columns.str.removesuffix("_f1")
    rows = pd.DataFrame([asdict(method) for method in methods]).rename(columns={"name": "method"})
    rows["latex"] = [method.latex or escape(method.label) for method in methods]
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
    """Write the comparison as `stem`.csv, .md, .html, .tex and .txt, a table for each corpus."""
    cells, said = comparison_cells(frame), (MARKS, *_notes(frame))
    groups = {corpus: list(panel["group"]) for corpus, panel in _panels(frame)}
    names = dict(zip(_methods(frame, "label"), _methods(frame, "latex"), strict=True))
    html = html_page(caption, [Section(tables=cells)], said, difference_classes)
    write_tables(frame, cells, stem, caption, said, groups, names)
    shown.write_text(stem, "html", html)
    shown.write_text(stem, "txt", format_for_terminal(frame))


def _notes(frame: pd.DataFrame) -> tuple[str, ...]:
    chosen = (CHOSEN_NOTE,) if "chosen_micro_mean" in frame else ()
    return (NOTE, *chosen, *caveats(frame))


def comparison_cells(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the comparison as strings, a table for each corpus, with the best two marked."""
    return {
        corpus: _marked(panel, [EMPHASIS.get(rank, "{}") for rank in _ranks(panel)])
        for corpus, panel in _panels(frame)
    }


def format_for_terminal(frame: pd.DataFrame) -> str:
    """Return the comparison in aligned columns, a table for each corpus; the best is starred."""
    tables = []
    for corpus, panel in _panels(frame):
        marks = ["{} *" if rank == 1 else "{}  " for rank in _ranks(panel)]
        tables.append(f"{corpus}\n{shown.aligned_table(_marked(panel, marks))}")
    return "\n\n".join([*tables, "\n".join([ON_TERMINAL, *_notes(frame)])])


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
    """Return the ranks of printed mean micro-F1: 1 for the best, 0 for controls."""
    micro = as_printed(panel["micro_mean"].astype(float).where(panel["group"] != "control"))
    return micro.rank(method="dense", ascending=False).fillna(0).astype(int)


def _marked(panel: pd.DataFrame, marks: Sequence[str]) -> pd.DataFrame:
    """Return the cells of a corpus; each mark is the format of the micro-F1 of a row."""
    source = "/".join(panel["reference_source"].dropna().unique()) or "reference"
    cells = {"method": _methods(panel, "label")}
    cells |= {title: _spreads(panel, metric) for metric, title in METRICS.items()}
    cells["micro-F1"] = [
        mark.format(cell) for mark, cell in zip(marks, cells["micro-F1"], strict=True)
    ]
    cells[source] = [NONE if pd.isna(x) else f"{x:.2f}" for x in panel["reference_micro"]]
    cells["Δ"] = [shown.signed(x) for x in panel["difference"]]
    if "chosen_micro_mean" in panel:
        cells["chosen"] = _spreads(panel, "chosen_micro")
    cells["T"] = [shown.humanise(x) for x in panel["samples"]]
    if "chosen_samples" in panel:
        cells["chosen T"] = [shown.humanise(x) for x in panel["chosen_samples"]]
    cells["seconds"] = [shown.seconds(x) for x in panel["train_seconds"]]
    return pd.DataFrame(cells)


def _methods(panel: pd.DataFrame, name: str) -> list[str]:
    mark = f" {escape(EXTRA) if name == 'latex' else EXTRA}"
    pairs = zip(panel[name], panel["group"], strict=True)
    return [f"{method}{mark}" if group == "extra" else method for method, group in pairs]


def _spreads(panel: pd.DataFrame, score: str) -> list[str]:
    unknown = (panel["n_seeds"] > 0) & (score in METRICS)  # of several labels, without a confusion
    why = panel["unavailable"].astype(object).fillna(NOT_RUN).mask(unknown, NONE)
    if score != "micro":
        why = why.mask(panel["unavailable"].notna(), NONE)
    triples = zip(panel[f"{score}_mean"], panel[f"{score}_sd"], why, strict=True)
    return [reason if pd.isna(mean) else shown.spread(mean, sd) for mean, sd, reason in triples]
