"""Numbers and measured tables of documents that come from data.

`python -m pte_study.report.values` names every one that differs from the published one, and fails
if there is any; with `--write` it puts the published ones into the text.

The file `docs/values.txt` says where the numbers of the documents are from. A line that is not
indented names a document. The indented lines below it are phrases of this document, with the
source of each number in braces:

    README.md
        BOW has {short[dblp, bow].micro_mean} on dblp

`short` is `results/published/short.csv`, and `measured/order` is a file in a folder there.
The brackets hold the corpus and the method of the row, and values of further columns such as
`labelled=1`, with commas between them; `-` leaves out the corpus or the method. The column comes
after the point. `A - B` is the difference of two such values. A number keeps the number of decimals
that it has in the document. A phrase must occur exactly once in its document; ends of lines count
as spaces. A table of measurements stands between two comments, and has the cells of its file:

    <!-- measured/order: begin -->
    <!-- measured/order: end -->
"""

import argparse
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file
from pte_study import paths
from pte_study.render.tables import markdown_table, write_into

NUMBER = r"(-?\d+(?:\.\d+)?)"
TERM = re.compile(r"(?P<table>[\w/-]+)\[(?P<where>[^\]]*)\]\.(?P<column>[\w -]+?)")
BLOCK = re.compile(r"<!-- (measured/[\w-]+): begin -->(.*?)<!-- \1: end -->", re.DOTALL)
SOURCE = re.compile(r"\{([^}]*)\}")
DOCUMENTS = ("README.md", "docs/*.md")
PHRASES = Path("docs/values.txt")


class Drift(NamedTuple):
    """A number or a table of a document that differs from the published one."""

    document: Path
    what: str
    shown: str
    published: str
    place: tuple[int, int] | None = None


def drifts(root: Path, folder: Path) -> list[Drift]:
    """Return the numbers and tables that differ from the published data in `folder`."""
    documents = documents_here(root)
    if unknown := _phrases(root).keys() - {each.relative_to(root).as_posix() for each in documents}:
        raise PteError(f"{root / PHRASES}: {min(unknown)!r} is no document")
    return [drift for each in documents for drift in _drifts_of(each, root, folder)]


def write_values(root: Path, folder: Path) -> list[Path]:
    """Put the published numbers and tables into the documents; return the changed documents."""
    found = drifts(root, folder)
    for drift in reversed(found):  # from the end, so that the places of other numbers stay
        if drift.place is None:
            write_into(drift.document, drift.what, drift.published)
            continue
        (start, end), text = drift.place, drift.document.read_text("utf-8")
        with atomic_file(drift.document) as temporary:
            temporary.write_text(text[:start] + drift.published + text[end:], "utf-8")
    return list(dict.fromkeys(drift.document for drift in found))


def documents_here(root: Path = Path()) -> list[Path]:
    return sorted(path for pattern in DOCUMENTS for path in root.glob(pattern))


def sources_of(document: Path, root: Path) -> dict[tuple[int, int], str]:
    """Return where the numbers of a document are from, by their places in its text."""
    text = document.read_text("utf-8")
    sources: dict[tuple[int, int], str] = {}
    for phrase in _phrases(root).get(document.relative_to(root).as_posix(), ()):
        literals, whats = SOURCE.split(phrase)[::2], SOURCE.findall(phrase)
        pattern = NUMBER.join(r"\s+".join(map(re.escape, re.split(r"\s+", x))) for x in literals)
        found = list(re.finditer(pattern, text))
        if len(found) != 1:
            raise PteError(
                f"{root / PHRASES}: {document} has {phrase!r} {len(found)} times, not once"
            )
        sources |= {found[0].span(i): what for i, what in enumerate(whats, 1)}
    return dict(sorted(sources.items()))


def _phrases(root: Path) -> dict[str, list[str]]:
    path, phrases, document = root / PHRASES, dict[str, list[str]](), ""
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        if line.startswith(" "):
            phrases.setdefault(document, []).append(line.strip())
        elif line:
            document = line
    return phrases


def _drifts_of(document: Path, root: Path, folder: Path) -> Iterator[Drift]:
    """Yield tables, and then numbers in their order."""
    text = document.read_text("utf-8")
    for what, shown in BLOCK.findall(text):
        path = folder / f"{what}.csv"
        if not path.exists():
            raise PteError(f"{document}: <!-- {what}: begin -->: {path} is not there")
        header, *rows = pd.read_csv(path, header=None, dtype=str, keep_default_na=False).to_numpy()
        published = markdown_table(pd.DataFrame(rows, columns=header))
        if published != shown.strip():
            yield Drift(document, what, shown.strip(), published)
    for place, what in sources_of(document, root).items():
        shown = text[slice(*place)]
        try:
            first, *others = (_value(term, folder) for term in what.split(" - "))
        except PteError as error:
            raise PteError(f"{document}: {{{what}}}: {error}") from error
        published = f"{first - sum(others):.{len(shown.partition('.')[2])}f}"
        if published != shown:
            yield Drift(document, what, shown, published, place)


def _value(what: str, folder: Path) -> float:
    term = TERM.fullmatch(what)
    if not term:
        raise PteError("write it as TABLE[CORPUS, METHOD].COLUMN, or as a difference of such")
    frame, given = _table(folder / f"{term['table']}.csv"), _conditions(term["where"])
    for column in [*given, term["column"]]:
        if column not in frame:
            raise PteError(f"{term['table']}.csv has no column {column}")
    for column, wanted in given.items():
        frame = frame[[_same(cell, wanted) for cell in frame[column]]]
    if len(frame) != 1:
        raise PteError(f"{len(frame)} rows of {term['table']}.csv have {given}; one must")
    value = pd.to_numeric(frame[term["column"]], errors="coerce").iloc[0]
    if pd.isna(value):
        raise PteError(f"{term['column']} of {given} is no number")
    return float(value)


@cache
def _table(path: Path) -> pd.DataFrame:
    if not path.exists():
        raise PteError(f"{path.name} is not published")
    return pd.read_csv(path)


def _conditions(where: str) -> dict[str, str]:
    parts = [part.strip() for part in where.split(",")]
    named = dict(part.split("=", 1) for part in parts if "=" in part)
    placed = zip(("corpus", "method"), (part for part in parts if "=" not in part), strict=False)
    return {name: value for name, value in placed if value != "-"} | named


def _same(cell: object, value: str) -> bool:
    try:
        return float(str(cell)) == float(value)
    except ValueError:
        return str(cell) == value


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m pte_study.report.values", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the published numbers there")
    write, root, folder = parser.parse_args().write, Path(), Path(paths.PUBLISHED)
    try:
        found = [] if write else drifts(root, folder)
        if write:
            print(*write_values(root, folder), sep="\n")
    except PteError as error:
        sys.exit(f"error: {error}")
    for drift in found:
        print(f"{drift.document}: {drift.what} is {drift.published}, not {drift.shown}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
