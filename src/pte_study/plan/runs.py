"""The runs from which tables, curves, claims and figures are made.

A run has a corpus, a method, a protocol and a seed. Its name is that of its result without ending.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pte.corpora.subsets import Subset
from pte.training.setup import DEFAULT as DEFAULT
from pte.training.setup import SensitivityPlan
from pte_study import paths
from pte_study.configuration.config import Table
from pte_study.configuration.entries import MAIN_METHOD, PAPER, Row
from pte_study.configuration.yaml_files import typed
from pte_study.plan.study import Study
from pte_study.store.reading import files_of_job


@dataclass(frozen=True)
class Runs:
    """The runs of a study, by their names.

    Jobs make the runs, unless `held` gives the published file that holds each run.
    """

    study: Study
    held: Mapping[str, str] | None = None

    def is_planned(self, corpus: str) -> bool:
        """Return whether there may be runs on a corpus."""
        if self.held is None:
            return not self.study.unplanned(corpus)
        return paths.PUBLISHED_RUN.format(corpus=corpus) in set(self.held.values())

    def had(self, names: Iterable[str]) -> list[str]:
        """Return which of the runs can be had."""
        return [name for name in names if self.held is None or name in self.held]

    def files(self, names: Iterable[str], ending: str | None = None) -> list[str]:
        """Return the files of runs: those of jobs, all or with one ending, or published files."""
        if self.held is not None:
            return sorted({self.held[name] for name in self.had(names)})
        if ending:
            return paths.with_ending(names, ending)
        return [file for name in names for file in files_of_job(name)]

    def places(self, corpora: Iterable[str]) -> list[str]:
        """Return the places of the runs on some corpora, as `pte_study.store.reading` has them."""
        place = paths.CORPUS if self.held is None else paths.PUBLISHED_RUN
        return [place.format(corpus=name) for name in corpora]

    @property
    def curve_seeds(self) -> tuple[int, ...]:
        """The seeds of curves, which are the first `curve_seeds` of all seeds."""
        return self.study.config.seeds[: self.study.config.curve_seeds]

    @property
    def sensitivity_seeds(self) -> tuple[int, ...]:
        """The seeds of the sensitivity experiment, which are the first of all seeds."""
        return self.study.config.seeds[: self.study.config.sensitivity.seeds]

    @cached_property
    def tables(self) -> list[str]:
        """The tables of the configuration whose corpora are all planned, and that have a run.

        The list is cached, because each start of Snakemake asks for it more than a thousand times.
        """
        tables = self.study.config.tables
        planned = [n for n in tables if all(map(self.is_planned, tables[n].corpora))]
        return [n for n in planned if self.had(self.of_table(n))]

    @property
    def published(self) -> list[str]:
        """The tables that the repository keeps."""
        return [name for name in self.tables if name != "quickstart"]

    @property
    def in_readme(self) -> list[str]:
        """The tables that the README shows joined together."""
        return [name for name in self.published if self.study.tables[name].overview]

    @property
    def shown(self) -> list[str]:
        """The corpora of `tables`."""
        return self.corpora_of(self.tables)

    def corpora_of(self, tables: Iterable[str]) -> list[str]:
        """Return the corpora of some tables, each once."""
        found = [corpus for name in tables for corpus in self.study.tables[name].corpora]
        return list(dict.fromkeys(found))

    def of_method(self, view: str, method: str, seeds: Sequence[int]) -> list[tuple[str, int]]:
        """Return the runs of a method on a view, as pairs of a corpus and a seed.

        A view is the name of a corpus, or the name that subsets of a corpus share. A method that
        needs no seed, or cannot run, has one run on a corpus, but a run on each subset.
        """
        subset = Subset.parse(view)
        whole = view == subset.base
        if whole and (
            not self.study.method(method).seeded or self.study.registries.why_not(view, method)
        ):
            seeds = seeds[:1]
        return [(replace(subset, seed=seed).name, seed) for seed in seeds]

    def scores(
        self,
        views: Iterable[str],
        methods: Iterable[str],
        protocols: Iterable[str] | None = None,
        seeds: Sequence[int] | None = None,
    ) -> list[str]:
        """Return the scores of methods on views; by default of all protocols and all seeds."""
        protocols = list(self.study.config.protocols if protocols is None else protocols)
        seeds = self.study.config.seeds if seeds is None else seeds
        methods = list(methods)
        return [
            paths.SCORES.format(corpus=corpus, method=method, protocol=protocol, seed=seed)
            for view in views
            for method in methods
            for protocol in protocols
            for corpus, seed in self.of_method(view, method, seeds)
        ]

    def seeds_of(self, table: str) -> tuple[int, ...]:
        """Return the seeds of a table: all seeds, or as many of the first as the table says."""
        return self.study.config.seeds[: self.study.tables[table].seeds]

    def seeds_shown(self, corpus: str) -> tuple[int, ...]:
        """Return the seeds of the table that shows a corpus with the most seeds."""
        seeds = [self.seeds_of(n) for n in self.tables if corpus in self.study.tables[n].corpora]
        return max(seeds, key=len)

    def of_table(self, table: str) -> list[str]:
        """Return the scores of a table."""
        methods = self.study.methods_of(table)
        return [name for method in methods for name in self.of_row(table, method)]

    def of_row(self, table: str, method: str) -> list[str]:
        """Return the scores of a row. A slow method has one seed where the table says so."""
        shown: Table = self.study.tables[table]
        seeds = self.seeds_of(table)[: 1 if method in shown.one_seed else None]
        return self.scores(shown.corpora, [method], shown.protocols, seeds)

    def rows_of_table(self, table: str) -> list[Row]:
        """Return the rows of a table; of published runs, the rows of which there is a run."""
        methods = self.study.methods_of(table)
        return self.study.rows([name for name in methods if self.had(self.of_row(table, name))])

    def rows_of_curve(self, curve: str) -> list[Row]:
        """Return the lines of a curve; of published runs, those of which there is a run."""
        methods = self.study.config.curves[curve].methods
        return self.study.rows([n for n in methods if self.had(self.of_line(curve, n))])

    def curve_views(self, curve: str) -> list[str]:
        """Return the points of a curve: names of a corpus or of its subsets.

        A corpus that only a mirror has is left out where no mirror is configured.
        """
        return [
            Subset(corpus, labelled, unlabelled).name
            for corpus, shares in self.study.config.curves[curve].corpora.items()
            if self.is_planned(corpus)
            for labelled in shares.labelled
            for unlabelled in shares.unlabelled
        ]

    def of_curve(self, curve: str) -> list[str]:
        """Return the scores of a learning curve.

        Methods that predict classes themselves have the same scores by every protocol, so they have
        only the protocol `paper`.
        """
        methods = self.study.config.curves[curve].methods
        return [name for method in methods for name in self.of_line(curve, method)]

    def of_line(self, curve: str, method: str) -> list[str]:
        """Return the scores of a method in a learning curve."""
        predicts, shown = self.study.method(method).predicts, self.study.config.curves[curve]
        protocol = PAPER if predicts else shown.protocol
        return self.scores(self.curve_views(curve), [method], [protocol], self.curve_seeds)

    @property
    def curves(self) -> list[str]:
        """The curves that have a point and a run."""
        named = [name for name in self.study.config.curves if self.curve_views(name)]
        return [name for name in named if self.had(self.of_curve(name))]

    @property
    def parameters(self) -> dict[str, Sequence[Any]]:
        """The parameters of the sensitivity experiment, and their values.

        T is `samples`. All its values come from one training.
        """
        return {"samples": ["all"], **self.study.config.sensitivity.values}

    @property
    def sensitivities(self) -> list[str]:
        """The parameters of the sensitivity experiment for which there is a training."""
        return [name for name in self.parameters if self.had(self.of_sensitivity(name))]

    @property
    def maps(self) -> list[str]:
        """The corpora that have maps. Maps need vectors, which are not published."""
        return list(self.study.config.maps) if self.held is None else []

    @property
    def pictures(self) -> list[str]:
        """The picture of the networks, which needs a text. Texts are not published."""
        return ["network"] if self.held is None else []

    def value_in_tables(self, parameter: str, corpus: str) -> Any:
        """Return the value of a parameter with which tables are trained on a corpus.

        T need not be a number. It is None if the configuration has no T for the corpus.
        """
        if parameter == "samples":
            return self.study.config.samples.get(corpus)
        return getattr(self.study.config.hyperparameters, parameter)

    def values_in_tables(self, parameter: str) -> dict[str, Any]:
        """Return `value_in_tables` for each corpus of the sensitivity experiment, by corpus."""
        corpora = self.study.config.sensitivity.corpora
        return {corpus: self.value_in_tables(parameter, corpus) for corpus in corpora}

    def of_sensitivity(self, parameter: str) -> list[str]:
        """Return the trainings for the values of a parameter.

        All parameters share the training that has the values of the tables.
        """
        return [
            paths.SENSITIVITY_RUN.format(corpus=corpus, parameter=name, value=at, seed=seed)
            for corpus in self.study.config.sensitivity.corpora
            for value in self.parameters[parameter]
            for is_default in [value == self.value_in_tables(parameter, corpus)]
            for name, at in [(DEFAULT, "all") if is_default else (parameter, value)]
            for seed in self.sensitivity_seeds
        ]

    def sensitivity_plan(self, corpus: str, parameter: str, value: Any) -> SensitivityPlan:
        """Return the plan of a training: as in the tables, except for T and for one parameter."""
        config = self.study.config
        in_tables = self.value_in_tables("samples", corpus)
        fixed = in_tables if isinstance(in_tables, int) else config.samples_limit
        samples = config.sensitivity.samples.get(corpus, fixed)
        given = self.study.fits.hyperparameters(MAIN_METHOD, PAPER)
        if parameter == "samples" and value != "all":
            return SensitivityPlan(int(typed(value)), given, (1,))
        if parameter == "samples":
            most = config.sensitivity.most_samples.get(corpus, samples)
            return SensitivityPlan(most, given, config.sensitivity.checkpoints)
        if parameter != DEFAULT:
            given = replace(given, **{parameter: typed(value)})
        return SensitivityPlan(samples, given, (1,))

    def of_map(self, corpus: str) -> list[str]:
        """Return the maps of a corpus, without ending: one for each method, with the first seed."""
        seed = self.study.config.seeds[0]
        return [
            paths.PLACES.format(corpus=corpus, method=method, seed=seed)
            for method in self.study.config.maps[corpus]
        ]

    def unavailable(self) -> dict[str, str]:
        """Return why corpora of claims cannot be run, by corpus.

        A missing mirror is no reason where runs are published, because these need no texts.
        """
        known = dict(self.study.registries.unavailable)
        if self.held is not None:
            return known
        reasons = {name: self.study.unplanned(name) for name in self.study.registries.corpora}
        return known | {name: reason for name, reason in reasons.items() if reason}
