"""Tables as files, and as LaTeX: floats that span both columns of a paper, with booktabs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from pte_study.render.cells import EMPHASIS, MINUS, rows_of
from pte_study.render.markdown import write_markdown
from pte_study.render.text import write_csv, write_text

COMMANDS = {1: r"\textbf{{{}}}", 2: r"\underline{{{}}}"}
"""How LaTeX marks the best value and the second best, by rank."""
SMALL = r"\small\setlength{\tabcolsep}{4pt}"
SMALLER = r"\scriptsize\setlength{\tabcolsep}{2pt}"
FITS = 95
"""How many characters of a `SMALL` row fit on a page that is 7 inches wide."""
TEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"\,$\pm$\,",
    MINUS: "$-$",
    "—": "---",
    "†": r"$\dagger$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "₀": r"$_0$",
    "×": r"$\times$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "\n": "\\\\\n",
}


def escape(text: str) -> str:
    """Replace what is special to LaTeX: characters by their commands, quotation marks by pairs.

    ± gets thin spaces, and the end of a line stays one.
    """
    text = re.sub('"([^"]*)"', r"``\1''", text.replace(" ± ", "±"))
    return "".join(TEX.get(character, character) for character in text)


def write_tables(
    frame: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    stem: Path,
    caption: str,
    notes: Sequence[str] = (),
) -> None:
    """Write `frame` as `stem`.csv, and tables of strings, by name, as `stem`.md and .tex."""
    write_csv(frame, stem)
    write_markdown(tables, stem, caption, notes)
    write_latex(tables, stem, caption, notes)


def write_latex(
    tables: Mapping[str, pd.DataFrame],
    stem: Path,
    caption: str,
    notes: Sequence[str] = (),
    groups: Mapping[str, Sequence[str]] | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """Write `stem`.tex: a float for each table of strings.

    `groups` has the group of each row of a table; there is a rule wherever the group changes.
    `names` has the LaTeX of cells that have a LaTeX of their own.
    """
    lines: list[str] = []
    for name, strings in tables.items():
        cells = strings.map(lambda cell: (names or {}).get(cell) or latex_cell(cell))
        cells = cells.rename(columns=escape)
        label = re.sub("[^A-Za-z0-9]+", "-", f"{stem.name}-{name}".strip("-"))
        lines += [
            r"\begin{table*}[t]",
            r"\centering",
            SMALL if _characters(cells) <= FITS else SMALLER,
            rf"\caption{{{escape(f'{caption} ({name})' if name else caption)}}}",
            rf"\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{l{'r' * (cells.shape[1] - 1)}}}",
            r"\toprule",
            *_rows(cells, (groups or {}).get(name, [""] * len(cells))),
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\par\smallskip\footnotesize", escape(" ".join(notes))] if any(notes) else []),
            "\\end{table*}\n",
        ]
    write_text(stem, "tex", "\n".join(lines))


def _rows(cells: pd.DataFrame, groups: Sequence[str]) -> Iterator[str]:
    """Yield the header and the rows of a table of LaTeX, with a rule before each group."""
    yield " & ".join(cells.columns) + r" \\"
    previous = None
    for group, row in zip(groups, rows_of(cells), strict=True):
        if group != previous:
            yield r"\midrule"
        yield " & ".join(row) + r" \\"
        previous = group


def latex_cell(cell: str) -> str:
    """Escape a cell, and turn its emphasis into a LaTeX command."""
    for rank, mark in EMPHASIS.items():
        begin, end = mark.split("{}")
        if cell.startswith(begin) and cell.endswith(end):
            return COMMANDS[rank].format(escape(cell[len(begin) : -len(end)]))
    return escape(cell)


def _characters(cells: pd.DataFrame) -> int:
    """Estimate how many characters a row prints if each cell is the longest cell of its column."""
    rows = [list(cells.columns), *rows_of(cells)]
    printed = [[re.sub(r"\\[A-Za-z]+|[${}\\]", "", cell) for cell in row] for row in rows]
    return sum(max(map(len, column)) for column in zip(*printed, strict=True))
