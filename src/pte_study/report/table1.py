"""Table 1 of the paper beside our corpora.

The released code counts an end-of-line token, so the paper's vocabularies and document lengths
are one above ours. The table shows our numbers both ways.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pte.corpora.entry import PaperRow
from pte.errors import PteError
from pte_study.render.cells import NONE
from pte_study.render.html import html_page
from pte_study.render.latex import write_latex
from pte_study.render.markdown import write_markdown
from pte_study.render.section import Section
from pte_study.render.text import read_csv, write_csv, write_text
from pte_study.store.reading import corpus_record

COUNTS = ["train", "labelled_train", "test", "vocabulary", "doc_length", "classes"]
COMPARED = ["train", "test", "vocabulary", "doc_length", "classes"]
PAPER_LINE, OURS_LINE, CONVENTION_LINE = "paper", "ours", "ours + 1"
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


def make(files: Mapping[str, Any], given: Mapping[str, Any], stem: Path) -> None:
    """Write the table of encoded corpora, or of their records."""
    corpora = [
        (folder.stem, corpus_record(folder)["counts"], expected)
        for folder, expected in zip(files["corpora"], given["expected"], strict=True)
    ]
    write_table1(table1(corpora, pd.read_csv(files["paper"])), stem, given["caption"])


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show our corpora beside the paper's."""
    frame = read_csv(files["csv"]).astype(object)
    return Section("Corpora", table1_notes(frame), {"Corpora": table1_cells(frame)})


def table1(
    corpora: Sequence[tuple[str, Mapping[str, Any], PaperRow]], paper: pd.DataFrame
) -> pd.DataFrame:
    """Return up to three rows for each corpus: the paper's values, ours, and ours plus one.

    A corpus is its name, its counts, and its `table1` entry. The last row counts as the paper does.
    `agrees` says whether the first and the last row are equal in the columns of `COMPARED`. It is
    NA if the paper has no row for the corpus. Raises `PteError` for the first corpus declared
    "exact" that differs from the paper.
    """
    printed = {row["corpus"]: row for row in paper.to_dict("records")}
    frame = pd.DataFrame([row for corpus in corpora for row in _rows_of(*corpus, printed)])
    types = {name: "float" if name == "doc_length" else "Int64" for name in COUNTS}
    return frame.astype(types | {"agrees": "boolean"})


def write_table1(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    """Write the table as `stem`.csv, .md, .html and .tex."""
    cells, notes = table1_cells(frame), table1_notes(frame)
    write_csv(frame, stem)
    write_text(stem, "html", html_page(caption, [Section(tables={"": cells})], notes))
    write_markdown({"": cells}, stem, caption, ["\n".join(f"- {note}" for note in notes)])
    write_latex({"": cells}, stem, caption, ["\n".join(notes)], {"": list(frame["corpus"])})


def _rows_of(
    corpus: str, counts: Mapping[str, Any], expected: PaperRow, printed: dict[Any, Any]
) -> list[dict[str, Any]]:
    counts = {**counts, "doc_length": counts["mean_document_length"]}
    ours = {name: counts[name] for name in COUNTS}
    convention = ours | {
        "vocabulary": ours["vocabulary"] + 1,
        "doc_length": round(ours["doc_length"] + 1, 2),
    }
    lines = {OURS_LINE: ours, CONVENTION_LINE: convention}
    agrees = None
    if expected.row is not None:
        paper = _paper_row(corpus, expected.row, printed)
        lines = {PAPER_LINE: paper} | lines
        differing = [name for name in COMPARED if paper[name] != convention[name]]
        agrees = not differing
        if expected.match == "exact" and differing:
            name = differing[0]
            raise PteError(
                f"{corpus}: {name} differs from the paper's Table 1: "
                f"expected {paper[name]}, got {convention[name]}"
            )
    elif expected.match == "exact":
        raise PteError(f"{corpus}: declared exact, but it names no row of the paper's Table 1")
    facts = {"match": expected.match, "agrees": agrees, "why": expected.why}
    return [{"corpus": corpus, "values": values} | line | facts for values, line in lines.items()]


def _paper_row(corpus: str, row: str, printed: dict[Any, Any]) -> dict[str, Any]:
    if row not in printed:
        raise PteError(
            f"{corpus}: paper_row {row!r} is not in the paper's Table 1; "
            f"known rows are {', '.join(printed)}"
        )
    return {name: printed[row][name] for name in COUNTS}


def table1_notes(frame: pd.DataFrame) -> list[str]:
    """Return, for corpora that are not exactly the paper's, notes that say why."""
    inexact = frame[(frame["match"] != "exact") & (frame["values"] == OURS_LINE)]
    reasons = inexact.groupby("why", sort=False)["corpus"]
    return [f"{', '.join(corpora)}: {why}" for why, corpora in reasons]


def table1_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table as strings; the name, `match` and `agrees` of a corpus are shown once."""
    cells = {name: [_text(value) for value in frame[name]] for name in HEADERS}
    repeated = frame["corpus"].eq(frame["corpus"].shift())
    for name in ("corpus", "match", "agrees"):
        pairs = zip(cells[name], repeated, strict=True)
        cells[name] = ["" if again else text for text, again in pairs]
    return pd.DataFrame(cells).rename(columns=HEADERS)


def _text(value: Any) -> str:
    if pd.isna(value):
        return NONE
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}"
