"""The runs that claims are judged on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pte_study import paths
from pte_study.claims.claim import BESIDE_TABLES, Claim, sides, training_of
from pte_study.plan.runs import Runs
from pte_study.store.reading import corpus_of


@dataclass(frozen=True)
class Claimed:
    """The names of the runs, among `runs`, that some claims are judged on."""

    runs: Runs
    claims: Sequence[Claim]

    @classmethod
    def by(cls, runs: Runs, names: Iterable[str] | None = None) -> "Claimed":
        """Take the claims of the registry that have these names, or all."""
        claims = runs.study.registries.claims
        return cls(runs, [claims[name] for name in (claims if names is None else names)])

    def inputs(self) -> dict[str, list[str]]:
        """Return the files that the claims are judged on, by kind."""
        return {"runs": self.runs.files(self.names()), "places": self.runs.places(self.corpora())}

    def names(self) -> list[str]:
        """Return the runs that can be had, each once."""
        names = [*self.scores(), *self.trainings()]
        names += [name for measure in paths.BESIDE for name in self.beside(measure)]
        return self.runs.had(dict.fromkeys(names))

    def corpora(self) -> list[str]:
        """Return the corpora of `names`, each once."""
        return list(dict.fromkeys(map(corpus_of, self.names())))

    def pairs(self) -> list[tuple[str, str]]:
        """Return pairs of a corpus, or the name of its subsets, and a method, each once.

        The claims compare the scores of these pairs, and tables or curves show them.
        """
        return list(self._protocols())

    def _protocols(self) -> dict[tuple[str, str], set[str]]:
        """Return the protocols that the claims on each of `pairs` name; all if one names none."""
        shown = {*self.runs.shown}
        for curve in self.runs.study.config.curves:
            shown.update(self.runs.curve_views(curve))
        asked = [
            ((part, method), claim.protocols or self.runs.study.config.protocols)
            for claim in self.claims
            for corpus in claim.corpora
            for view, method in claim.sides(corpus)
            if view.measure == "scores"
            for part in (*view.parts, *claim.splits_on(corpus))
            if part in shown
        ]
        found: dict[tuple[str, str], set[str]] = {}
        for pair, protocols in asked:
            found.setdefault(pair, set()).update(protocols)
        return found

    def scores(self) -> list[str]:
        """Return the scores that claims compare.

        Where tables show the corpus, the protocols are those that the claims name, or all, and the
        seeds are those of tables. Elsewhere they are the protocol `paper` and the seeds of curves.
        A claim needs at least two seeds, so a method that has one seed in a table has all seeds of
        the table here.
        """
        return [
            name
            for (view, method), asked in self._protocols().items()
            for protocols, seeds in [self._shown_with(view, asked)]
            for name in self.runs.scores(
                [view], [method], protocols, self._more_seeds(view, method, seeds)
            )
        ]

    def _shown_with(self, view: str, asked: set[str]) -> tuple[list[str], Sequence[int]]:
        if view in self.runs.shown:
            protocols = [name for name in self.runs.study.config.protocols if name in asked]
            return protocols, self.runs.seeds_shown(view)
        return [BESIDE_TABLES], self.runs.curve_seeds

    def _more_seeds(self, part: str, method: str, seeds: Sequence[int]) -> Sequence[int]:
        """Return the seeds, or as many as the configuration says that claims need on a part."""
        config = self.runs.study.config
        many = config.more_seeds.get(part, {}).get(method, 0)
        further = range(max(config.seeds) + 1, max(config.seeds) + 1 + many)
        return [*config.seeds, *further][:many] if many > len(seeds) else seeds

    def trainings(self) -> list[str]:
        """Return the trainings of PTE(joint) that claims compare."""
        return [
            paths.SENSITIVITY_RUN.format(corpus=corpus, parameter=parameter, value=value, seed=seed)
            for view, _ in sides(self.claims, "training")
            if self.runs.is_planned(view.base)
            for corpus, parameter, value in [training_of(view)]
            for seed in self.runs.sensitivity_seeds
        ]

    def beside(self, measure: str) -> list[str]:
        """Return the results of a `measure` beside scores that claims compare.

        The corpora are those that tables show.
        """
        return [
            paths.BESIDE[measure].format(corpus=view.base, method=method, seed=seed)
            for view, method in sides(self.claims, measure)
            if view.base in self.runs.shown
            for seed in self._more_seeds(view.name, method, self.runs.seeds_shown(view.base))
        ]
