"""Publishing what a run made, as a whole or in parts, with verdicts on all published runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pte.errors import PteError
from pte_study import paths
from pte_study.claims.evidence import judge_protocols
from pte_study.claims.pairing import Kinds
from pte_study.plan.costs import beside_scores, costs
from pte_study.plan.published_runs import PublishedRuns
from pte_study.plan.runs import Runs
from pte_study.plan.targets import published_parts
from pte_study.render.text import write_csv
from pte_study.report.hours import hours
from pte_study.report.partial import write_beside
from pte_study.report.provenance import piece
from pte_study.report.published import CLAIMS, Copies, chosen, publish
from pte_study.report.searches import searches
from pte_study.report.stored import store_here
from pte_study.report.stored_claims import StoredEvidence
from pte_study.report.verdicts import Pairs
from pte_study.store.provenance import gather
from pte_study.store.stored_runs import held, stores

RUNS = "runs"
"""The name that publishes runs without tables."""


def publish_here(runs: Runs, names: Sequence[str], partial: Path | None = None) -> list[str]:
    """Publish the named parts, or all parts that are there; return the names of the files.

    With a folder `partial`, the named parts keep published rows that this run lacks, and are first
    written to this folder. The runs that are here, the searches and the hours are always published.
    Raises `PteError` when a part is not there.
    """
    parts = {
        name: [(Path(file.made), file.kept) for file in part]
        for name, part in published_parts(runs).items()
    }
    if partial:
        parts = {name: _written_beside(runs, name, parts, partial) for name in names}
    others = [name for name in names if name not in (CLAIMS, RUNS)]
    files = chosen(parts, others) if others or not names else []
    stored = store_here(runs)
    judged = judged_published(runs) if CLAIMS in names or not names else None
    if judged is None and CLAIMS in names:
        raise PteError(
            f"publish: {CLAIMS}: no score that a claim is about is there; run some first"
        )
    if judged is None and not files and RUNS not in names:
        raise PteError("publish: nothing is there to publish; run the workflow first")
    corpora = existing([paths.corpus(name) for name in runs.all_corpora()])
    took = existing(costs(runs, runs.all_scores(), beside_scores(runs)))
    study = runs.study
    here = piece(gather(Path.cwd(), corpora, took), study.labels)
    publish(files, judged, here, study.registries.claims, study.labels, runs.in_readme)
    searched = searches(runs, Path(f"{paths.SEARCHES}.csv"))
    write_csv(searched, Path(paths.SEARCHES))
    write_csv(hours(stores().values(), searched), Path(paths.HOURS))
    verdicts = [f"{CLAIMS}.csv"] if judged is not None else []
    return [name for _, name in files] + verdicts + [f"runs/{path.name}" for path in stored]


def _written_beside(
    runs: Runs, name: str, parts: Mapping[str, Copies], folder: Path
) -> list[tuple[Path, str]]:
    """Write a table, a curve or a parameter with the published rows it lacks; return its files."""
    curves = [f"curves-{curve}" for curve in runs.curves]
    parameters = [f"sensitivity-{parameter}" for parameter in runs.sensitivities]
    if name not in (*runs.published, *curves, *parameters):
        raise PteError(
            f"publish: {name}: only tables, curves and the sensitivity experiment can keep rows; "
            "leave --keep out"
        )
    chosen({name: [(path, kept) for path, kept in parts[name] if path.suffix == ".csv"]}, [name])
    write_beside(runs, name, Path(paths.PUBLISHED), folder)
    return [(folder / path, kept) for path, kept in parts[name]]


def judged_published(runs: Runs, moderated: bool = True) -> Pairs | None:
    """Judge the claims on the published runs; return None if there are no such runs.

    `moderated` is passed on to `pte_study.claims.judging.judge`.
    """
    if not stores():
        return None
    claims, protocols = runs.study.registries.claims, list(runs.study.config.protocols)
    published = PublishedRuns(runs.study, held())
    files = published.claimed.files(claims)
    sources = [Path(file) for file in published.sources(files)]
    evidence = StoredEvidence.read(sources, published.names(files))
    if not evidence.runs:
        return None
    kinds = Kinds(runs.study.unseeded_methods, runs.study.stochastic_methods)
    unavailable = published.unavailable()
    return judge_protocols(claims, evidence, protocols, unavailable, kinds, moderated)


def existing(files: Sequence[str]) -> list[Path]:
    """Return the files that are there."""
    return [path for path in map(Path, files) if path.exists()]
