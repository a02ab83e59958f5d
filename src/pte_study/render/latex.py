"""Tables as LaTeX: floats that span both columns of a paper, with booktabs."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from pte_study.render.cells import EMPHASIS, MINUS, rows_of
from pte_study.render.text import write_text

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
}


def escape(text: str) -> str:
    """Replace each character that is special to LaTeX by its command; ± gets thin spaces."""
    return "".join(TEX.get(character, character) for character in text.replace(" ± ", "±"))


def latex_table(
    cells: pd.DataFrame,
    groups: Sequence[str],
    caption: str,
    label: str,
    notes: str = "",
    columns: str | None = None,
) -> str:
    """Write a float from a table of LaTeX strings, with a rule wherever the group changes.

    `columns` is the specification of the columns; without it, all columns but the first are aligned
    to the right.
    """
    lines = [" & ".join(cells.columns) + r" \\"]
    previous = None
    for group, row in zip(groups, rows_of(cells), strict=True):
        lines += [r"\midrule"] if group != previous else []
        lines += [" & ".join(row) + r" \\"]
        previous = group
    return "\n".join(
        [
            r"\begin{table*}[t]",
            r"\centering",
            SMALL if columns or _characters(cells) <= FITS else SMALLER,
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{re.sub('[^A-Za-z0-9]+', '-', label)}}}",
            rf"\begin{{tabular}}{{{columns or 'l' + 'r' * (cells.shape[1] - 1)}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\par\smallskip\footnotesize", notes] if notes else []),
            r"\end{table*}",
        ]
    )


def write_latex(
    tables: Mapping[str, pd.DataFrame],
    stem: Path,
    caption: str,
    notes: Sequence[str] = (),
    columns: str | None = None,
) -> None:
    """Write `stem`.tex: a float for each table of strings; `columns` is as in `latex_table`."""
    floats = [
        latex_table(
            cells.map(latex_cell).rename(columns=escape),
            [""] * len(cells),
            escape(f"{caption} ({name})" if name else caption),
            f"{stem.name}-{name}".strip("-"),
            escape(" ".join(notes)),
            columns,
        )
        for name, cells in tables.items()
    ]
    write_text(stem, "tex", "\n\n".join(floats))


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
