"""The runs (a corpus, a method, a protocol, a seed) of tables, curves, claims and figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from pte.corpora.subsets import Subset
from pte.training.setup import DEFAULT, JOINT, SensitivityPlan
from pte_study import paths
from pte_study.claims.claim import BESIDE_TABLES, Claim, sides, training_of
from pte_study.configuration.config import MAIN_METHOD, PAPER, Curve, Row, Table
from pte_study.configuration.registry import typed
from pte_study.plan.fits import Fits
from pte_study.store import corpus_of, files_of_job


class Runs(Fits):
    """The runs of a study, by their names: jobs make them, or published files hold them."""

    def is_planned(self, corpus: str) -> bool:
        if self.held is None:
            return not self.unplanned(corpus)
        return paths.PUBLISHED_RUN.format(corpus=corpus) in set(self.held.values())

    def had(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self.held is None or name in self.held]

    def files(self, names: Iterable[str], ending: str | None = None) -> list[str]:
        """Return the files of runs: those of jobs, all or with one ending, or published files."""
        if self.held is not None:
            return sorted({self.held[name] for name in self.had(names)})
        if ending:
            return paths.with_ending(names, ending)
        return [file for name in names for file in files_of_job(name)]

    def places(self, corpora: Iterable[str]) -> list[str]:
        place = paths.CORPUS if self.held is None else paths.PUBLISHED_RUN
        return [place.format(corpus=name) for name in corpora]

    def scores(
        self, views: Iterable[str], method: str, protocols: Iterable[str], seeds: Sequence[int]
    ) -> list[str]:
        """Return the scores of a method on views.

        A method that needs no seed, or cannot run, has one run on a corpus, or on each subset."""
        found: list[str] = []
        for view in views:
            subset, own = Subset.parse(view), seeds
            one = not self.method(method).seeded or self.registries.why_not(view, method)
            if one and view == subset.base:
                own = seeds[:1]
            places = [{"corpus": replace(subset, seed=seed).name, "seed": seed} for seed in own]
            found += [
                paths.SCORES.format(method=method, protocol=protocol, **place)
                for protocol in protocols
                for place in places
            ]
        return found

    # Tables

    @cached_property
    def all_tables(self) -> Mapping[str, Table]:
        """The tables of the configuration, and one table for each corpus of the registry."""
        protocols, corpora = tuple(self.config.protocols), self.registries.corpora
        alone = {name: Table((name,), each.title, protocols) for name, each in corpora.items()}
        return alone | dict(self.config.tables)

    @cached_property
    def tables(self) -> list[str]:
        """The planned tables that have a run; cached, as Snakemake asks a thousand times."""
        tables = self.config.tables
        planned = [n for n in tables if all(map(self.is_planned, tables[n].corpora))]
        return [n for n in planned if self.had(self.of_table(n))]

    @property
    def published(self) -> list[str]:
        return [name for name in self.tables if name != "quickstart"]

    @property
    def in_readme(self) -> list[str]:
        """The tables that the README shows joined together."""
        return [name for name in self.published if self.all_tables[name].overview]

    @property
    def shown(self) -> list[str]:
        return self.corpora_of(self.tables)

    def corpora_of(self, tables: Iterable[str]) -> list[str]:
        found = [corpus for name in tables for corpus in self.all_tables[name].corpora]
        return list(dict.fromkeys(found))

    def methods_of(self, table: str) -> tuple[str, ...]:
        """Return the methods of a table: the methods that it names, or all of the configuration."""
        return self.all_tables[table].methods or self.config.methods

    def seeds_of(self, table: str) -> tuple[int, ...]:
        return self.config.seeds[: self.all_tables[table].seeds]

    def seeds_shown(self, corpus: str) -> tuple[int, ...]:
        """Return the seeds of the table that shows a corpus with the most seeds."""
        seeds = [self.seeds_of(n) for n in self.tables if corpus in self.all_tables[n].corpora]
        return max(seeds, key=len)

    def of_table(self, table: str) -> list[str]:
        return [name for each in self.methods_of(table) for name in self.of_row(table, each)]

    def of_row(self, table: str, method: str) -> list[str]:
        """Return the scores of a row. A slow method has one seed where the table says so."""
        shown = self.all_tables[table]
        seeds = self.seeds_of(table)[: 1 if method in shown.one_seed else None]
        return self.scores(shown.corpora, method, shown.protocols, seeds)

    def rows_of_table(self, table: str) -> list[Row]:
        """Return the rows of a table; of published runs, the rows of which there is a run."""
        return self.rows([n for n in self.methods_of(table) if self.had(self.of_row(table, n))])

    # Learning curves

    @property
    def curve_seeds(self) -> tuple[int, ...]:
        return self.config.seeds[: self.config.curve_seeds]

    @property
    def curves(self) -> list[str]:
        """The curves that have a point and a run."""
        named = [name for name in self.config.curves if self.curve_views(name)]
        return [name for name in named if self.had(self.of_curve(name))]

    def curve_views(self, curve: str) -> list[str]:
        """Return the points of a curve that are planned: names of a corpus or of its subsets."""
        return [
            Subset(corpus, labelled, unlabelled).name
            for corpus, shares in self.config.curves[curve].corpora.items()
            if self.is_planned(corpus)
            for labelled in shares.labelled
            for unlabelled in shares.unlabelled
        ]

    def of_curve(self, curve: str) -> list[str]:
        methods = self.config.curves[curve].methods
        return [name for method in methods for name in self.of_line(curve, method)]

    def of_line(self, curve: str, method: str) -> list[str]:
        """Return a line's scores, by `paper` alone if the method predicts classes itself."""
        predicts, shown = self.method(method).predicts, self.config.curves[curve]
        protocol = PAPER if predicts else shown.protocol
        return self.scores(self.curve_views(curve), method, [protocol], self.curve_seeds)

    def rows_of_curve(self, curve: str) -> list[Row]:
        """Return the lines of a curve; of published runs, those of which there is a run."""
        methods = self.config.curves[curve].methods
        return self.rows([n for n in methods if self.had(self.of_line(curve, n))])

    def shown_curve(self, name: str) -> Curve:
        """Return a curve with the methods of all curves, lest one look different in each."""
        methods = (method for each in self.config.curves.values() for method in each.methods)
        return replace(self.config.curves[name], methods=tuple(dict.fromkeys(methods)))

    # The sensitivity experiment

    @property
    def parameters(self) -> dict[str, Sequence[Any]]:
        """The parameters of the experiment, and their values; T, `samples`, is one training."""
        return {"samples": ["all"], **self.config.sensitivity.values}

    @property
    def sensitivities(self) -> list[str]:
        return [name for name in self.parameters if self.had(self.of_sensitivity(name))]

    def value_in_tables(self, parameter: str, corpus: str) -> Any:
        """Return the value of a parameter in tables; None if the corpus has no T."""
        if parameter == "samples":
            return self.config.samples.get(corpus)
        return getattr(self.config.hyperparameters, parameter)

    def of_sensitivity(self, parameter: str) -> list[str]:
        """Return the trainings for the values of a parameter; that of the tables is shared."""
        return [
            paths.SENSITIVITY_RUN.format(corpus=corpus, parameter=name, value=at, seed=seed)
            for corpus in self.config.sensitivity.corpora
            for value in self.parameters[parameter]
            for is_default in [value == self.value_in_tables(parameter, corpus)]
            for name, at in [(DEFAULT, "all") if is_default else (parameter, value)]
            for seed in self._sensitivity_seeds
        ]

    @property
    def _sensitivity_seeds(self) -> tuple[int, ...]:
        return self.config.seeds[: self.config.sensitivity.seeds]

    def sensitivity_plan(self, corpus: str, parameter: str, value: Any) -> SensitivityPlan:
        """Return the plan of a training: as in the tables, except for T and for one parameter."""
        config = self.config.sensitivity
        in_tables = self.value_in_tables("samples", corpus)
        fixed = in_tables if isinstance(in_tables, int) else self.config.samples_limit
        samples = config.samples.get(corpus, fixed)
        given = self.hyperparameters(MAIN_METHOD, PAPER)
        if parameter == "samples" and value != "all":
            return SensitivityPlan(int(typed(value)), given, (1,))
        if parameter == "samples":
            most = config.most_samples.get(corpus, samples)
            return SensitivityPlan(most, given, config.checkpoints)
        if parameter != DEFAULT:
            given = replace(given, **{parameter: typed(value)})
        return SensitivityPlan(samples, given, (1,))

    @property
    def sensitivity_weights(self) -> str | dict[str, float]:
        """The weights of networks in the sensitivity experiment, which has the networks `JOINT`."""
        weights = self.config.network_weights
        if isinstance(weights, str):
            return weights
        return {name: weight for name, weight in weights.items() if name in JOINT}

    @property
    def sensitivity_code(self) -> str:
        return self.network_code("sensitivity_run", *JOINT)

    # Maps and the picture, which need texts or vectors; these are not published

    @property
    def maps(self) -> list[str]:
        return list(self.config.maps) if self.held is None else []

    def of_map(self, corpus: str) -> list[str]:
        given = {"corpus": corpus, "seed": self.config.seeds[0]}
        return [paths.PLACES.format(method=each, **given) for each in self.config.maps[corpus]]

    @property
    def pictures(self) -> list[str]:
        return ["network"] if self.held is None else []

    # Claims

    def claims(self, names: Iterable[str] | None = None) -> list[Claim]:
        known = self.registries.claims
        return [known[name] for name in (known if names is None else names)]

    def claim_inputs(self, claims: Sequence[Claim]) -> dict[str, list[str]]:
        """Return the files that some claims are judged on, by kind."""
        names = self.of_claims(claims)
        return {
            "runs": self.files(names),
            "places": self.places(dict.fromkeys(map(corpus_of, names))),
        }

    def of_claims(self, claims: Sequence[Claim]) -> list[str]:
        """Return the runs that some claims are judged on and that can be had, each once."""
        names, shown = self.claim_scores(claims), {*self.shown}
        names += [
            paths.SENSITIVITY_RUN.format(corpus=corpus, parameter=parameter, value=value, seed=seed)
            for view, _ in sides(claims, "training")
            if self.is_planned(view.base)
            for corpus, parameter, value in [training_of(view)]
            for seed in self._sensitivity_seeds
        ]
        names += [
            pattern.format(corpus=view.base, method=method, seed=seed)
            for measure, pattern in paths.BESIDE.items()
            for view, method in sides(claims, measure)
            if view.base in shown
            for seed in self._more_seeds(view.name, method, self.seeds_shown(view.base))
        ]
        return self.had(dict.fromkeys(names))

    def compared_pairs(self, claims: Sequence[Claim]) -> dict[tuple[str, str], set[str]]:
        """Return views and methods that claims compare and tables show, with claims' protocols."""
        shown = {
            *self.shown,
            *(view for curve in self.config.curves for view in self.curve_views(curve)),
        }
        found: dict[tuple[str, str], set[str]] = {}
        for claim in claims:
            for corpus in claim.corpora:
                for view, method in claim.sides(corpus):
                    parts = (*view.parts, *claim.splits_on(corpus))
                    for part in parts if view.measure == "scores" else ():
                        if part in shown:
                            by = found.setdefault((part, method), set())
                            by.update(claim.protocols or self.config.protocols)
        return found

    def claim_scores(self, claims: Sequence[Claim]) -> list[str]:
        """Return the scores that claims compare.

        Where tables show the corpus, they have the claims' protocols and the tables' seeds, and
        elsewhere `paper` and the curves' seeds. Claims need two seeds at least."""
        found, shown = [], {*self.shown}
        for (view, method), asked in self.compared_pairs(claims).items():
            protocols, seeds = [BESIDE_TABLES], self.curve_seeds
            if view in shown:
                protocols = [name for name in self.config.protocols if name in asked]
                seeds = self.seeds_shown(view)
            found += self.scores([view], method, protocols, self._more_seeds(view, method, seeds))
        return found

    def _more_seeds(self, part: str, method: str, seeds: Sequence[int]) -> Sequence[int]:
        known = self.config.seeds
        many = self.config.more_seeds.get(part, {}).get(method, 0)
        further = range(max(known) + 1, max(known) + 1 + many)
        return [*known, *further][:many] if many > len(seeds) else seeds

    def unavailable(self) -> dict[str, str]:
        """Return why corpora of claims cannot be run; published runs need no mirror."""
        known = dict(self.registries.unavailable)
        if self.held is not None:
            return known
        reasons = {name: self.unplanned(name) for name in self.registries.corpora}
        return known | {name: reason for name, reason in reasons.items() if reason}
