"""Tables: numbers as cells, cells as numbers; files of CSV and Markdown, and pages of HTML."""

import base64
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.sax.saxutils import unescape

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from pte.errors import PteError
from pte.files import atomic_file
from pte_study.paths import anchor

NONE = "—"
MINUS = "\N{MINUS SIGN}"
EMPHASIS: dict[float, str] = {1: "**{}**", 2: "<ins>{}</ins>"}  # best and second best
UNITS = {"B": 1e9, "M": 1e6, "k": 1e3}
NUMBER = re.compile(r"(?:\*\*|<ins>|< )?([+−-]?\d[\d,]*(?:\.\d+)?)(?: ([kMB])\b)?(?=$|[\s*<%–]|, )")


def humanise(count: Any) -> str:
    """Write a count in thousands, millions or billions: 300000000 is "300 M"."""
    if pd.isna(count):
        return NONE
    for unit, size in UNITS.items():
        if round(1000 * count / size, 1) >= 1000:  # 999 960 is 1 M
            return f"{round(count / size, 1):g} {unit}"
    return f"{count:g}"


def spread(mean: float, deviation: float) -> str:
    return f"{mean:.2f}" if pd.isna(deviation) else f"{mean:.2f} ± {deviation:.2f}"


def signed(value: float) -> str:
    if pd.isna(value):
        return NONE
    return f"{round(float(value), 2) + 0.0:+.2f}".replace("-", MINUS)


def seconds(value: float) -> str:
    """Write seconds, with a decimal below 10 and two below a tenth."""
    decimals = 2 if value < 0.1 else 1 if value < 10 else 0
    return NONE if pd.isna(value) else f"{value:,.{decimals}f}"


def as_printed(scores: "pd.Series[float]") -> "pd.Series[float]":
    """Return scores with the two decimals of their cells, so that equal cells have equal ranks."""
    return scores.map("{:.2f}".format).astype(float)


def sort_key(cell: str) -> float | None:
    """Return the number that a cell starts with, in ones; None if it starts with text."""
    match = NUMBER.match(cell)
    if match is None:
        return None
    number, unit = match.groups()
    return float(number.replace(",", "").replace(MINUS, "-")) * UNITS.get(unit, 1)


def numeric_columns(cells: pd.DataFrame) -> set[str]:
    """Return the columns whose cells are numbers at least as often as words."""
    numeric = set()
    for name, column in cells.items():
        numbers = column.map(sort_key).notna()
        if numbers.sum() >= (~numbers & ~column.isin(["", NONE])).sum():
            numeric.add(str(name))
    return numeric


def write_text(stem: Path, extension: str, text: str) -> None:
    """Write `text` to `stem`.`extension`, atomically; the file ends with one newline."""
    with atomic_file(stem.with_name(f"{stem.name}.{extension}")) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def write_csv(frame: pd.DataFrame, stem: Path) -> None:
    """Write `stem`.csv, with all digits of a float."""
    write_text(stem, "csv", frame.to_csv(index=False, lineterminator="\n"))


def write_tables(
    frame: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    stem: Path,
    caption: str,
    notes: Sequence[str] = (),
) -> None:
    """Write `frame` as `stem`.csv, and tables of strings, by name, as `stem`.md."""
    write_csv(frame, stem)
    write_markdown(tables, stem, caption, notes)


def write_markdown(
    tables: Mapping[str, pd.DataFrame], stem: Path, caption: str, notes: Sequence[str] = ()
) -> None:
    parts = [
        part
        for name, cells in tables.items()
        for part in ([f"### {name}"] if name else []) + [markdown_table(cells)]
    ]
    write_text(stem, "md", "\n\n".join([caption, *parts, *notes]))


def markdown_table(cells: pd.DataFrame) -> str:
    """Write a table of strings: text and the first column to the left, numbers to the right."""
    others = cells.iloc[:, 1:]
    numeric = numeric_columns(others)
    lines = (cells.columns, *cells.to_numpy(object))
    header, *rows = ([str(cell).replace("|", r"\|") for cell in line] for line in lines)
    rule = [":--", *("--:" if str(name) in numeric else ":--" for name in others.columns)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def write_into(document: Path, name: str, table: str) -> None:
    """Put `table` between the two markers called `name` in a Markdown file."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = document.read_text(encoding="utf-8")
    block = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not block.search(text):
        raise PteError(f"{document}: put the lines {begin} and {end} where the table belongs")
    with atomic_file(document) as temporary:
        new = block.sub(lambda _: f"{begin}\n\n{table.strip()}\n\n{end}", text)
        temporary.write_text(new, encoding="utf-8")


# A self-contained HTML page of sortable tables and figures, which needs no network

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
    script = (FOLDER / "tables.js").read_text("utf-8")
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
    return environment.get_template("tables.jinja").render(
        title=title,
        sections=sections,
        pages=pages or {},
        long=LONG if sum(len(section.tables) for section in sections) > 1 else float("inf"),
        many=MANY,
        first_tables=FIRST,
        first=FIRST if len(sections) > MANY else len(sections),
        policy=POLICY.format(base64.b64encode(sha256(script.encode()).digest()).decode()),
        style=Markup((FOLDER / "tables.css").read_text("utf-8")),
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
