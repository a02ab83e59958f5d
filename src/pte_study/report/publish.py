"""Publish what a run made: `python -m pte_study.report.publish`.

The runs that are here are added to the published runs. Then tables, figures and verdicts are drawn
from all published runs. Maps and the picture of networks need texts, so they are taken from the
results here, if they are there.
"""

import argparse
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file
from pte.training.method import CONTROL
from pte_study import paths
from pte_study.claims.claim import view
from pte_study.claims.judging import AllOutcomes, Evidence, Kinds, difference, judge_protocols
from pte_study.claims.significance import JUDGED, estimate
from pte_study.configuration.config import CHOSEN, PAPER
from pte_study.configuration.registry import read
from pte_study.plan.study import Study, prepare
from pte_study.render import tables as shown
from pte_study.report import show
from pte_study.report.adding import add_runs
from pte_study.report.origins import provenance
from pte_study.report.summaries import ALL_SCORES, overview, short_overview
from pte_study.report.verdicts import counts_of_sentences, write_verdicts
from pte_study.store import packed, read_store, read_stores

CONFIG, WORKFLOW = Path("config.yaml"), Path("workflow")


def study_here(published: bool = False) -> Study:
    """Return this checkout's study; if `published`, with encoder rows even without the encoder."""
    if not CONFIG.is_file():
        raise PteError(f"{Path.cwd()}: no config.yaml here; call this in a checkout of the project")
    config = read(CONFIG) | ({"from": "published"} if published else {})
    return Study.load(config, WORKFLOW, prepare(config))


def publish_here(study: Study) -> list[str]:
    """Publish all that the published runs and those of here give; return what was written."""
    added = add_runs(study)
    if not packed():
        raise PteError("publish: nothing is there to publish; run the workflow first")
    published = study.of_published
    drawn, here = published.published_parts, study.published_parts
    of_texts = [name for name in here if name == "network" or name.startswith("maps-")]
    with TemporaryDirectory() as folder:
        for name in drawn:
            draw(published, name, Path(folder))
        kept = [(Path(folder, file.made), file.kept) for part in drawn.values() for file in part]
        kept += [(Path(file.made), file.kept) for name in of_texts for file in here[name]]
        kept = [(made, name) for made, name in kept if made.exists()]
        for made, name in kept:
            with atomic_file(Path(paths.PUBLISHED, name)) as temporary:
                shutil.copyfile(made, temporary)
    written = [name for _, name in kept]
    judged = judged_published(study)
    if judged is not None:
        claims, stem = study.registries.claims, Path(paths.PUBLISHED_CLAIMS)
        write_verdicts(judged, claims, study.labels, stem)
        written.append(f"{stem.name}.csv")
    said, tables = provenance(Path(), packed().values(), ())
    shown.write_markdown(tables, Path(paths.PROVENANCE), said)
    shown.write_csv(leads(published), Path(paths.LEADS))
    for document, name, table in document_tables(study, judged):
        if document.is_file():  # a folder of a user's may have none
            shown.write_into(document, name, table)
    return written + [f"runs/{path.name}" for path in added]


def draw(study: Study, part: str, folder: Path) -> None:
    """Draw a part of `published_exhibits` below `folder`, to the byte as the workflow draws it."""
    for exhibit, name in study.published_exhibits[part]:
        files: dict[str, Any] = {**exhibit.registry, **exhibit.sources(study, name)}
        for role in {"comparison", "curve"} & files.keys():
            files[role] = folder / files[role]
        outputs = [folder / file for file in exhibit.files(name).values()]
        show(exhibit.module, exhibit.rule, files, exhibit.told(study, name), outputs)


def document_tables(study: Study, judged: pd.DataFrame | None) -> Iterator[tuple[Path, str, str]]:
    """Yield the tables that documents show: the document, the name between markers, the table."""
    readme = Path(paths.README)
    tables = [Path(paths.PUBLISHED, f"{name}.csv") for name in study.in_readme]
    if frames := [pd.read_csv(path) for path in tables if path.exists()]:
        yield readme, "results", short_overview(frames)
        shown.write_text(Path(paths.ALL_SCORES), "md", f"{ALL_SCORES}\n\n{overview(frames)}")
    if judged is not None:
        counts = counts_of_sentences(judged, study.registries.claims)
        yield readme, "verdicts", shown.markdown_table(counts)
    if Path("docs").is_dir():
        yield Path("docs/findings.md"), "lead", shown.markdown_table(over_the_best(study))


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


# By how much PTE(auto) leads


METHOD = "pte_auto"
OTHERS = ("bow_pairs", "bow", "svm_pairs", "pte_joint", "encoder", "pte_auto_encoder")
SHARES = (1, 100)  # percentages of the labels


def leads(study: Study) -> pd.DataFrame:
    """Return what PTE(auto) is `ahead` of methods, in points, and its 95 % interval."""
    corpora = study.corpora_of(study.in_readme)
    outcomes = _outcomes(Path(paths.PUBLISHED), corpora, study.unseeded_methods)
    rows = [
        (corpus, other, share, *found)
        for share in SHARES
        for corpus in corpora
        for other in OTHERS
        if (found := _ahead(corpus, share, {METHOD: CHOSEN, other: CHOSEN}, outcomes))
    ]
    columns = ["corpus", "method", "labelled", "ahead", "low", "high"]
    return pd.DataFrame(rows, columns=columns).round(4)


def over_the_best(study: Study, published: Path = Path(paths.PUBLISHED)) -> pd.DataFrame:
    """Return the points of PTE(auto) above the best other method, by share of labels and corpus."""
    tables = pd.concat(
        [pd.read_csv(published / f"{name}.csv") for name in study.in_readme], ignore_index=True
    )
    tables = tables.assign(micro_mean=tables["chosen_micro_mean"], labelled=100.0, protocol=CHOSEN)
    curves = [
        pd.read_csv(published / f"curves-{name}.csv").assign(protocol=curve.protocol)
        for name, curve in study.config.curves.items()
        if curve.along == "labelled"
    ]
    points = pd.concat([*curves, tables], ignore_index=True).dropna(subset="micro_mean")
    methods = study.registries.methods
    is_other = points["method"].map(
        lambda name: methods[name].group != CONTROL and methods[name].model != methods[METHOD].model
    )
    others = points[is_other].sort_values("micro_mean", ascending=False)
    best = others.drop_duplicates(["corpus", "labelled"])
    ours = points[points["method"] == METHOD].drop_duplicates(["corpus", "labelled"])
    both = ours.merge(best, on=["corpus", "labelled"], suffixes=("", "_best"), sort=False)
    outcomes = _outcomes(published, both["corpus"].unique(), study.unseeded_methods)
    both = both.assign(cell=[_cell(row, outcomes) for row in both.to_dict("records")])
    table = both.pivot(index="labelled", columns="corpus", values="cell").fillna("")
    table = table[list(both["corpus"].unique())].rename_axis(columns=None)
    table.index = pd.Index([f"{share:g} %" for share in table.index], name="labels")
    return table.reset_index()


def _cell(row: Mapping[Any, Any], outcomes: Mapping[str, AllOutcomes]) -> str:
    sides = {row["method"]: row["protocol"], row["method_best"]: row["protocol_best"]}
    found = _ahead(row["corpus"], row["labelled"], sides, outcomes)
    interval = f" [{found[1]:+.1f}, {found[2]:+.1f}]" if found else ""
    ahead = f"{row['micro_mean'] - row['micro_mean_best']:+.1f}{interval}"
    whole = ahead.replace("-", shown.MINUS).replace(" ", "\N{NO-BREAK SPACE}")  # one line of a cell
    return f"{whole} {row['label_best']}"


def _outcomes(
    published: Path, corpora: Iterable[str], unseeded: Collection[str]
) -> dict[str, AllOutcomes]:
    there = packed(published / "runs")
    evidence = Evidence.of([read_store(there[name]) for name in corpora if name in there])
    return {by: evidence.outcomes(by, Kinds(unseeded), JUDGED[0]) for by in (PAPER, CHOSEN)}


def _ahead(
    corpus: str, share: float, sides: Mapping[str, str], outcomes: Mapping[str, AllOutcomes]
) -> tuple[float, float, float] | None:
    there = view(corpus, "scores", {"labelled": share})
    runs = {
        (part, method): outcomes[each][part, method]
        for part in there.parts
        for method, by in sides.items()
        # Where nothing is chosen, a curve has the runs of the protocol `paper`.
        for each in (PAPER, by)
        if (part, method) in outcomes[each]
    }
    ours, theirs = ((there, method) for method in sides)
    samples = difference(ours, theirs, runs, Kinds())
    if isinstance(samples, str):
        return None
    found = estimate(samples, {})
    return found.effect, *found.interval()


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m pte_study.report.publish",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    try:
        published = publish_here(study_here(published=True))
    except PteError as error:
        sys.exit(f"error: {error}")
    print("published:", *published, sep="\n  ")


if __name__ == "__main__":
    main()
