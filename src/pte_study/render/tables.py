"""Tables as Markdown and as LaTeX together."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from pte_study.render.latex import write_latex
from pte_study.render.markdown import write_markdown


def write_tables(
    tables: Mapping[str, pd.DataFrame], stem: Path, caption: str, notes: Sequence[str] = ()
) -> None:
    """Write tables of strings, by name, as `stem`.md and as `stem`.tex."""
    write_markdown(tables, stem, caption, notes)
    write_latex(tables, stem, caption, notes)
