"""The runs of all that is shown, the files that pages show, and the files that are published."""

import sys
from dataclasses import dataclass
from typing import Any

from pte.corpora.finding import listed
from pte_study import paths
from pte_study.plan.claimed import Claimed
from pte_study.plan.costs import beside_scores, costs
from pte_study.plan.exhibits import COMPARISON, EXHIBITS, FIGURE, NETWORK, Exhibit
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.store.reading import corpus_of

PAGES = {
    "index": "What came out",
    "claims": "Claims of the paper",
    "scores": "Scores",
    "curves": "Few labels and other parameters",
    "times": "Seconds of training",
    "corpora": "Corpora and maps",
    "provenance": "Provenance",
}
"""The pages that show everything, and their titles. The page `quickstart` is apart."""


def page_items(runs: Runs, page: str) -> list[dict[str, Any]]:
    """Return what a page shows, in its order, as fields of `pte_study.report.page.Item`.

    The page is `quickstart`, or one of `PAGES`. The page `index` has what the others say in short.
    """
    if page == "quickstart":
        of_tables = [each for each in EXHIBITS if each.wildcard == "table"]
        return [_item(runs, each, page) for each in of_tables]
    claims = {
        "module": "pte_study.report.verdicts",
        "part": "claims",
        "targets": ("claims",),
        "files": {"csv": f"{paths.CLAIMS}.csv"},
        "given": {"claims": dict(runs.study.registries.claims), "labels": runs.study.labels},
    }
    shown = [each for each in EXHIBITS if page == each.on or (page, each) == ("index", COMPARISON)]
    items = [_item(runs, each, name) for each in shown for name in _kept(runs, each)]
    return [claims, *items] if page in ("index", "claims") else items


def _kept(runs: Runs, exhibit: Exhibit) -> list[str]:
    """Return the names of an exhibit; the quickstart has a page of its own."""
    return [name for name in exhibit.made(runs) if name != "quickstart"]


def _item(runs: Runs, exhibit: Exhibit, name: str) -> dict[str, Any]:
    known = exhibit.sources(runs, name) | exhibit.files(name)
    files = {role: known[role] for role in exhibit.page if role in known}
    return {
        "module": exhibit.module,
        "part": exhibit.target if exhibit.joined else exhibit.part.format(name),
        "targets": (exhibit.target,) if exhibit.joined else tuple(files.values())[:1],
        "files": files,
        "given": exhibit.told(runs, name),
    }


def page_inputs(runs: Runs, page: str) -> dict[str, Any]:
    """Return the files that a page is made of: those of its items, and what the runs cost."""
    named = [files for item in page_items(runs, page) for files in item["files"].values()]
    shown = [file for files in named for file in ([files] if isinstance(files, str) else files)]
    if page not in ("quickstart", "provenance"):
        return {"shown": shown}
    tables = ["quickstart"] if page == "quickstart" else runs.published
    scores = [name for table in tables for name in runs.of_table(table)]
    others = []
    if page == "provenance":
        scores, others = all_scores(runs), beside_scores(runs)
    files = {"shown": shown, "corpora": runs.places(runs.corpora_of(tables))}
    return files if runs.held is not None else files | {"costs": costs(runs, scores, others)}


def all_corpora(runs: Runs) -> list[str]:
    """Return the corpora of tables and of claims, each once."""
    return list(dict.fromkeys([*runs.shown, *Claimed.by(runs).corpora()]))


def all_scores(runs: Runs) -> list[str]:
    """Return the scores of published tables, of curves and of claims, each once."""
    names = [name for table in runs.published for name in runs.of_table(table)]
    names += [name for curve in runs.curves for name in runs.of_curve(curve)]
    return list(dict.fromkeys(names + Claimed.by(runs).scores()))


def to_store(runs: Runs) -> dict[str, list[str]]:
    """Return the names of all runs that published files hold, by corpus.

    These are scores, trainings of the sensitivity experiment, and what else claims compare.
    """
    names = all_scores(runs) + [name for table in runs.tables for name in runs.of_table(table)]
    names += [name for parameter in runs.parameters for name in runs.of_sensitivity(parameter)]
    names += Claimed.by(runs).names()
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(corpus_of(name), []).append(name)
    return found


def publish_inputs(runs: Runs) -> dict[str, list[str]]:
    """Return the files that are published, or that published files are made of, by kind."""
    return {
        "runs": [file for names in to_store(runs).values() for file in runs.files(names)],
        "maps": made(runs, "maps"),
        "network": [NETWORK.files(name)["svg"] for name in runs.pictures],
        "corpora": [paths.corpus(name) for name in all_corpora(runs)],
        "costs": costs(runs, all_scores(runs), beside_scores(runs)),
    }


def lacking(runs: Runs) -> str:
    """Return a line on what is left out because files or published runs are not there, or ""."""
    config = runs.study.config
    if runs.held is None:
        return _absent(runs.study)
    lacks = [f"table {name}" for name in config.tables if name not in runs.tables]
    lacks += [f"curve {name}" for name in config.curves if name not in runs.curves]
    lacks += [f"sensitivity {name}" for name in runs.parameters if name not in runs.sensitivities]
    wanted = {f"table {name}": runs.of_table(name) for name in runs.tables}
    wanted |= {f"curve {name}": runs.of_curve(name) for name in runs.curves}
    for shown, names in wanted.items():
        absent = sorted({*names}.difference(runs.had(names)), key=names.index)
        corpora = dict.fromkeys(map(corpus_of, absent))
        lacks += [f"{len(absent)} runs of {shown} ({', '.join(corpora)})"] if absent else []
    return f"published runs lack: {', '.join([*lacks, 'maps', 'the picture of a network'])}"


def say_what_is_left_out(runs: Runs) -> None:
    """Print to standard error what is left out because files, runs or an encoder are not there."""
    for line in filter(None, (lacking(runs), runs.study.encoder_lacking)):
        print(line, flush=True, file=sys.stderr)


def _absent(study: Study) -> str:
    """Return a line on the corpora of tables whose files on request are not there, or ""."""
    corpora = dict.fromkeys(
        name for table in study.config.tables.values() for name in table.corpora
    )
    lacking = {name: archives for name in corpora if (archives := study.lacking(name))}
    if not lacking:
        return ""
    of_files: dict[str, list[str]] = {}
    for name, archives in lacking.items():
        of_files.setdefault(", ".join(each.file for each in archives), []).append(name)
    absent = "; ".join(f"{', '.join(names)} ({files})" for files, names in of_files.items())
    where = f"the mirror {study.mirror}" if study.mirror else "a mirror (none is configured)"
    lost = [n for n, archives in lacking.items() if not all(each.urls for each in archives)]
    no_address = f"; those of {listed(lost)} have none: put them into a mirror" if lost else ""
    return (
        f"left out unless named: {absent}, whose files are neither in {where} nor fetched; "
        f"`snakemake CORPUS` tries their addresses{no_address}"
    )


def compared(table: str) -> list[str]:
    """Return the files of a table of scores and of its figure."""
    return [*COMPARISON.files(table).values(), *FIGURE.files(table).values()]


def published_exhibits(runs: Runs) -> dict[str, list[tuple[Exhibit, str]]]:
    """Return the exhibits that can be published, and their names, by the names of their parts."""
    parts: dict[str, list[tuple[Exhibit, str]]] = {}
    for exhibit in EXHIBITS:
        for name in _kept(runs, exhibit):
            parts.setdefault(exhibit.part.format(name), []).append((exhibit, name))
    return parts


@dataclass(frozen=True)
class Published:
    """A file of the results, and the name that it has in the repository."""

    made: str
    kept: str


def published_parts(runs: Runs) -> dict[str, list[Published]]:
    """Return the files of all that can be published, by the names of their parts."""
    return {
        part: [
            Published(file, f"{(exhibit.kept or exhibit.part).format(name)}.{kind}")
            for exhibit, name in shown
            for kind, file in exhibit.files(name).items()
            if kind in exhibit.keeps
        ]
        for part, shown in published_exhibits(runs).items()
    }


def made(runs: Runs, target: str) -> list[str]:
    """Return the files of all exhibits that a short name of a target stands for."""
    return [
        file
        for exhibit in EXHIBITS
        if exhibit.target == target
        for name in exhibit.made(runs)
        for file in exhibit.files(name).values()
    ]
