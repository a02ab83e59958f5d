"""What a user may ask for: pages, all exhibits of a kind, published files, and what they need."""

import sys
from typing import Any, NamedTuple

from pte_study import paths
from pte_study.paths import TEXT_KINDS
from pte_study.plan.exhibits import COMPARISON, EXHIBITS, FIGURE, NETWORK, Exhibit
from pte_study.plan.study import Study
from pte_study.store.stored_runs import corpus_of

PAGES = {
    "index": "What came out",
    "claims": "Claims of the paper",
    "scores": "Scores",
    "curves": "Few labels and other parameters",
    "corpora": "Corpora and maps",
    "provenance": "Provenance",
}  # pages that show everything; `quickstart` is apart


KEPT = (*TEXT_KINDS, "svg")  # the endings of files that are published


def made(study: Study, target: str) -> list[str]:
    shown = [each for each in EXHIBITS if each.target == target]
    names = [(each, name) for each in shown for name in each.made(study)]
    return [file for each, name in names for file in each.files(name).values()]


def compared(table: str) -> list[str]:
    return [*COMPARISON.files(table).values(), *FIGURE.files(table).values()]


def page_items(study: Study, page: str) -> list[dict[str, Any]]:
    """Return what a page shows, in its order, as fields of `pte_study.report.page.Item`."""
    if page == "quickstart":
        of_tables = [each for each in EXHIBITS if each.wildcard == "table"]
        return [_item(study, each, page) for each in of_tables]
    claims = {
        "module": "pte_study.report.verdicts",
        "rule": "claims",
        "part": "claims",
        "files": {"csv": f"{paths.CLAIMS}.csv"},
        "given": {"claims": dict(study.registries.claims), "labels": study.labels},
    }
    shown = [each for each in EXHIBITS if page == each.on or (page, each) == ("index", COMPARISON)]
    items = [_item(study, each, name) for each in shown for name in _kept(study, each)]
    return [claims, *items] if page in ("index", "claims") else items


def _kept(study: Study, exhibit: Exhibit) -> list[str]:
    return [name for name in exhibit.made(study) if name != "quickstart"]


def _item(study: Study, exhibit: Exhibit, name: str) -> dict[str, Any]:
    known = exhibit.sources(study, name) | exhibit.files(name)
    files = {role: known[role] for role in ("csv", "svg") if role in known}
    return {
        "module": exhibit.module,
        "rule": exhibit.rule,
        "part": exhibit.target if exhibit.joined else exhibit.part.format(name),
        "files": files,
        "given": exhibit.told(study, name),
    }


def page_inputs(study: Study, page: str) -> dict[str, Any]:
    """Return the files that a page is made of; the page of provenance comes after all others."""
    pages = [each for each in PAGES if each != page] if page == "provenance" else [page]
    items = [item for each in pages for item in page_items(study, each)]
    shown = [files for item in items for files in item["files"].values()]
    files = [file for each in shown for file in ([each] if isinstance(each, str) else each)]
    inputs = {"shown": list(dict.fromkeys(files))}
    if page not in ("quickstart", "provenance"):
        return inputs
    tables = ["quickstart"] if page == "quickstart" else study.published
    return inputs | {"corpora": study.places(study.corpora_of(tables))}


def all_corpora(study: Study) -> list[str]:
    claimed = map(corpus_of, study.of_claims(study.claims()))
    return list(dict.fromkeys([*study.shown, *claimed]))


def to_store(study: Study) -> dict[str, list[str]]:
    """Return the names of all runs that published files hold, by corpus."""
    names = [name for table in study.tables for name in study.of_table(table)]
    names += [name for curve in study.curves for name in study.of_curve(curve)]
    names += [name for parameter in study.parameters for name in study.of_sensitivity(parameter)]
    names += study.of_claims(study.claims())
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(corpus_of(name), []).append(name)
    return found


def publish_inputs(study: Study) -> dict[str, list[str]]:
    """Return the files that are published, or that published files are made of, by kind."""
    return {
        "runs": [file for names in to_store(study).values() for file in study.files(names)],
        "maps": made(study, "maps"),
        "network": [NETWORK.files(name)["svg"] for name in study.pictures],
        "corpora": [paths.corpus(name) for name in all_corpora(study)],
    }


def published_exhibits(study: Study) -> dict[str, list[tuple[Exhibit, str]]]:
    """Return the exhibits that can be published, and their names, by the names of their parts."""
    parts: dict[str, list[tuple[Exhibit, str]]] = {}
    for exhibit in EXHIBITS:
        for name in _kept(study, exhibit):
            parts.setdefault(exhibit.part.format(name), []).append((exhibit, name))
    return parts


class Published(NamedTuple):
    """A file of the results, and the name that it has in the repository."""

    made: str
    kept: str


def published_parts(study: Study) -> dict[str, list[Published]]:
    """Return the files of all that can be published, by the names of their parts."""
    return {
        part: [
            Published(file, f"{(exhibit.kept or exhibit.part).format(name)}.{kind}")
            for exhibit, name in shown
            for kind, file in exhibit.files(name).items()
            if kind in KEPT
        ]
        for part, shown in published_exhibits(study).items()
    }


def say_what_is_left_out(study: Study) -> None:
    """Print to standard error what is left out because files or runs are not there."""
    if line := lacking(study):
        print(line, flush=True, file=sys.stderr)


def lacking(study: Study) -> str:
    """Return a line on what is left out because files or published runs are not there, or ""."""
    if study.held is None:
        return _absent(study)
    config = study.config
    lacks = [f"table {name}" for name in config.tables if name not in study.tables]
    lacks += [f"curve {name}" for name in config.curves if name not in study.curves]
    lacks += [f"sensitivity {name}" for name in study.parameters if name not in study.sensitivities]
    return f"published runs lack: {', '.join([*lacks, 'maps', 'the picture of a network'])}"


def _absent(study: Study) -> str:
    tables = study.config.tables.values()
    corpora = dict.fromkeys(name for table in tables for name in table.corpora)
    lacking = [name for name in corpora if study.lacking(name)]
    where = f"the mirror {study.mirror}" if study.mirror else "a mirror (none is configured)"
    said = f"left out unless named: {', '.join(lacking)}, whose files are not in {where}"
    return said if lacking else ""
