"""Tables as one self-contained HTML page, for the report; light and dark, wide and narrow."""

import re
from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.8rem; text-align: right; white-space: nowrap; }
th { border-bottom: 1px solid; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td:first-child { white-space: normal; min-width: 10rem; }
tbody tr:hover { background: color-mix(in srgb, currentcolor 8%, transparent); }
"""


def html_page(caption: str, sections: Mapping[str, pd.DataFrame], notes: Sequence[str] = ()) -> str:
    """A page with a table of strings for each section; `**x**` in a cell is set in bold."""
    parts = [f"<h2>{escape(name)}</h2>\n{_table(cells)}" for name, cells in sections.items()]
    parts += [f"<ul>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>"] if notes else []
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(caption)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f"<p>{escape(caption)}</p>",
            *parts,
            "</body>\n</html>",
        ]
    )


def _table(cells: pd.DataFrame) -> str:
    marked = cells.map(lambda cell: re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(cell)))
    table = marked.rename(columns=escape).to_html(index=False, escape=False, border=0)
    return f"<div>{table}</div>"
