"""Numbers and tables of documents that come from data.

`python -m pte_study.report.values` compares them; with `--write` it writes them.

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
as spaces.

A table of measurements stands between two comments, and has the cells of its file. The tables of
`tables_here` stand so, too, under their names.

    <!-- measured/order: begin -->
    <!-- measured/order: end -->

Without `--write`, the command names every number and table that differs from the published one, and
fails if there is any. With `--write`, it puts the published numbers and tables into the text.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file
from pte.training.method import Method
from pte_study import paths
from pte_study.claims.points import METRICS
from pte_study.claims.verdicts import CLAIMED, of_claims
from pte_study.plan.runs import Runs
from pte_study.render.markdown import markdown_table, write_into
from pte_study.render.text import read_csv
from pte_study.report.here import runs_here
from pte_study.report.leads import over_the_best
from pte_study.report.publish import judged_published
from pte_study.report.verdicts import Pairs

NUMBER = r"(-?\d+(?:\.\d+)?)"
TERM = re.compile(r"(?P<table>[\w/-]+)\[(?P<where>[^\]]*)\]\.(?P<column>[\w -]+?)")
BLOCK = re.compile(
    r"<!-- (?P<what>[\w/-]+): begin -->(?P<shown>.*?)<!-- (?P=what): end -->", re.DOTALL
)
SOURCE = re.compile(r"\{([^}]*)\}")
SPACE = re.compile(r"\s+")
ROW = ("corpus", "method")
ANY = "-"

DOCUMENTS = ("README.md", "docs/*.md", "results/published/moderation.md")
PHRASES = Path("docs/values.txt")
METRIC_NAMES = dict(zip(METRICS, ("micro-F1", "macro-F1"), strict=True))
Tables = Mapping[str, Callable[[], pd.DataFrame]]
"""What computes the tables that come from no file of measurements, by their names."""
NO_TABLES: Tables = {}


class Drift(NamedTuple):
    """A number or a table of a document that differs from the published one.

    `place` is where a number begins and ends.
    """

    document: Path
    what: str
    shown: str
    published: str
    place: tuple[int, int] | None = None


def tables_here(runs: Runs) -> Tables:
    """Return what computes the tables of documents from what is published.

    These are the lead of PTE(auto), where T met a bound, and the verdicts that depend on moderated
    variances.
    """
    config = runs.study.config
    files = [Path(paths.PUBLISHED, f"{name}.csv") for name in config.tables]
    limits, methods = (config.samples_limit, config.samples_further), runs.study.registries.methods
    return {
        "lead": lambda: over_the_best(runs),
        "bounds": lambda: bounds([path for path in files if path.exists()], limits, methods),
        "moderation": lambda: moderation(
            judged_published(runs) or {}, judged_published(runs, moderated=False) or {}
        ),
    }


def moderation(moderated: Pairs, alone: Pairs) -> pd.DataFrame:
    """Return a row of strings for each verdict that differs between two ways to judge.

    `moderated` are the verdicts as published. `alone` are the verdicts if no spread over seeds is
    moderated.
    """
    rows = []
    for protocol, pairs in moderated.items():
        both = of_claims(pairs).merge(
            of_claims(alone[protocol]), on=CLAIMED, suffixes=("", "_alone")
        )
        rows += [
            (
                f"`{row['claim']}`",
                row["corpus"],
                protocol,
                METRIC_NAMES.get(row["metric"], row["metric"]),
                row["verdict"],
                row["verdict_alone"],
            )
            for _, row in both[both["verdict"] != both["verdict_alone"]].iterrows()
        ]
    columns = ["claim", "corpus", "protocol", "metric", "verdict", "not moderated"]
    return pd.DataFrame(rows, columns=columns)


def bounds(
    tables: Iterable[Path], limits: tuple[int, int], methods: Mapping[str, Method]
) -> pd.DataFrame:
    """Return a row of strings for each corpus whose chosen T is one of the `limits` in some row.

    `tables` are files of published tables, whose T is the sum over phases. Phases before the last
    have the first limit. A row names methods, and counts those that search.
    """
    frames = [read_csv(path) for path in tables]
    found = pd.concat([frame for frame in frames if "chosen_samples" in frame], ignore_index=True)
    searched = found[
        found["chosen_samples"].notna() & (found["chosen_samples"] != found["samples"])
    ]
    searched = searched.drop_duplicates(["corpus", "method"])
    before = limits[0] * searched["method"].map(lambda name: _phases_before_the_last(methods[name]))
    met = (searched["chosen_samples"] - before).isin(limits)
    rows = [
        (corpus, "; ".join(labels), str((searched["corpus"] == corpus).sum()))
        for corpus, labels in searched[met].groupby("corpus", sort=False)["label"]
    ]
    return pd.DataFrame(rows, columns=["corpus", "T at a bound", "of"])


def _phases_before_the_last(method: Method) -> int:
    return max(0, len(method.options.get("phases", ())) - 1)


def drifts(root: Path, folder: Path, tables: Tables = NO_TABLES) -> list[Drift]:
    """Return the numbers and tables that differ from the published data in `folder`.

    A table that is neither there nor in `tables` is passed over. Raises `PteError` that names the
    document and the phrase, when the document does not hold the phrase exactly once, or when a
    source does not name exactly one number.
    """
    documents = documents_here(root)
    if unknown := _phrases(root).keys() - {_name(each, root) for each in documents}:
        raise PteError(f"{root / PHRASES}: {min(unknown)!r} is no document")
    return [drift for each in documents for drift in _drifts_of(each, root, folder, tables)]


def write_values(root: Path, folder: Path, tables: Tables = NO_TABLES) -> list[Path]:
    """Put the published numbers and tables into the documents; return the changed documents.

    Raises `PteError` as `drifts` does, before any document changes.
    """
    found = drifts(root, folder, tables)
    for drift in reversed(found):  # from the end, so that the places of other numbers stay
        if drift.place is None:
            write_into(drift.document, drift.what, drift.published)
            continue
        (start, end), text = drift.place, drift.document.read_text("utf-8")
        with atomic_file(drift.document) as temporary:
            temporary.write_text(text[:start] + drift.published + text[end:], "utf-8")
    return list(dict.fromkeys(drift.document for drift in found))


def documents_here(root: Path = Path()) -> list[Path]:
    """Return the paths of README.md and of the pages of docs/."""
    return sorted(path for pattern in DOCUMENTS for path in root.glob(pattern))


def sources_of(document: Path, root: Path) -> dict[tuple[int, int], str]:
    """Return where the numbers of a document are from, by their places in its text.

    Raises `PteError` when the document does not hold a phrase exactly once.
    """
    text = document.read_text("utf-8")
    sources: dict[tuple[int, int], str] = {}
    for phrase in _phrases(root).get(_name(document, root), ()):
        literals, whats = SOURCE.split(phrase)[::2], SOURCE.findall(phrase)
        pattern = NUMBER.join(r"\s+".join(map(re.escape, SPACE.split(each))) for each in literals)
        found = list(re.finditer(pattern, text))
        if len(found) != 1:
            raise PteError(
                f"{root / PHRASES}: {document} has {phrase!r} {len(found)} times, not once"
            )
        sources |= {found[0].span(i): what for i, what in enumerate(whats, 1)}
    return dict(sorted(sources.items()))


def _name(document: Path, root: Path) -> str:
    return document.relative_to(root).as_posix()


def _phrases(root: Path) -> dict[str, list[str]]:
    """Return the phrases of each document."""
    path, phrases, document = root / PHRASES, dict[str, list[str]](), ""
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        if line.startswith(" "):
            phrases.setdefault(document, []).append(line.strip())
        elif line:
            document = line
    return phrases


def _drifts_of(document: Path, root: Path, folder: Path, tables: Tables) -> Iterator[Drift]:
    """Yield tables, and then numbers in their order."""
    text = document.read_text("utf-8")
    for found in BLOCK.finditer(text):
        what, shown = found["what"], found["shown"].strip()
        if what in tables:
            published = markdown_table(tables[what]())
        elif what.startswith("measured/"):
            published = _measured(document, what, folder)
        else:
            continue
        if published != shown:
            yield Drift(document, what, shown, published)
    for place, what in sources_of(document, root).items():
        shown = text[slice(*place)]
        published = _published(document, what, shown, folder)
        if published != shown:
            yield Drift(document, what, shown, published, place)


def _measured(document: Path, what: str, folder: Path) -> str:
    """Return a file of measurements as a table of Markdown."""
    path = folder / f"{what}.csv"
    if not path.exists():
        raise PteError(f"{document}: <!-- {what}: begin -->: {path} is not there")
    header, *rows = pd.read_csv(path, header=None, dtype=str, keep_default_na=False).to_numpy()
    return markdown_table(pd.DataFrame(rows, columns=header))


def _published(document: Path, what: str, shown: str, folder: Path) -> str:
    """Return the number that belongs in the place of `shown`, with as many decimals."""
    try:
        first, *others = (_value(term, folder) for term in what.split(" - "))
    except PteError as error:
        raise PteError(f"{document}: {{{what}}}: {error}") from error
    return f"{first - sum(others):.{len(shown.partition('.')[2])}f}"


def _value(what: str, folder: Path) -> float:
    term = TERM.fullmatch(what)
    if not term:
        raise PteError("write it as TABLE[CORPUS, METHOD].COLUMN, or as a difference of such")
    frame, given = _table(folder / f"{term['table']}.csv"), _conditions(term["where"])
    for column in [*given, term["column"]]:
        if column not in frame:
            raise PteError(f"{term['table']}.csv has no column {column}")
    rows = frame.loc[
        [all(_same(row[c], v) for c, v in given.items()) for _, row in frame.iterrows()]
    ]
    if len(rows) != 1:
        raise PteError(f"{len(rows)} rows of {term['table']}.csv have {given}; one must")
    value = pd.to_numeric(rows[term["column"]], errors="coerce").iloc[0]
    if pd.isna(value):
        raise PteError(f"{term['column']} of {given} is no number")
    return float(value)


@cache
def _table(path: Path) -> pd.DataFrame:
    if not path.exists():
        raise PteError(f"{path.name} is not published")
    return read_csv(path)


def _conditions(where: str) -> dict[str, str]:
    """Return the columns by which a row is found, and the values that they must hold."""
    parts = [part.strip() for part in where.split(",")]
    named = dict(part.split("=", 1) for part in parts if "=" in part)
    placed = [part for part in parts if part and "=" not in part]
    if len(placed) > len(ROW):
        raise PteError(f"{where}: at most the corpus and the method stand without a name")
    return {name: value for name, value in zip(ROW, placed, strict=False) if value != ANY} | named


def _same(cell: object, value: str) -> bool:
    """Return whether a cell holds a value, as a number or as a text."""
    try:
        return float(str(cell)) == float(value)
    except ValueError:
        return str(cell) == value


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pte_study.report.values", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the published numbers there")
    write, root, folder = parser.parse_args().write, Path(), Path(paths.PUBLISHED)
    try:
        tables = tables_here(runs_here(published=True))
        if write:
            for document in write_values(root, folder, tables):
                print(document)
            return
        found = drifts(root, folder, tables)
    except PteError as error:
        sys.exit(f"error: {error}")
    for drift in found:
        print(f"{drift.document}: {drift.what} is {drift.published}, not {drift.shown}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
