"""The runs of all that is shown, the files that pages show, and the files that are published."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from pte_study import paths
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.paths import TEXT_KINDS, each
from pte_study.plan.claimed import Claimed
from pte_study.plan.costs import beside_scores, costs
from pte_study.plan.runs import Runs
from pte_study.store.reading import corpus_of


def page_inputs(runs: Runs, page: str) -> dict[str, list[str]]:
    """Return the files that a page shows, by kind.

    The page is `quickstart`, or `index`, which shows everything.
    """
    tables = ["quickstart"] if page == "quickstart" else runs.published
    scores = [name for table in tables for name in runs.of_table(table)]
    files = {
        "tables": each(paths.TABLE, "csv", "table", tables),
        "figures": each(paths.FIGURE, "svg", "table", tables),
        "times": each(paths.TIMES_FIGURE, "svg", "table", tables),
    }
    others = []
    if page == "index":
        scores, others = all_scores(runs), beside_scores(runs)
    files["corpora"] = runs.places(runs.corpora_of(tables))
    if runs.held is None:
        files["classes"] = [name for table in tables for name in main_scores(runs, table)]
        files["costs"] = costs(runs, scores, others)
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
    found = runs.scores(shown.corpora, methods, shown.protocols[-1:], runs.seeds_of(table)[:1])
    return paths.with_ending(found, "json")


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


def lacking(runs: Runs) -> str:
    """Return a line on what cannot be made from published runs; empty where jobs make the runs."""
    if runs.held is None:
        return ""
    config = runs.study.config
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
    if runs.pictures:
        parts["network"] = _kept(paths.NETWORK_FIGURE, ["svg"])
    experiments = {
        "curves": (paths.CURVE, paths.CURVE_FIGURE, "curve", runs.curves),
        "sensitivity": (
            paths.SENSITIVITY,
            paths.SENSITIVITY_FIGURE,
            "parameter",
            runs.sensitivities,
        ),
        "maps": (paths.MAP, paths.MAP_FIGURE, "corpus", runs.maps),
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
