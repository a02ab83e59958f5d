"""One self-contained HTML page of sortable tables, figures and maps; it needs no network."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from pte.errors import PteError
from pte.report.cells import NONE, sort_key
from pte.report.claims import JUDGED

FOLDER = Path(__file__).parent
MARKS = (("b", r"\*\*(.+?)\*\*"), ("ins", r"&lt;ins&gt;(.+?)&lt;/ins&gt;"))
"""Elements, and what stands for them in an escaped cell: bold, and underlined, as in Markdown."""
FAR = 2.0
"""Points of micro-F1 from which a difference stands out."""


@dataclass(frozen=True)
class Section:
    """A part of a page. Cells of `tables` are strings; `pictures` are SVG; `maps` are those of
    `pte.report.maps.interactive_map`; `command` makes it. A section without a title has no heading.
    """

    title: str = ""
    text: Sequence[str] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    maps: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    command: str = ""


def html_page(title: str, sections: Sequence[Section], notes: Sequence[str] = ()) -> str:
    """The sections under a title, then the notes.

    `**x**` in a cell is bold, `<ins>x</ins>` underlined. Columns are sorted by a
    click, or by a key, on their names. Raises `PteError` when two sections have one title.
    """
    anchors = [anchor(section.title) for section in sections if section.title]
    if len(set(anchors)) < len(anchors):
        raise PteError(f"page: two sections have one title: {', '.join(sorted(anchors))}")
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "marked": marked,
        "key": sort_key,
        "kinds": kinds,
        "numeric": numeric_columns,
        "anchor": anchor,
        "base64": lambda data: base64.b64encode(data).decode(),
        "json": embedded_json,
        "zip": zip,
    }
    return environment.get_template("html.jinja").render(
        title=title,
        sections=sections,
        notes=notes,
        style=Markup(_beside("css")),
        script=Markup(_beside("js")),
    )


def numeric_columns(cells: pd.DataFrame) -> set[str]:
    """The columns with numbers, and not more words than numbers."""
    numeric = set()
    for name in cells:
        numbers = cells[name].map(sort_key).notna()
        words = ~numbers & ~cells[name].isin(["", NONE])
        if numbers.sum() > 0 and numbers.sum() >= words.sum():
            numeric.add(str(name))
    return numeric


def kinds(column: str, cell: str) -> list[str]:
    """The classes of a cell: how far a difference goes and where, or which verdict it gives."""
    difference = sort_key(cell)
    if column == "Δ" and difference:
        return ["above" if difference > 0 else "below"] + ["far"] * (abs(difference) > FAR)
    return ["verdict", anchor(cell)] if cell in JUDGED else []


def marked(cell: str) -> Markup:
    """A cell with its marks as elements, and everything else escaped."""
    text = str(escape(cell))
    for name, pattern in MARKS:
        text = re.sub(pattern, rf"<{name}>\1</{name}>", text)
    return Markup(text)


def anchor(text: str) -> str:
    """A name for a link, or a class, from a title."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def embedded_json(value: Any) -> Markup:
    """JSON that no text in it can end early."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def _beside(extension: str) -> str:
    return (FOLDER / f"html.{extension}").read_text("utf-8")
