"""One self-contained HTML page of sortable tables and figures, which needs no network."""

import base64
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from xml.sax.saxutils import unescape

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from pte.errors import PteError
from pte_study.paths import anchor
from pte_study.render.tables import numeric_columns, sort_key

Classes = Callable[[str, str], Sequence[str]]  # of a cell, from its column and text
FOLDER = Path(__file__).parent
MARKS = (("b", r"\*\*(.+?)\*\*"), ("code", r"`(.+?)`"), ("ins", r"&lt;ins&gt;(.+?)&lt;/ins&gt;"))
"""Elements, and their patterns in an escaped cell."""
POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
    "style-src 'unsafe-inline'; script-src 'sha256-{}'"
)  # run the one script, by its hash, and fetch nothing
LONG = 12  # the most rows of a table that is open among others
MANY, FIRST = 6, 4  # the most sections all open; how many are open of more


@dataclass(frozen=True)
class Section:
    """A part of a page; `pictures` are SVG."""

    title: str = ""
    text: Sequence[str] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)

    def joined(self, other: "Section") -> "Section":
        """Return this section with the tables and pictures of another, too."""
        pictures = {**self.pictures, **other.pictures}
        return replace(self, tables={**self.tables, **other.tables}, pictures=pictures)


def html_page(
    title: str,
    sections: Sequence[Section],
    classes: Classes = lambda column, cell: (),
    pages: Mapping[str, str] | None = None,
) -> str:
    """Write the sections under a title; a click on a column sorts its table."""
    script = (FOLDER / "html.js").read_text("utf-8")
    anchors = Counter(anchor(section.title) for section in sections if section.title)
    if twice := [section.title for section in sections if anchors[anchor(section.title)] > 1]:
        raise PteError(f"page: sections need other titles: {'; '.join(twice)}")
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "marked": _marked,
        "key": sort_key,
        "kinds": lambda column, cell: list(classes(column, cell)),
        "numeric": numeric_columns,
        "anchor": anchor,
        "base64": lambda data: base64.b64encode(data).decode(),
        "zip": zip,
        "described": description_of,
    }
    return environment.get_template("html.jinja").render(
        title=title,
        sections=sections,
        pages=pages or {},
        long=LONG if sum(len(section.tables) for section in sections) > 1 else float("inf"),
        many=MANY,
        first_tables=FIRST,
        first=FIRST if len(sections) > MANY else len(sections),
        policy=POLICY.format(base64.b64encode(sha256(script.encode()).digest()).decode()),
        style=Markup((FOLDER / "html.css").read_text("utf-8")),
        script=Markup(script),
    )


def _marked(cell: str) -> Markup:
    """Turn the marks of a cell into elements, and escape everything else; _ may end a line."""
    text = str(escape(cell)).replace("_", "_<wbr>")
    for name, pattern in MARKS:
        text = re.sub(pattern, rf"<{name}>\1</{name}>", text)
    return Markup(text)


def description_of(svg: bytes) -> str:
    """Return the description that an SVG file holds, or nothing."""
    found = re.search("<desc>(.*?)</desc>", svg.decode(), re.DOTALL)
    return unescape(found[1]) if found else ""
