"""Publish what a run made: `python -m pte_study.report.publish [NAME ...]`.

The runs that are here are added to the published runs. Then tables, figures and verdicts are drawn
from all published runs. A NAME is what to draw: a table (`long`, `table1`), the verdicts `claims`,
or an experiment, such as `curves-labelled` or `sensitivity-dim`. Maps (`maps-20ng`) and the picture
`network` need texts, so they are taken from the results here. Without a name, all is published. The
name `runs` adds the runs alone.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file
from pte_study import paths
from pte_study.claims.judging import Kinds, judge_protocols
from pte_study.configuration.yaml_files import read
from pte_study.plan.study import Study, prepare
from pte_study.plan.targets import Published, published_exhibits, published_parts
from pte_study.render.tables import (
    markdown_table,
    read_csv,
    write_csv,
    write_into,
    write_markdown,
    write_text,
)
from pte_study.report import show
from pte_study.report.adding import add_runs
from pte_study.report.leads import leads, over_the_best
from pte_study.report.provenance import provenance
from pte_study.report.summaries import ALL_SCORES, overview, short_overview
from pte_study.report.verdicts import counts_of_sentences, write_verdicts
from pte_study.store.stored_runs import packed, read_stores

CONFIG, WORKFLOW = Path("config.yaml"), Path("workflow")
RUNS, CLAIMS = "runs", "claims"  # what publishes runs alone, and verdicts
Parts = Mapping[str, Sequence[Published]]


def study_here(published: bool = False) -> Study:
    """Return this checkout's study; if `published`, with encoder rows even without the encoder."""
    if not CONFIG.is_file():
        raise PteError(f"{Path.cwd()}: no config.yaml here; call this in a checkout of the project")
    config = read(CONFIG) | ({"from": "published"} if published else {})
    return Study.load(config, WORKFLOW, prepare(config))


def publish_here(study: Study, names: Sequence[str]) -> list[str]:
    """Publish the named parts, or all; return the names of the files that were written."""
    known = published_parts(study)
    may_be = known | (published_parts(study.of_published) if packed() else {})
    if unknown := [name for name in names if name not in (*may_be, CLAIMS, RUNS)]:
        said = f"not one of {', '.join([*may_be, CLAIMS, RUNS])}"
        raise PteError(f"publish: {', '.join(unknown)}: {said}")
    added = add_runs(study)
    if not packed():
        raise PteError("publish: nothing is there to publish; run the workflow first")
    published, here = study.of_published, {n: known[n] for n in known if _needs_texts(n)}
    drawn = published_parts(published)
    wanted = list(names)
    if not names:
        there = [name for name, files in here.items() if _made(files)]
        wanted = [*(name for name in drawn if name not in here), *there, CLAIMS]
    files = _put(published, [name for name in wanted if name not in (CLAIMS, RUNS)], here, drawn)
    judged = judged_published(study) if CLAIMS in wanted else None
    if judged is not None:
        claims = study.registries.claims
        write_verdicts(judged, claims, study.labels, Path(paths.PUBLISHED_CLAIMS))
        files.append(f"{CLAIMS}.csv")
    elif CLAIMS in names:
        raise PteError(f"publish: {CLAIMS}: no run that a claim is about is published")
    _write_costs(study)
    for document, name, table in document_tables(study, judged, whole=not names):
        if document.is_file():  # a folder of a user's may have none
            write_into(document, name, table)
    return files + [f"runs/{path.name}" for path in added]


def _needs_texts(name: str) -> bool:
    return name == "network" or name.startswith("maps-")


def _made(part: Sequence[Published]) -> list[str]:
    return [file.made for file in part if Path(file.made).exists()]


def _put(published: Study, names: Sequence[str], here: Parts, drawn: Parts) -> list[str]:
    if unknown := [name for name in names if name not in (*here, *drawn)]:
        raise PteError(f"publish: {', '.join(unknown)}: no run of this is published; run it first")
    for name in (name for name in names if name in here):
        if lacking := {file.made for file in here[name]}.difference(_made(here[name])):
            raise PteError(f"publish: {name} lacks {', '.join(sorted(lacking))}; make these first")
    put = []
    with TemporaryDirectory() as folder:
        for name in names:
            if name not in here:
                draw(published, name, Path(folder))
            for file in here.get(name, drawn.get(name, ())):
                with atomic_file(Path(paths.PUBLISHED, file.kept)) as temporary:
                    shutil.copyfile(Path("." if name in here else folder, file.made), temporary)
                put.append(file.kept)
    return put


def draw(study: Study, part: str, folder: Path) -> None:
    """Draw a part of `published_exhibits` below `folder`, to the byte as the workflow draws it."""
    for exhibit, name in published_exhibits(study)[part]:
        files: dict[str, Any] = {**exhibit.registry, **exhibit.sources(study, name)}
        for role in {"comparison", "curve"} & files.keys():
            files[role] = folder / files[role]
        outputs = [folder / file for file in exhibit.files(name).values()]
        show(exhibit.module, exhibit.rule, files, exhibit.told(study, name), outputs)


def document_tables(
    study: Study, judged: pd.DataFrame | None, whole: bool
) -> Iterator[tuple[Path, str, str]]:
    """Yield the tables that documents show: the document, the name between markers, the table."""
    readme = Path(paths.README)
    tables = [Path(paths.PUBLISHED, f"{name}.csv") for name in study.in_readme]
    if frames := [read_csv(path) for path in tables if path.exists()]:
        yield readme, "results", short_overview(frames)
        write_text(Path(paths.ALL_SCORES), "md", f"{ALL_SCORES}\n\n{overview(frames)}")
    if judged is not None:
        counts = counts_of_sentences(judged, study.registries.claims)
        yield readme, "verdicts", markdown_table(counts)
    if whole and Path("docs").is_dir():
        yield Path("docs/findings.md"), "lead", markdown_table(over_the_best(study))


def _write_costs(study: Study) -> None:
    said, tables = provenance(Path(), packed().values(), ())
    write_markdown(tables, Path(paths.PROVENANCE), said)
    write_csv(leads(study.of_published), Path(paths.LEADS))


def judged_published(study: Study) -> pd.DataFrame | None:
    """Judge the claims on the published runs; return None if no claim is about them."""
    if not packed():
        return None
    published, claims = study.of_published, study.claims()
    if not (names := published.of_claims(claims)):
        return None
    return judge_protocols(
        study.registries.claims,
        read_stores(map(Path, published.claim_inputs(claims)["places"]), names),
        list(study.config.protocols),
        published.unavailable(),
        Kinds(study.unseeded_methods, study.stochastic_methods),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m pte_study.report.publish",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part; all without")
    try:
        published = publish_here(study_here(published=True), parser.parse_args().names)
    except PteError as error:
        sys.exit(f"error: {error}")
    print("published:", *published, sep="\n  ")


if __name__ == "__main__":
    main()
