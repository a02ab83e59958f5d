"""The race of a contest: all methods on a part, the best on all documents, then fewer labels."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pte.classify.advice import FAVOURITES
from pte.classify.folds import Collection, Fold, part_of
from pte.classify.given import Tokenizer, tokeniser_of
from pte.classify.lineup import FINALISTS, Lineup, TextFacts, amount_of, finals_seconds, plan
from pte.classify.registry import method_named
from pte.classify.result import Contest
from pte.classify.scores import Counted, count_labels, is_skewed
from pte.classify.trial import Clock, LostProcess, Round, Trials, Work, told, warm_up
from pte.errors import PteError
from pte.training.contract import Amount
from pte.training.method import CONTROL

FIRST, SURELY = 2, 2.5  # after so many folds, methods so many errors behind are dropped
ENOUGH = 4000  # so many documents tell finalists apart, however many there are

SAMPLE = 1000  # texts whose tokens are counted, to know how many there are


class Qualifying(Contest):
    """The trials on a part, by which methods that cannot win are dropped."""

    def hopeful(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the methods that may be the best by the trials so far; drop the others."""
        found, measures = self._standings(names)
        stays = set(names) - set(_rivals(found))
        for hits in measures:
            best = max(hits.values(), key=np.mean, default=np.empty(0))
            for name, each in hits.items():
                behind = best - each
                if behind.mean() <= SURELY * behind.std() / np.sqrt(behind.size):
                    stays.add(name)
        return self._drop(found, stays)

    def best(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the best methods, favourites among them, and controls; drop the others."""
        found, measures = self._standings(names)
        stays = set(names) - set(_rivals(found))
        for hits in measures:
            means = {name: (name in FAVOURITES, each.mean()) for name, each in hits.items()}
            stays |= set(sorted(means, key=means.__getitem__, reverse=True)[:FINALISTS])
        return self._drop(found, stays)

    def _drop(self, found: Mapping[str, Counted], stays: Container[str]) -> tuple[str, ...]:
        best = max((found[name].f1[0] for name in _rivals(found)), default=0.0)
        self.dropped += [
            {
                "method": name,
                "label": method_named(name).label,
                "micro_f1": each.f1[0],
                "documents": each.hits.size,
                "best": best,
            }
            for name, each in found.items()
            if name not in stays
        ]
        return tuple(name for name in found if name in stays)

    def _standings(
        self, names: Sequence[str]
    ) -> tuple[dict[str, Counted], list[dict[str, NDArray[np.float64]]]]:
        """Return counts on the folds that all have met, and the hits of rivals by each measure.

        Where a class holds nearly all documents, rare classes count as much, too.
        """
        of_folds = {n: {t.fold: t.predicted for t in self.whole[n]} for n in names}
        of_folds = {n: each for n, each in of_folds.items() if n not in self.failed}
        met = sorted(set.intersection(*map(set, of_folds.values()))) if of_folds else []
        if not met:
            return {}, []
        truth = np.concatenate([self.collection.targets(self.folds[i].test) for i in met])
        n_classes = self.collection.labels.classes.size
        found = {
            name: count_labels(truth, [np.concatenate([each[i] for i in met])], n_classes)
            for name, each in of_folds.items()
        }
        hits = {name: found[name].hits for name in _rivals(found)}
        if not is_skewed(truth):
            return found, [hits]
        sizes = np.bincount(truth, minlength=n_classes)
        return found, [hits, {name: each / sizes[truth] for name, each in hits.items()}]


def _rivals(names: Iterable[str]) -> list[str]:
    return [name for name in names if method_named(name).group != CONTROL]


@dataclass(frozen=True)
class Race:
    """Who takes part, and the trials of all on a part, `heat`, and of the best on all documents.

    `seconds`, of the processor, are those of the minutes that were given.
    """

    lineup: Lineup
    heat: Trials
    final: Trials
    seconds: float

    @classmethod
    def of(
        cls, trials: Trials, minutes: float, cores: int, wanted: Sequence[str], every: bool
    ) -> "Race":
        """Plan a race, with as many repeats of folds as leave time for all methods."""
        collection, model = trials.collection, trials.model
        heat = trials if wanted or every else _heat(trials)
        part, whole = (_amount(each, model.tokenizer) for each in (heat.collection, collection))
        firsts, is_whole = sum(f.repeat == 0 for f in trials.folds), heat.collection is collection
        several, encoded = collection.labels.several, collection.vectors is not None
        facts = TextFacts(part, whole, len(heat.folds), 0, several, encoded)
        for n in range(len(trials.folds), 0, -firsts):
            folds = trials.folds[: n if is_whole else _enough(trials.folds[:n])]
            facts = facts._replace(finals=len(folds) - is_whole * len(heat.folds))
            lineup = plan(facts, minutes, cores, wanted, every)
            if not lineup.too_slow:
                break
        return cls(lineup, heat, replace(trials, folds=folds), 60 * minutes * cores)

    @property
    def _is_whole(self) -> bool:
        return self.heat.collection is self.final.collection

    def hold(self, jobs: int) -> tuple[Contest, KeyboardInterrupt | LostProcess | None]:
        """Run all trials; return the contest, and what ended it before its end, if anything did."""
        clock = Clock(jobs)
        contest = Contest(self.final.collection, self.final.folds)
        qualifying = Qualifying(self.heat.collection, self.heat.folds)
        warm_up(self.final.model, self.lineup.methods)
        try:
            for to, each in self._rounds(qualifying, contest):
                for tested in told(each, jobs, clock):
                    to.add(tested)
        except (KeyboardInterrupt, LostProcess) as error:
            return (contest if contest.scored() or not self._is_whole else qualifying), error
        return contest, None

    def _rounds(self, qualifying: Qualifying, contest: Contest) -> Iterator[tuple[Contest, Round]]:
        """Yield rounds, and where their trials belong; the next depends on how the last ended."""
        lineup, names, spent = self.lineup, self.lineup.methods, 0.0
        finals = len(self.final.folds)
        if lineup.race:
            n_heats = len(self.heat.folds)
            more = finals - self._is_whole * n_heats
            further = finals_seconds(names, lineup.final, more)
            for numbers in (range(min(FIRST, n_heats)), range(FIRST, n_heats)):
                works = [Work(name, i) for name in names for i in numbers]
                spent += sum(lineup.heat[work.method] for work in works)
                yield qualifying, Round(self.heat, works, lineup.heat, further)
                if more or numbers.start == 0:
                    names = qualifying.hopeful(names)
            if more:
                names = qualifying.best(names)
            contest.dropped, contest.failed = qualifying.dropped, dict(qualifying.failed)
            for name in names if self._is_whole else ():
                contest.take(name, qualifying)
        works = [Work(name, i) for name in names for i in range(finals)]
        works = [work for work in works if not contest.has(work)]
        spent += sum(lineup.final[work.method] for work in works)
        what = "all documents: " if lineup.race else ""
        yield contest, Round(self.final, works, lineup.final, what=what)
        works = contest.curve_works()
        spent += sum(lineup.final[work.method] * work.share for work in works)
        if spent <= self.seconds:
            yield contest, Round(self.final, works, lineup.final, what="learning curve: ")


def _heat(trials: Trials) -> Trials:
    """Return the trials of the first repeat, on a part of the documents if there are many."""
    firsts = [fold for fold in trials.folds if fold.repeat == 0]
    seed = trials.model.random_state
    part = part_of(trials.collection, seed)
    if part is not trials.collection:
        try:
            return replace(trials, collection=part, folds=part.folds(len(firsts), seed))
        except PteError:  # too few groups, for instance, are in the part
            pass
    return replace(trials, folds=firsts)


def _enough(folds: Sequence[Fold]) -> int:
    """Return how many of the folds test `ENOUGH` documents, or all that there are."""
    tested = 0
    for n, fold in enumerate(folds, start=1):
        tested += fold.test.size
        if tested >= ENOUGH:
            return n
    return len(folds)


def _amount(collection: Collection, tokenizer: Tokenizer) -> Amount:
    """Return what a trial learns from; tokens are counted in some of the texts."""
    texts, labels, tokeniser = collection.texts, collection.labels, tokeniser_of(tokenizer)
    some = texts[:: -(-len(texts) // SAMPLE)]
    rate = sum(len(tokeniser(text)) for text in some) / max(1, _bytes(some))
    known = labels.known.tolist()
    tokens, labelled = (rate * _bytes(each) for each in (texts, (texts[i] for i in known)))
    return amount_of(max(tokens, 1), labelled, len(known), labels.classes.size)


def _bytes(texts: Iterable[bytes]) -> int:
    return sum(map(len, texts))
