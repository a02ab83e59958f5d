"""The page of a run: verdicts, tables beside the paper, figures, and where numbers come from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from pte.files import atomic_file
from pte_study.render.html import html_page
from pte_study.render.section import Section
from pte_study.render.text import read_csv
from pte_study.report.comparison import difference_classes
from pte_study.report.glance import glance_section
from pte_study.report.provenance import Gathered, provenance
from pte_study.report.verdicts import read_verdicts, verdict_classes

TITLE = "PTE: Predictive Text Embedding, run again"


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


def page_sections(
    items: Sequence[Item], here: Gathered, labels: Mapping[str, str]
) -> Iterator[Section]:
    """Yield the sections of the page; most sections have the command that makes them.

    `here` says where the runs were made, and `labels` are the names of methods.
    """
    csv = {
        module: [item.files["csv"] for item in items if item.module.endswith(f".{module}")]
        for module in ("comparison", "verdicts")
    }
    if csv["comparison"]:
        judged = next(map(read_verdicts, csv["verdicts"]), None)
        yield glance_section(list(map(read_csv, csv["comparison"])), judged)
    for part in dict.fromkeys(item.part for item in items):
        yield _section([item for item in items if item.part == part])
    said, tables = provenance(here, labels)
    yield Section("Provenance", (said,), tables)


def _section(items: Sequence[Item]) -> Section:
    """Return the section of a part, with the command that makes its files."""
    shown: list[Section] = [
        import_module(item.module).section(item.files, item.given) for item in items
    ]
    targets = dict.fromkeys(target for item in items for target in item.targets)
    command = " ".join(["snakemake", *targets]) if targets else ""
    return replace(reduce(Section.joined, shown), command=command)


def write_page(sections: Iterable[Section], path: Path) -> None:
    """Write the page, atomically."""
    with atomic_file(path) as temporary:
        page = html_page(TITLE, list(sections), classes=classes)
        temporary.write_text(page, encoding="utf-8")


def classes(column: str, cell: str) -> list[str]:
    """Return the CSS classes of a cell: how large its difference is, or which verdict it holds."""
    return difference_classes(column, cell) or verdict_classes(column, cell)
