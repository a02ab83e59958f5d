"""The runs that claims are judged on."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pte.corpora.subsets import Subset
from pte_study import paths
from pte_study.claims.claim import BESIDE_TABLES, Claim, sides, training_of

if TYPE_CHECKING:
    from pte_study.plan.runs import Runs


@dataclass(frozen=True)
class Claimed:
    """The runs that claims of the registry are judged on, as names of files."""

    runs: "Runs"

    def inputs(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return the files that the claims of these names are judged on, by kind."""
        claims = [self.runs.study.registries.claims[name] for name in names]
        scores, trainings = self.scores(claims), self.trainings(claims)
        return {
            "scores": scores,
            "hits": [file.replace(".json", ".npy") for file in scores],
            "trainings": paths.with_ending(trainings, "json"),
            "predictions": paths.with_ending(trainings, "npy"),
            "seconds": paths.with_ending(self.beside(claims, "seconds"), "json"),
            "neighbours": paths.with_ending(self.beside(claims, "neighbours"), "npy"),
            "corpora": [paths.corpus(name) for name in self.corpora(claims)],
        }

    def files(self, names: Iterable[str]) -> list[str]:
        """Return the files that the claims of these names are judged on.

        Score files come first, with their ending. The names of all other files have no ending.
        """
        claims = [self.runs.study.registries.claims[name] for name in names]
        measured = [stem for name in paths.BESIDE for stem in self.beside(claims, name)]
        return [*self.scores(claims), *self.trainings(claims), *measured]

    def pairs(self, claims: Iterable[Claim]) -> list[tuple[str, str]]:
        """Return pairs of a corpus, or the name of its subsets, and a method, each once.

        The claims compare the scores of these pairs, and tables or curves show them.
        """
        shown = {*self.runs.shown}
        for curve in self.runs.study.config.curves:
            shown.update(self.runs.curve_views(curve))
        pairs = [(part, method) for view, method in sides(claims, "scores") for part in view.parts]
        return [pair for pair in dict.fromkeys(pairs) if pair[0] in shown]

    def scores(self, claims: Iterable[Claim]) -> list[str]:
        """Return the score files that claims compare.

        Where tables show the corpus, the protocols and seeds are those of tables. Elsewhere they
        are the protocol `paper` and the seeds of curves. A claim needs at least two seeds, so a
        method that has one seed in a table has all seeds of the table here.
        """
        return [
            file
            for view, method in self.pairs(claims)
            for protocols, seeds in [self._shown_with(view)]
            for file in self.runs.scores([view], [method], protocols, seeds)
        ]

    def _shown_with(self, view: str) -> tuple[list[str] | None, Sequence[int]]:
        if view in self.runs.shown:
            return None, self.runs.seeds_shown(view)
        return [BESIDE_TABLES], self.runs.curve_seeds

    def trainings(self, claims: Iterable[Claim]) -> list[str]:
        """Return the trainings of PTE(joint) that claims compare, without ending."""
        found = []
        for view, _ in sides(claims, "training"):
            if self.runs.is_planned(view.base):
                corpus, parameter, value = training_of(view)
                pattern = paths.SENSITIVITY_RUN
                found += [
                    pattern.format(corpus=corpus, parameter=parameter, value=value, seed=seed)
                    for seed in self.runs.sensitivity_seeds
                ]
        return found

    def beside(self, claims: Iterable[Claim], measure: str) -> list[str]:
        """Return the files of a `measure` beside scores that claims compare, without ending.

        The corpora are those that tables show.
        """
        return [
            paths.BESIDE[measure].format(corpus=view.base, method=method, seed=seed)
            for view, method in sides(claims, measure)
            if view.base in self.runs.shown
            for seed in self.runs.seeds_shown(view.base)
        ]

    def corpora(self, claims: Collection[Claim]) -> list[str]:
        """Return the corpora on which the claims are judged, each once."""
        bases = [Subset.parse(part).base for part, _ in self.pairs(claims)]
        bases += [
            view.base
            for kind in ("training", "neighbours")
            for view, _ in sides(claims, kind)
            if self.runs.is_planned(view.base)
        ]
        return list(dict.fromkeys(bases))
