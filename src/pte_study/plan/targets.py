"""The names of the files that pages show, and of the files that are published."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from pte_study import paths
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.paths import TEXT_KINDS, each
from pte_study.plan.costs import beside_scores, costs
from pte_study.plan.runs import Runs
from pte_study.store.stored_runs import corpus_of


def page_inputs(runs: Runs, page: str) -> dict[str, list[str]]:
    """Return the files that a page shows, by kind.

    The page is `quickstart`, or `index`, which shows everything.
    """
    tables = ["quickstart"] if page == "quickstart" else runs.published
    scores = [file for table in tables for file in runs.of_table(table)]
    files = {
        "tables": each(paths.TABLE, "csv", "table", tables),
        "figures": each(paths.FIGURE, "svg", "table", tables),
        "times": each(paths.TIMES_FIGURE, "svg", "table", tables),
    }
    others = []
    if page == "index":
        scores, others = runs.all_scores(), beside_scores(runs)
    if runs.are_made:
        files["classes"] = [file for table in tables for file in main_scores(runs, table)]
        files["corpora"] = runs.corpora(runs.corpora_of(tables))
        files["costs"] = costs(runs, scores, others)
    else:
        files["pieces"] = [f"{paths.PROVENANCE}.json"]
    if page == "quickstart":
        return files
    curves, parameters, maps = runs.curves, runs.sensitivities, runs.maps
    return files | {
        "claims": [f"{paths.CLAIMS}.csv"],
        "table1": [f"{paths.TABLE1}.csv"],
        "curves": each(paths.CURVE, "csv", "curve", curves),
        "curve_figures": each(paths.CURVE_FIGURE, "svg", "curve", curves),
        "sensitivity": each(paths.SENSITIVITY, "csv", "parameter", parameters),
        "sensitivity_figures": each(paths.SENSITIVITY_FIGURE, "svg", "parameter", parameters),
        "maps": each(paths.MAP, "csv", "corpus", maps),
        "map_documents": each(paths.MAP, "json", "corpus", maps),
        "map_figures": each(paths.MAP_FIGURE, "svg", "corpus", maps),
        "network": runs.pictures,
    }


def main_scores(runs: Runs, table: str) -> list[str]:
    """Return the scores of the main method in a table, with the last protocol and the first seed.

    There are no scores if the table does not have the method.
    """
    shown = runs.study.tables[table]
    methods = [name for name in runs.study.methods_of(table) if name == MAIN_METHOD]
    return runs.scores(shown.corpora, methods, shown.protocols[-1:], runs.seeds_of(table)[:1])


def to_store(runs: Runs) -> dict[str, list[str]]:
    """Return the names of all results that published files hold, by corpus, without ending.

    These are scores, trainings of the sensitivity experiment, and other results that claims
    compare.
    """
    files = runs.all_scores() + [file for table in runs.tables for file in runs.of_table(table)]
    names = [file.removesuffix(".json") for file in files]
    names += [stem for name in runs.parameters for stem in runs.of_sensitivity(name)]
    names += runs.claimed.trainings(runs.claims)
    for measure in paths.BESIDE:
        names += runs.claimed.beside(runs.claims, measure)
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(corpus_of(name), []).append(name)
    return found


@dataclass(frozen=True)
class Published:
    """A file of the results, and the name that it has in the repository."""

    made: str
    kept: str


def published_parts(runs: Runs) -> dict[str, list[Published]]:
    """Return the files of all that can be published, by the names of tables and experiments.

    A table and its figure keep their names. The figure of training times has `times-` before its
    name. A file of an experiment has the name of the experiment before its own name.
    """
    parts = {"table1": _kept(paths.TABLE1, TEXT_KINDS)}
    for name in runs.published:
        table = _kept(paths.TABLE.format(table=name), TEXT_KINDS)
        table += _kept(paths.FIGURE.format(table=name), ["svg"])
        parts[name] = table + _kept(paths.TIMES_FIGURE.format(table=name), ["svg"], "times-")
    parts["network"] = _kept(paths.NETWORK_FIGURE, ["svg"])
    experiments = {
        "curves": (paths.CURVE, paths.CURVE_FIGURE, "curve", runs.curves),
        "sensitivity": (paths.SENSITIVITY, paths.SENSITIVITY_FIGURE, "parameter", runs.parameters),
        "maps": (paths.MAP, paths.MAP_FIGURE, "corpus", runs.study.config.maps),
    }
    for experiment, (table_of, figure_of, wildcard, names) in experiments.items():
        for name in names:
            given, before = {wildcard: name}, f"{experiment}-"
            files = _kept(table_of.format_map(given), TEXT_KINDS, before)
            parts[before + name] = files + _kept(figure_of.format_map(given), ["svg"], before)
    return parts


def _kept(stem: str, kinds: Iterable[str], before: str = "") -> list[Published]:
    name = before + PurePosixPath(stem).name
    return [Published(f"{stem}.{kind}", f"{name}.{kind}") for kind in kinds]
