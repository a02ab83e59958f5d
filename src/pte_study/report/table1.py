"""Table 1 of the paper beside our corpora.

The released code counts an end-of-line token, so our counts are shown with and without it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.corpora.entry import PaperRow
from pte.errors import PteError
from pte_study.render import tables
from pte_study.render.html import Section
from pte_study.report.summaries import Files, Given
from pte_study.store.stored_runs import corpus_record

HEADERS = {
    "corpus": "corpus",
    "values": "values",
    "train": "train",
    "labelled_train": "labelled",
    "test": "test",
    "vocabulary": "vocabulary",
    "doc_length": "doc. length",
    "classes": "classes",
    "match": "declared",
    "agrees": "agrees",
}
COUNTS = list(HEADERS)[2:8]
COMPARED = [name for name in COUNTS if name != "labelled_train"]
OURS = "ours"


def make_table1(files: Files, given: Given, stem: Path) -> None:
    corpora = [
        (folder.stem, corpus_record(folder)["counts"], expected)
        for folder, expected in zip(files["corpora"], given["expected"], strict=True)
    ]
    write_table1(table1(corpora, pd.read_csv(files["paper"])), stem, given["caption"])


def show_table1(files: Files, given: Given) -> Section:
    frame = pd.read_csv(files["csv"]).astype(object)
    return Section("Corpora", _notes(frame), {"Corpora": _cells(frame)})


def table1(
    corpora: Sequence[tuple[str, Mapping[str, Any], PaperRow]], paper: pd.DataFrame
) -> pd.DataFrame:
    """Return up to three rows for each corpus: the paper's values, ours, and ours plus one."""
    printed = {row["corpus"]: row for row in paper.to_dict("records")}
    frame = pd.DataFrame([row for corpus in corpora for row in _rows_of(*corpus, printed)])
    types = {name: "float" if name == "doc_length" else "Int64" for name in COUNTS}
    return frame.astype(types | {"agrees": "boolean"})


def _rows_of(
    corpus: str, counts: Mapping[str, Any], expected: PaperRow, printed: Mapping[Any, Any]
) -> list[dict[str, Any]]:
    counts = {**counts, "doc_length": counts["mean_document_length"]}
    ours = {name: counts[name] for name in COUNTS}
    more = {"vocabulary": ours["vocabulary"] + 1, "doc_length": round(ours["doc_length"] + 1, 2)}
    lines, agrees = {OURS: ours, f"{OURS} + 1": ours | more}, None
    if expected.row is not None:
        if expected.row not in printed:
            raise PteError(
                f"{corpus}: paper_row {expected.row!r} is not in the paper's Table 1; "
                f"known rows are {', '.join(printed)}"
            )
        lines = {"paper": {name: printed[expected.row][name] for name in COUNTS}} | lines
        paper, as_paper = lines["paper"], ours | more
        differing = [name for name in COMPARED if paper[name] != as_paper[name]]
        agrees = not differing
        if expected.match == "exact" and differing:
            raise PteError(
                f"{corpus}: {differing[0]} differs from the paper's Table 1: "
                f"expected {paper[differing[0]]}, got {as_paper[differing[0]]}"
            )
    elif expected.match == "exact":
        raise PteError(f"{corpus}: declared exact, but it names no row of the paper's Table 1")
    facts = {"match": expected.match, "agrees": agrees, "why": expected.why}
    return [{"corpus": corpus, "values": values} | line | facts for values, line in lines.items()]


def write_table1(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    notes = "\n".join(f"- {note}" for note in _notes(frame))
    tables.write_tables(frame, {"": _cells(frame)}, stem, caption, [notes])


def _notes(frame: pd.DataFrame) -> list[str]:
    inexact = frame[(frame["match"] != "exact") & (frame["values"] == OURS)]
    reasons = inexact.groupby("why", sort=False)["corpus"]
    return [f"{', '.join(corpora)}: {why}" for why, corpora in reasons]


def _cells(frame: pd.DataFrame) -> pd.DataFrame:
    cells = pd.DataFrame({name: [_text(value) for value in frame[name]] for name in HEADERS})
    repeated = frame["corpus"].eq(frame["corpus"].shift()).to_numpy()
    cells.loc[repeated, ["corpus", "match", "agrees"]] = ""
    return cells.rename(columns=HEADERS)


def _text(value: Any) -> str:
    if pd.isna(value):
        return tables.NONE
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
