"""A frame as CSV, and what readers see of it as Markdown and as LaTeX."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from pte_study.render.latex import write_latex
from pte_study.render.markdown import write_markdown
from pte_study.render.text import write_csv


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
