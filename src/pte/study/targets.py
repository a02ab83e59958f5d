"""What pages show, and what is published: names of files."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from pte.study import paths
from pte.study.runs import Runs

TEXT_KINDS = ("csv", "md", "tex")


def page_inputs(runs: Runs, page: str) -> dict[str, list[str]]:
    """The files that a page shows, by kind: of the quickstart, or `index` of everything."""
    tables = ["quickstart"] if page == "quickstart" else runs.published
    scores = [file for table in tables for file in runs.of_table(table)]
    files = {
        "tables": [f"results/tables/{name}.csv" for name in tables],
        "figures": [f"results/figures/{name}.svg" for name in tables],
        "times": [f"results/figures/times/{name}.svg" for name in tables],
        "corpora": [paths.corpus(name) for name in runs.corpora_of(tables)],
        "costs": costs(runs, scores, [] if page == "quickstart" else all_sweeps(runs)),
    }
    if page == "quickstart":
        return files
    curves, sweeps, maps = runs.curves, list(runs.parameters), list(runs.study.config.maps)
    return files | {
        "claims": ["results/claims/claims.csv"],
        "table1": ["results/tables/table1.csv"],
        "curves": [f"results/curves/{name}.csv" for name in curves],
        "curve_figures": [f"results/figures/curves/{name}.svg" for name in curves],
        "sweeps": [f"results/sensitivity/{name}.csv" for name in sweeps],
        "sweep_figures": [f"results/figures/sensitivity/{name}.svg" for name in sweeps],
        "maps": [f"results/maps/{name}.csv" for name in maps],
        "map_documents": [f"results/maps/{name}.json" for name in maps],
        "map_figures": [f"results/figures/maps/{name}.svg" for name in maps],
        "network": ["results/figures/network.svg"],
    }


def all_sweeps(runs: Runs) -> list[str]:
    """The trainings of all sweeps, without ending, each once."""
    return list(dict.fromkeys(stem for name in runs.parameters for stem in runs.of_sweep(name)))


def costs(runs: Runs, scores: Iterable[str], sweeps: Iterable[str] = ()) -> list[str]:
    """The files that say what fits, scores and sweeps took."""
    scores = list(scores)
    stems = [file.removesuffix(".json") for file in scores]
    return [paths.cost(stem) for stem in [*runs.fits(scores), *stems, *sweeps]]


@dataclass(frozen=True)
class Published:
    """A file of the results, and the name that it has in the repository."""

    made: str
    kept: str


def published_parts(runs: Runs) -> dict[str, list[Published]]:
    """The files of everything that can be published, by the names of tables and experiments.

    A table and its figure keep their name; a file of an experiment has that of the experiment
    before its own.
    """
    parts = {"table1": _kept("results/tables/table1", TEXT_KINDS)}
    for name in runs.published:
        times = Published(f"results/figures/times/{name}.svg", f"times-{name}.svg")
        table = _kept(f"results/tables/{name}", TEXT_KINDS)
        parts[name] = [*table, *_kept(f"results/figures/{name}", ["svg"]), times]
    parts["network"] = _kept("results/figures/network", ["svg"])
    experiments = {
        "curves": runs.curves,
        "sensitivity": list(runs.parameters),
        "maps": list(runs.study.config.maps),
    }
    for experiment, names in experiments.items():
        for name in names:
            files = _kept(f"results/{experiment}/{name}", TEXT_KINDS)
            files += _kept(f"results/figures/{experiment}/{name}", ["svg"])
            parts[f"{experiment}-{name}"] = [
                Published(file.made, f"{experiment}-{file.kept}") for file in files
            ]
    return parts


def _kept(stem: str, kinds: Iterable[str]) -> list[Published]:
    return [Published(f"{stem}.{kind}", f"{PurePosixPath(stem).name}.{kind}") for kind in kinds]
