"""The page of a run: verdicts, tables beside the paper, figures, and where numbers come from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from pte.files import atomic_file
from pte_study.plan.targets import PAGES
from pte_study.render.html import html_page
from pte_study.render.section import Section
from pte_study.render.text import read_csv
from pte_study.report.comparison import difference_classes
from pte_study.report.glance import how_many_hold, what_won
from pte_study.report.verdicts import read_verdicts, verdict_classes

Told = tuple[str, Mapping[str, pd.DataFrame]]
"""Sentences, and tables of strings."""
QUICKSTART = "PTE in two minutes: what came out"


class Item(NamedTuple):
    """Something that a page shows: a table, a figure, or verdicts.

    The function `section` of its `module` shows it, from its `files` by role and from
    what the function is `given`. Items of the same `part` share a section. `targets` are what a
    user asks Snakemake for to make the item.
    """

    module: str
    part: str
    targets: tuple[str, ...]
    files: Mapping[str, Any]
    given: Mapping[str, Any]


def page_sections(page: str, items: Sequence[Item], here: Told | None = None) -> Iterator[Section]:
    """Yield the sections of a page of `PAGES`, or of the quickstart.

    A text is told once. Most sections have the command that makes them. `here` is what
    `pte_study.report.provenance.provenance` says of the runs, on the pages that show it.
    """
    told: set[str] = set()
    for section in _sections(page, items, here):
        yield replace(section, text=[each for each in section.text if each not in told])
        told |= {*section.text}


def _sections(page: str, items: Sequence[Item], here: Told | None) -> Iterator[Section]:
    """Yield the sections of `page_sections`, whose texts may repeat each other."""
    if page in ("index", "quickstart"):
        frames = [read_csv(item.files["csv"]) for item in items if _is(item, "comparison")]
        if frames:
            yield what_won(frames)
    for item in items:
        if _is(item, "verdicts"):
            yield how_many_hold(read_verdicts(item.files["csv"]), item.given["claims"])
    if page == "index":
        items = [each for each in items if not _is(each, "comparison", "verdicts")]
    for part in dict.fromkeys(item.part for item in items):
        yield _section([item for item in items if item.part == part])
    if here is not None:
        said, tables = here
        yield Section("Where the numbers come from", (said,), tables)


def _is(item: Item, *modules: str) -> bool:
    return item.module.rpartition(".")[2] in modules


def _section(items: Sequence[Item]) -> Section:
    """Return the section of a part, with the command that makes its files."""
    shown: list[Section] = [
        import_module(item.module).section(item.files, item.given) for item in items
    ]
    targets = dict.fromkeys(target for item in items for target in item.targets)
    command = " ".join(["snakemake", *targets]) if targets else ""
    return replace(reduce(Section.joined, shown), command=command)


def write_page(page: str, sections: Iterable[Section], path: Path) -> None:
    """Write a page, atomically, with links to the others of `PAGES` if it is one of them."""
    pages = {f"{name}.html": title for name, title in PAGES.items()} if page in PAGES else {}
    title = PAGES.get(page, QUICKSTART)
    with atomic_file(path) as temporary:
        text = html_page(title, list(sections), classes=classes, pages=pages)
        temporary.write_text(text, encoding="utf-8")


def classes(column: str, cell: str) -> list[str]:
    """Return the CSS classes of a cell: how large its difference is, or which verdict it holds."""
    return difference_classes(column, cell) or verdict_classes(column, cell)
