"""The recommendation of a method, from what this project measured on texts like yours.

`situations.csv` has the scores: `pte.report.situations` makes it from the published tables and
curves. This module needs no package but Python's own.
"""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from numbers import Real
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from pte.errors import PteError

SITUATIONS = Path(__file__).with_name("situations.csv")

SCALE = math.log(2)
"""The unit of distance: a factor of two in labels, in texts, or in words of a text."""

LEVEL = 0.5
"""Points of micro-F1. Methods that differ by no more are level, and the simplest is recommended."""

LEAST_SHARE = 0.25
"""A method is compared if situations with its score have at least this share of the weight."""

NEAR = 1.5
"""The factor by which a text may lie outside of what was measured without a caution."""

SHOWN = 4
"""The most situations, and the most alternatives, that a recommendation names."""


class Candidate(NamedTuple):
    """A method: its label, what it is, and how to call it."""

    label: str
    what: str
    call: str


METHODS: Mapping[str, Candidate] = {
    "bow": Candidate(
        "BOW",
        "a TF-IDF bag of words and logistic regression; tune C",
        "scikit-learn: make_pipeline(TfidfVectorizer(), LogisticRegressionCV())",
    ),
    "bow_pairs": Candidate(
        "BOW with pairs",
        "a TF-IDF bag of words and pairs of neighbouring words, and logistic regression; tune C",
        "scikit-learn: make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegressionCV())",
    ),
    "nb_em": Candidate(
        "NB+EM",
        "naive Bayes; EM adds the text without labels",
        "scikit-learn: MultinomialNB(), if all have labels; else `snakemake own`, in a clone",
    ),
    "fasttext": Candidate("fastText", "its linear classifier", "fasttext.train_supervised()"),
    "label_propagation": Candidate(
        "label propagation",
        "labels spread between similar documents",
        "scikit-learn: LabelSpreading(), or `snakemake own`, in a clone",
    ),
    "skipgram": Candidate(
        "Skip-gram",
        "word vectors from all text, and logistic regression on means of documents",
        "pte.SkipGram().fit(all_texts), then LogisticRegression() on its vectors of documents",
    ),
    "pte_wl": Candidate(
        "PTE(Gwl)",
        "word vectors from the labels alone, and logistic regression on means of documents",
        'pte.PTEClassifier(networks=("wl",))',
    ),
    "pte_joint": Candidate(
        "PTE(joint)",
        "word vectors from all text and the labels, and logistic regression on means of documents",
        "pte.PTEClassifier()",
    ),
    "pte_joint_bow": Candidate(
        "PTE(joint)+BOW",
        "PTE's vectors beside the bag of words",
        "make_union(pte.PTE(), TfidfVectorizer()), then LogisticRegression()",
    ),
    "pte_auto": Candidate(
        "PTE(auto)",
        "PTE, LINE, words and pairs of words, weighed by documents that are held out",
        "pte.PTEAuto()",
    ),
    "cnn": Candidate("CNN", "a convolutional network", "`snakemake own`, in a clone"),
    "cnn_pretrain": Candidate(
        "CNN(pretrain)",
        "a convolutional network that starts from LINE's vectors of all text",
        "`snakemake own`, in a clone",
    ),
}
"""The methods that may be recommended, the simpler ones first."""

NEED_NO_OTHER_TEXT = ("bow", "bow_pairs", "pte_wl", "cnn")
"""Methods of the curves that use text without labels for nothing but counts of words."""


@dataclass(frozen=True)
class Situation:
    """A corpus with some labels, and the micro-F1 in percent of each method measured there.

    `between` has the methods that were not measured there, but with fewer and with more labels of
    the corpus. Their micro-F1 is interpolated, linearly in the logarithm of the labels.
    """

    corpus: str
    labelled: int
    unlabelled: int
    mean_length: float
    scores: Mapping[str, float]
    between: Mapping[str, float] = field(default_factory=dict)

    @property
    def compared(self) -> Mapping[str, float]:
        """The scores of all methods, measured or interpolated."""
        return {**self.between, **self.scores}

    def behind(self, method: str) -> float:
        """Return how many points a method is behind the best method of this situation."""
        return max(self.compared.values()) - self.compared[method]


@dataclass(frozen=True)
class Alternative:
    """A method by its label, its weighted mean of points `behind` the best, and how to call it."""

    method: str
    behind: float
    call: str


@dataclass(frozen=True)
class Weighed:
    """A situation that was measured, and its share of the weight."""

    situation: Situation
    share: float


@dataclass(frozen=True)
class Recommendation:
    """What `recommend` returns; `str` makes text of it.

    `method` is the label of the method, `call` says how to use it, `behind` is its mean points
    behind the best, and `why` gives the reason. `evidence` holds the situations that count most,
    and `alternatives` the other methods that were compared there, the best first. `cautions` says
    what was not measured.
    """

    method: str
    call: str
    behind: float
    why: str
    evidence: tuple[Weighed, ...]
    alternatives: tuple[Alternative, ...]
    cautions: tuple[str, ...]

    def __str__(self) -> str:
        """Return the method, what was not measured, the reason, and a table of measured scores."""
        cautions = [f"Caution: {each}" for each in self.cautions]
        lines = [f"{self.method}: {self.call}", *cautions, "", *wrap(self.why, 88)]
        return "\n".join([*lines, "", *_table(self)])


def recommend(n_labelled: int, n_unlabelled: int, mean_length: float) -> Recommendation:
    """Recommend a method to sort texts by topic or opinion, from scores on similar corpora.

    `n_labelled` and `n_unlabelled` are numbers of documents, and `mean_length` is the mean number
    of words in a document. A measured situation counts more if it is more like yours. Three ratios
    between the two matter: of mean lengths, of numbers of labelled documents, and of numbers of
    documents for each labelled document. The weight is exp(−d²/2), where d² is the sum of the
    squares of the logarithms of these ratios, each logarithm divided by `SCALE`. For each method,
    the points behind the best method of each situation are averaged with these weights. The
    simplest method whose mean is within `LEVEL` of the smallest mean is recommended.

    Raises `PteError` when an argument is not a finite number, when `n_labelled` is less than 1,
    when `mean_length` is not positive, and when `n_unlabelled` is negative.
    """
    _check(n_labelled, n_unlabelled, mean_length)
    asked = Situation("yours", n_labelled, n_unlabelled, mean_length, {})
    evidence = weighed(asked, measured())
    behind = points_behind(evidence)
    best = chosen(behind)
    return Recommendation(
        METHODS[best].label,
        METHODS[best].call,
        behind[best],
        _why(best, behind),
        tuple(each for each in evidence[:SHOWN] if each.share >= 0.01),
        tuple(
            Alternative(METHODS[name].label, points, METHODS[name].call)
            for name, points in sorted(behind.items(), key=lambda item: item[1])
            if name != best
        )[:SHOWN],
        tuple(_cautions(asked, evidence)),
    )


@cache
def measured() -> tuple[Situation, ...]:
    """Return the situations of `situations.csv`, with the methods that may be recommended."""
    scores: dict[tuple[str, str, str, str], dict[str, float]] = {}
    with SITUATIONS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["method"] in METHODS:
                key = (row["corpus"], row["labelled"], row["unlabelled"], row["mean_length"])
                scores.setdefault(key, {})[row["method"]] = float(row["micro_f1"])
    found = [
        Situation(corpus, int(labelled), int(unlabelled), float(length), of_methods)
        for (corpus, labelled, unlabelled, length), of_methods in scores.items()
    ]
    return tuple(replace(each, between=_between(each, found)) for each in found)


def _between(there: Situation, known: Sequence[Situation]) -> dict[str, float]:
    """Interpolate scores of methods that were not measured in a situation, but on both sides of it.

    The two sides are situations of the same corpus and the same number of documents, with fewer and
    with more labels; in both, some documents have no label.
    """
    curve = [
        each
        for each in known
        if each.corpus == there.corpus
        and each.labelled + each.unlabelled == there.labelled + there.unlabelled
        and each.unlabelled
    ]
    found = {}
    for method in METHODS.keys() - there.scores.keys():
        fewer = [each for each in curve if method in each.scores and each.labelled < there.labelled]
        more = [each for each in curve if method in each.scores and each.labelled > there.labelled]
        if fewer and more:
            low = max(fewer, key=lambda each: each.labelled)
            high = min(more, key=lambda each: each.labelled)
            share = math.log(there.labelled / low.labelled) / math.log(high.labelled / low.labelled)
            found[method] = (1 - share) * low.scores[method] + share * high.scores[method]
    return found


def weighed(asked: Situation, known: Sequence[Situation]) -> tuple[Weighed, ...]:
    """Return the known situations with their shares of the weight, the largest share first."""
    distances = [_distance(asked, each) for each in known]
    nearest = min(distances)
    weights = [math.exp((nearest**2 - distance**2) / 2) for distance in distances]
    pairs = zip(known, weights, strict=True)
    found = [Weighed(each, weight / sum(weights)) for each, weight in pairs]
    return tuple(sorted(found, key=lambda each: -each.share))


def points_behind(evidence: Sequence[Weighed]) -> dict[str, float]:
    """Return the weighted mean of the points behind the best, for each method that is compared."""
    found = {}
    for method in METHODS:
        with_it = [each for each in evidence if method in each.situation.compared]
        share = sum(each.share for each in with_it)
        if share >= LEAST_SHARE:
            points = sum(each.share * each.situation.behind(method) for each in with_it)
            found[method] = points / share
    return found


def chosen(behind: Mapping[str, float]) -> str:
    """Return the simplest method that is level with the best; `behind` has simple methods first."""
    least = min(behind.values())
    return next(method for method, points in behind.items() if points <= least + LEVEL)


def _distance(one: Situation, other: Situation) -> float:
    """Return the distance between two situations, in units of `SCALE`."""
    pairs = zip(_coordinates(one), _coordinates(other), strict=True)
    return math.sqrt(sum(math.log(a / b) ** 2 for a, b in pairs)) / SCALE


def _coordinates(situation: Situation) -> tuple[float, float, float]:
    for_each_label = 1 + situation.unlabelled / situation.labelled
    return situation.mean_length, float(situation.labelled), for_each_label


def _check(n_labelled: int, n_unlabelled: int, mean_length: float) -> None:
    given = {"n_labelled": n_labelled, "n_unlabelled": n_unlabelled, "mean_length": mean_length}
    for name, value in given.items():
        if not isinstance(value, Real):
            raise PteError(f"{name} is {value!r}; it must be a number")
    if not 1 <= n_labelled < math.inf:
        raise PteError(
            f"n_labelled is {n_labelled}; every method here needs labels. Without any, pte.LINE "
            "and pte.SkipGram learn word vectors"
        )
    if not 0 <= n_unlabelled < math.inf:
        raise PteError(f"n_unlabelled is {n_unlabelled}; give 0 or how many there are")
    if not 0 < mean_length < math.inf:
        raise PteError(f"mean_length is {mean_length}; give the mean number of words of a text")


def _why(best: str, behind: Mapping[str, float]) -> str:
    what, least = METHODS[best].what, min(behind.values())
    text = f"{what[0].upper()}{what[1:]}. On texts like yours it "
    if behind[best] < 0.05:  # it would be shown as 0.0
        return f"{text}had the best micro-F1, where it was measured."
    text += f"was {behind[best]:.1f} points of micro-F1 behind the best method, on average"
    if behind[best] == least:
        return f"{text}. No other method was nearer."
    first = next(METHODS[name].label for name in behind if behind[name] == least)
    return f"{text}. {first} was {least:.1f} behind: these are level, and {first} is less simple."


def _cautions(asked: Situation, evidence: Sequence[Weighed]) -> list[str]:
    """Return sentences about what in `asked` lies outside of all that was measured."""
    names = ("mean_length", "n_labelled", "documents for each label")
    known = [_coordinates(each.situation) for each in evidence]
    found = []
    for name, value, *measured_values in zip(names, _coordinates(asked), *known, strict=True):
        low, high = min(measured_values), max(measured_values)
        if not low / NEAR <= value <= high * NEAR:
            found.append(f"{name} is {value:,.0f}; measured were {low:,.0f} to {high:,.0f}.")
    if not found and _distance(asked, evidence[0].situation) * SCALE > math.log(2 * NEAR):
        found.append("nothing similar was measured; this lies between what was.")
    return found


def _table(said: Recommendation) -> list[str]:
    """Return a table, in lines: the scores of the named methods in the situations that count."""
    names = {method.label: name for name, method in METHODS.items()}
    labels = [said.method, *(each.method for each in said.alternatives)]
    behind = [said.behind, *(each.behind for each in said.alternatives)]
    head = ["corpus", "labelled", "unlabelled", "words", "weight", *labels]
    rows = [head]
    for each in said.evidence:
        there, share = each.situation, f"{each.share:.0%}"
        facts = [f"{there.labelled:,}", f"{there.unlabelled:,}", f"{there.mean_length:.0f}", share]
        rows.append([there.corpus, *facts, *(_cell(there, names[label]) for label in labels)])
    rows.append(["points behind", *[""] * 4, *(f"{points:.1f}" for points in behind)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    ]
    notes = ["weight: how much a row counts, by how like your texts it is"]
    if any(cell.startswith("~") for row in rows for cell in row):
        notes.append("~: between what was measured with fewer and with more labels")
    return [*lines, *notes]


def _cell(there: Situation, method: str) -> str:
    """Return a score as text; a mark says that it lies between measured scores."""
    if method not in there.compared:
        return "-"
    return "~" * (method in there.between) + f"{there.compared[method]:.1f}"
