"""The comparison as text: CSV, Markdown, HTML, LaTeX and a plain table for the terminal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.files import atomic_file
from pte.report.cells import MINUS, NONE, humanise, spread
from pte.report.html import Section, html_page

NOT_RUN = "not yet run"
EXTRA = "†"
NOTE = f"{EXTRA} not in the paper."
ON_TERMINAL = (
    "An asterisk marks the best. Δ: ours minus what is reported. T: edges drawn. "
    "seconds: of training."
)
TUNED_NOTE = "A method that classifies by itself has one score, shown in both settings."
MARKDOWN = {1: "**{}**", 2: "<ins>{}</ins>"}
LATEX = {1: r"\textbf{{{}}}", 2: r"\underline{{{}}}"}
"""How the best and the second best of a corpus are marked."""
SMALL = r"\small\setlength{\tabcolsep}{4pt}"
SMALLER = r"\scriptsize\setlength{\tabcolsep}{2pt}"
FITS = 95
"""The characters of a row that fit on a page, 7 inches wide, if it is `SMALL`."""
TEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"\,$\pm$\,",
    MINUS: "$-$",
    "—": "---",
    EXTRA: r"$\dagger$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "₀": r"$_0$",
    "×": r"$\times$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
}


def write_comparison(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    """Write the comparison as `stem`.csv, .md, .html, .tex and .txt, a table per corpus."""
    cells, latex, said = comparison_cells(frame), [], notes(frame)
    for corpus, panel in _panels(frame):
        tex = _cells(panel).map(escape).rename(columns=escape)
        tex = _emphasised(tex.assign(method=_methods(panel, "latex")), panel, LATEX)
        label = f"{stem.name}-{corpus}"
        title, below = escape(f"{caption} ({corpus})"), escape(" ".join(said))
        latex += [latex_table(tex, list(panel["group"]), title, label, below)]
    write_csv(frame, stem)
    write_markdown(cells, stem, caption, said)
    write_text(stem, "html", html_page(caption, [Section(tables=cells)], said))
    write_text(stem, "tex", "\n\n".join(latex))
    write_text(stem, "txt", format_for_terminal(frame))


def notes(frame: pd.DataFrame) -> tuple[str, ...]:
    """What is said below a comparison."""
    return (NOTE, TUNED_NOTE) if "tuned_micro_mean" in frame else (NOTE,)


def comparison_cells(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The comparison as Markdown cells, a table per corpus."""
    return {corpus: _emphasised(_cells(panel), panel, MARKDOWN) for corpus, panel in _panels(frame)}


def format_for_terminal(frame: pd.DataFrame) -> str:
    """The comparison in aligned columns, a table per corpus; an asterisk marks the best."""
    tables = []
    for corpus, panel in _panels(frame):
        best = _ranks(panel) == 1
        cells = _cells(panel)
        cells["micro-F1"] = [
            value + (" *" if top else "  ")
            for value, top in zip(cells["micro-F1"], best, strict=True)
        ]
        tables.append(f"{corpus}\n{_aligned(cells)}")
    return "\n\n".join([*tables, "\n".join([ON_TERMINAL, *notes(frame)])])


def escape(text: str) -> str:
    """Text with every character special to LaTeX replaced by its command; ± has thin spaces."""
    return "".join(TEX.get(character, character) for character in text.replace(" ± ", "±"))


def markdown_table(cells: pd.DataFrame) -> str:
    """A Markdown table of strings: the first column to the left, the others to the right."""
    header = [str(name) for name in cells.columns]
    rule = [":--"] + ["--:"] * (len(header) - 1)
    rows = [header, rule, *([cell.replace("|", r"\|") for cell in row] for row in _rows(cells))]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def latex_table(
    cells: pd.DataFrame,
    groups: Sequence[str],
    caption: str,
    label: str,
    notes: str = "",
    columns: str | None = None,
) -> str:
    """A two-column float of LaTeX strings, with a rule wherever the group changes.

    `columns` is the specification of its columns; all but the first to the right without it.
    """
    lines = [" & ".join(cells.columns) + r" \\"]
    previous = None
    for group, row in zip(groups, _rows(cells), strict=True):
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


def write_tables(
    tables: Mapping[str, pd.DataFrame], stem: Path, caption: str, notes: Sequence[str] = ()
) -> None:
    """Write tables of strings, by name, as `stem`.md and as `stem`.tex."""
    write_markdown(tables, stem, caption, notes)
    write_latex(tables, stem, caption, notes)


def write_markdown(
    tables: Mapping[str, pd.DataFrame], stem: Path, caption: str, notes: Sequence[str] = ()
) -> None:
    """Write `stem`.md: tables of strings under their names, if they have one."""
    parts = [part for name, cells in tables.items() for part in _named(name, cells)]
    write_text(stem, "md", "\n\n".join([caption, *parts, *notes]))


def write_latex(
    tables: Mapping[str, pd.DataFrame],
    stem: Path,
    caption: str,
    notes: Sequence[str] = (),
    columns: str | None = None,
) -> None:
    """Write `stem`.tex: a float for each table of strings; `columns` as for `latex_table`."""
    floats = [
        latex_table(
            cells.map(_latex).rename(columns=escape),
            [""] * len(cells),
            escape(f"{caption} ({name})" if name else caption),
            f"{stem.name}-{name}".strip("-"),
            escape(" ".join(notes)),
            columns,
        )
        for name, cells in tables.items()
    ]
    write_text(stem, "tex", "\n\n".join(floats))


def write_csv(frame: pd.DataFrame, stem: Path) -> None:
    """Write `stem`.csv, with two decimals to every float."""
    write_text(stem, "csv", frame.to_csv(index=False, float_format="%.2f", lineterminator="\n"))


def write_text(stem: Path, extension: str, text: str) -> None:
    """Write `text` to `stem`.`extension`, ending in one newline, atomically."""
    with atomic_file(stem.with_name(f"{stem.name}.{extension}")) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def _characters(cells: pd.DataFrame) -> int:
    """How many characters of LaTeX strings are printed in a row, about, if each is its longest."""
    rows = [list(cells.columns), *_rows(cells)]
    printed = [[re.sub(r"\\[A-Za-z]+|[${}\\]", "", cell) for cell in row] for row in rows]
    return sum(max(map(len, column)) for column in zip(*printed, strict=True))


def _latex(cell: str) -> str:
    """A cell of Markdown: its marks as commands, everything else escaped."""
    for rank, mark in MARKDOWN.items():
        begin, end = mark.split("{}")
        if cell.startswith(begin) and cell.endswith(end):
            return LATEX[rank].format(escape(cell[len(begin) : -len(end)]))
    return escape(cell)


def _named(name: str, cells: pd.DataFrame) -> list[str]:
    return [f"### {name}", markdown_table(cells)] if name else [markdown_table(cells)]


def _panels(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for corpus, panel in frame.groupby("corpus", sort=False):
        yield str(corpus), panel.reset_index(drop=True)


def _ranks(panel: pd.DataFrame) -> "pd.Series[int]":
    """1 for the best mean micro-F1 as it is printed, 2 for the second; 0 for controls."""
    micro = panel["micro_mean"].astype(float).where(panel["group"] != "control").round(2)
    return micro.rank(method="dense", ascending=False).fillna(0).astype(int)


def _emphasised(cells: pd.DataFrame, panel: pd.DataFrame, marks: Mapping[int, str]) -> pd.DataFrame:
    """The cells with the best micro-F1 and the second marked."""
    ranks = _ranks(panel)
    shown = [
        marks.get(rank, "{}").format(cell)
        for rank, cell in zip(ranks, cells["micro-F1"], strict=True)
    ]
    return cells.assign(**{"micro-F1": shown})


def _cells(panel: pd.DataFrame) -> pd.DataFrame:
    source = "/".join(panel["reference_source"].dropna().unique()) or "reference"
    cells = {
        "method": _methods(panel, "label"),
        "micro-F1": _spreads(panel, "micro"),
        "macro-F1": _spreads(panel, "macro"),
        source: [NONE if pd.isna(x) else f"{x:.2f}" for x in panel["reference_micro"]],
        "Δ": [_signed(x) for x in panel["difference"]],
    }
    if "tuned_micro_mean" in panel:
        cells["tuned"] = _spreads(panel, "tuned_micro")
    cells["T"] = [humanise(x) for x in panel["samples"]]
    cells["seconds"] = [_seconds(x) for x in panel["train_seconds"]]
    return pd.DataFrame(cells)


def _methods(panel: pd.DataFrame, name: str) -> list[str]:
    """The names of the methods; those beyond the paper are marked."""
    mark = {"label": f" {EXTRA}", "latex": rf" {TEX[EXTRA]}"}[name]
    pairs = zip(panel[name], panel["group"], strict=True)
    return [f"{method}{mark}" if group == "extra" else method for method, group in pairs]


def _spreads(panel: pd.DataFrame, score: str) -> list[str]:
    """Scores; without one, micro-F1 says why."""
    why = panel["unavailable"].where(panel["unavailable"].isna() | (score == "micro"), NONE)
    triples = zip(panel[f"{score}_mean"], panel[f"{score}_sd"], why, strict=True)
    return [_spread(*triple) for triple in triples]


def _spread(mean: float, deviation: float, why: Any) -> str:
    if pd.isna(mean):
        return NOT_RUN if pd.isna(why) else str(why)
    return spread(mean, deviation)


def _signed(value: float) -> str:
    if pd.isna(value):
        return NONE
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", MINUS)


def _seconds(value: float) -> str:
    if pd.isna(value):
        return NONE
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def _aligned(cells: pd.DataFrame) -> str:
    rows = [[str(name) for name in cells.columns], *_rows(cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _rows(cells: pd.DataFrame) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in cells.itertuples(index=False)]
