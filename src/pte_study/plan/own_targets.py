"""The names of the files from which the page of a user's own text is made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.plugins import module_name
from pte_study import paths
from pte_study.configuration.budget import CURVE, CURVE_SHARES
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.configuration.own import PROTOCOL, cores
from pte_study.plan.costs import costs, searched_for
from pte_study.plan.runs import Runs

COMPILING = 60
"""The seconds that the first compilation of the kernels takes, about."""


@dataclass(frozen=True)
class OwnTargets:
    """The files that are made of texts of the user's own."""

    runs: Runs

    def pages(self) -> list[str]:
        """Return the pages of all texts. Raises `PteError` when there is no text."""
        own = self.runs.study.config.own
        if not own:
            raise PteError(
                "own: no text is named; add --config corpus=FILE, or an entry under `own` in "
                "config.yaml (docs/own-text.md)"
            )
        return [f"{paths.OWN.format(own=name)}/index.html" for name in own]

    def notices(self, jobs: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
        """Return one line that says how long a run of `jobs` may take; no line without a page.

        A job is the name of its rule, and its wildcards.
        """
        planned = list(jobs)
        pages = [given["own"] for rule, given in planned if rule == "own_page"]
        if not pages:
            return []
        compiles = any(rule == "warm_up" for rule, _ in planned)
        seconds = sum(self._expected(page, planned) for page in pages) / cores()
        minutes = max(1, round((seconds + COMPILING * compiles) / 60))
        how_long = "about a minute" if minutes == 1 else f"about {minutes} minutes"
        first = ", the first to compile" if compiles and minutes > 1 else ""
        slow = "longer on a slow or busy machine"
        count = "1 job" if len(planned) == 1 else f"{len(planned)} jobs"
        return [f"{', '.join(pages)}: {count}, {how_long}{first}; {slow}"]

    def _expected(self, corpus: str, jobs: Sequence[tuple[str, Mapping[str, str]]]) -> float:
        """Return the processor seconds of methods that `jobs` score, and of jobs in any case."""
        budget = self.runs.study.fits.budget(corpus)
        scored = [given for rule, given in jobs if rule == "score"]
        names = {given["method"] for given in scored if given["corpus"] == corpus}
        if any(self.runs.study.base(each["corpus"]) == corpus != each["corpus"] for each in scored):
            names.add(CURVE)
        return budget.besides + sum(budget.expected.get(name, 0) for name in names)

    def methods(self, corpus: str) -> list[str]:
        """Return the methods that fit into the budget of a text."""
        return list(self.runs.study.fits.budget(corpus).methods)

    def scores(self, corpus: str) -> list[str]:
        """Return the score files of all methods, in the order of the methods."""
        seeds = self.runs.study.config.seeds[:1]
        names = self.runs.scores([corpus], self.methods(corpus), [PROTOCOL], seeds)
        return paths.with_ending(names, "json")

    def curve(self, corpus: str) -> list[str]:
        """Return the score files of the learning curve; none without a curve.

        The scores with all labels are among them.
        """
        methods = self.runs.study.fits.budget(corpus).curve
        seed = self.runs.study.config.seeds[0]
        return [
            f"{paths.SCORES}.json".format(corpus=view, method=method, protocol=PROTOCOL, seed=seed)
            for share in (*CURVE_SHARES, 100)
            for view in [Subset(corpus, labelled=share, seed=seed).name]
            for method in methods
        ]

    def costs(self, corpus: str) -> list[str]:
        """Return the cost files of scores, of their fits, and of shared results."""
        return costs(self.runs, paths.without_ending(self.scores(corpus)))

    def paid(self, corpus: str) -> list[str]:
        """Return all files of `needed`, each once."""
        return list(dict.fromkeys(f for each in self.needed(corpus).values() for f in each))

    def needed(self, corpus: str) -> dict[str, list[str]]:
        """Return the cost files of all jobs that each method needs: score, fit, and searches.

        The methods are the keys. A method that cannot run is not fitted, and has only the cost file
        of its score.
        """
        seed = str(self.runs.study.config.seeds[0])
        return {name: self._needed(corpus, name, seed) for name in self.methods(corpus)}

    def _needed(self, corpus: str, method: str, seed: str) -> list[str]:
        study = self.runs.study
        score = paths.SCORES.format(corpus=corpus, method=method, protocol=PROTOCOL, seed=seed)
        if study.registries.why_not(corpus, method):
            return [paths.cost(score)]
        entry = study.method(method)
        fits = [method] if entry.is_represented else []
        fits += entry.needs.values()
        stems = [study.fits.stem(corpus, each, PROTOCOL, seed) for each in fits]
        if entry.spec.neighbours:
            stems.append(paths.NEIGHBOURS.format(corpus=corpus))
        searched = searched_for(study, corpus, method, PROTOCOL)
        return [paths.cost(stem) for stem in dict.fromkeys((score, *stems, *searched))]

    def predictors(self, corpus: str) -> dict[str, dict[str, Any]]:
        """Return the plan, and the files by role, with which each method classifies new documents.

        The methods are the keys. Methods that predict classes themselves are left out, and so are
        methods that cannot run.
        """
        study, seed = self.runs.study, str(self.runs.study.config.seeds[0])
        return {
            name: {
                "plan": vars(study.fits.plan(corpus, name).to_score),
                "files": study.fits.score_inputs(corpus, name, PROTOCOL, seed),
            }
            for name in self.methods(corpus)
            if not study.method(name).predicts and not study.registries.why_not(corpus, name)
        }

    def predictions_code(self, corpus: str) -> str:
        """Return the hash of all code that predictions depend on.

        The hash includes the code of the reader, and of methods that make features. Such a method
        may belong to a plugin.
        """
        study = self.runs.study
        methods = map(study.method, self.methods(corpus))
        models = [each.model for each in methods if each.spec.yields == "features"]
        modules = [module_name("pte.models", name) for name in models]
        return study.reading_code("own_predictions", corpus, *modules)

    def reading(self, corpus: str) -> dict[str, Any] | None:
        """Return how documents are read again to show their beginnings; None for bags of words."""
        entry = self.runs.study.registries.corpora[corpus]
        if entry.order_lost:
            return None
        return {"reader": entry.reader, "options": dict(entry.options)}

    def fits(self, corpus: str) -> list[str]:
        """Return all files of `predictors`, and the vectors that are written, each once."""
        files = [
            file for each in self.predictors(corpus).values() for file in each["files"].values()
        ]
        return list(dict.fromkeys([*files, self.vectors(corpus)]))

    def vectors(self, corpus: str) -> str:
        """Return the file of the word vectors that are written, whose neighbours the page shows."""
        study = self.runs.study
        seed = str(study.config.seeds[0])
        return study.fits.represented(corpus, MAIN_METHOD, PROTOCOL, seed)["representation"]

    def shown(self, corpus: str) -> dict[str, Any]:
        """Return what the page says of the run: the text, the budget, the labels of methods."""
        study = self.runs.study
        budget, labels = study.fits.budget(corpus), study.labels
        own = study.config.own[corpus]
        names: Mapping[str, str] = labels | {CURVE: CURVE}
        return {
            "file": own.text.file,
            "minutes": own.minutes,
            "vectors_of": MAIN_METHOD,
            "samples_limit": budget.samples_limit,
            "left_out": {names[name]: took for name, took in budget.left_out.items()},
            "order_lost": study.registries.corpora[corpus].order_lost,
            "labels": labels,
        }
