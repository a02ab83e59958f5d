"""What names of classes, a review and a promise are worth, on corpora outside the study.

    python -m benchmarks.labels names|doubts|next|promise METHOD SEED FILE.csv …

A file has the columns `text` and `label`; up to 4,000 random documents take part. `names`:
micro-F1 with two labels a class, without names, with the labels' own words, and with these alone.
`doubts`: of labels that were changed at random, one of twenty, how many are among the first twice
as many that a review lists, and that cleanlab lists by the same probabilities. `next`: micro-F1
by the number of labels, chosen at random or by reviews. `promise`: how much is right of what
`--precision` labels.
"""

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import f1_score, roc_auc_score

from benchmarks.common import journal
from benchmarks.contest import read
from pte.classify.folds import Collection
from pte.classify.given import read_labels
from pte.classify.names import words_of_label
from pte.classify.review import doubts
from pte.classify.text_classifier import TextClassifier
from pte.classify.trial import Trials, Work
from pte.errors import PteError
from pte.evaluation.promise import thresholds

MOST, TESTED, SHARE_WRONG = 4000, 0.25, 0.05  # documents, and shares of them
STEPS = (50, 100, 200, 350, 500, 700, 1000)
LABELLED, PROMISES = (100, 300, 1000, 2500), (0.8, 0.9, 0.95)

Texts = npt.NDArray[np.object_]


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore")
    part, method, seed, *files = arguments
    note = journal("labels")
    for file in files:
        texts, labels = read(Path(file))
        order = np.random.default_rng(int(seed)).permutation(labels.size)[:MOST]
        some = np.array(texts, object)[order], labels[order].astype(object)
        for found in PARTS[part](method, int(seed), *some):
            note(part=part, corpus=Path(file).stem, method=method, seed=seed, **found)


def names(method: str, seed: int, texts: Texts, labels: Texts) -> Iterator[dict[str, Any]]:
    n = round(TESTED * labels.size)
    held, kept = labels[:n], labels[n:]
    known = np.full(kept.size, None, object)
    for each in np.unique(kept):
        known[np.flatnonzero(kept == each)[:2]] = each
    words = {each: words_of_label(each) for each in np.unique(labels)}
    kinds = {"without": (None, known), "with": (words, known), "alone": (words, None)}
    encoder = "minilm" if method == "pte_auto_encoder" else None
    model = TextClassifier(method=method, encoder=encoder, threads=1, random_state=seed)
    scores = {}
    for name, (given, y) in kinds.items():
        model.set_params(names=given)
        model.fit(list(texts[n:]), y)
        scores[name] = micro(held, model.predict(list(texts[:n])))
    yield scores


def micro(truth: Texts, found: npt.NDArray[Any]) -> float:
    return float(100 * f1_score(truth, found, average="micro"))


def doubtful(method: str, seed: int, texts: Texts, labels: Texts) -> Iterator[dict[str, Any]]:
    from cleanlab.filter import find_label_issues  # whose licence does not fit that of the project

    rng, classes = np.random.default_rng(seed), np.unique(labels)
    wrong = np.zeros(labels.size, np.bool_)
    wrong[rng.permutation(labels.size)[: round(SHARE_WRONG * labels.size)]] = True
    for i in np.flatnonzero(wrong):
        labels[i] = rng.choice(classes[classes != labels[i]])
    given, groups = read_labels(list(labels), labels.size), [None] * labels.size
    assert given is not None
    of = Collection([each.encode() for each in texts], given, list(map(str, groups)), groups)
    folds = [fold for fold in of.folds(5, seed) if fold.repeat == 0]
    trials = Trials(of, folds, TextClassifier(threads=1, random_state=seed))
    likely = np.full((labels.size, given.classes.size), 1e-9)
    for number, fold in enumerate(folds):
        likely[fold.test] = trials.run(Work(method, number)).likely
    numbers = np.array([row[0] for row in given.of_documents if row])
    likely /= likely.sum(axis=1, keepdims=True)
    score, n = doubts(likely, numbers), int(wrong.sum())
    theirs = find_label_issues(
        numbers, likely, return_indices_ranked_by="self_confidence", n_jobs=1
    )
    yield {
        "wrong": n,
        "found": int(wrong[np.argsort(-score, kind="stable")[: 2 * n]].sum()),
        "found by cleanlab": int(wrong[theirs[: 2 * n]].sum()),
        "auc": float(roc_auc_score(wrong, score)),
    }


def following(method: str, seed: int, texts: Texts, labels: Texts) -> Iterator[dict[str, Any]]:
    rng, n_tested = np.random.default_rng(seed), round(TESTED * labels.size)
    rest, truth = list(texts[n_tested:]), labels[n_tested:]
    first = rng.permutation(len(rest))[: STEPS[0]]
    for order in ("random", "next"):
        y, model = np.full(len(rest), None, object), TextClassifier(method=method, threads=1)
        model.set_params(random_state=seed)
        y[first] = truth[first]
        for n in STEPS:
            free = np.flatnonzero([each is None for each in y])
            more = n - (y.size - free.size)
            chosen = rng.permutation(free)[:more]
            if more and order == "next":
                listed = model.review(rest, y, n_next=more)
                chosen = listed["row"][listed["why"] != "label"].to_numpy()
            y[chosen] = truth[chosen]
            found = model.fit(rest, y).predict(list(texts[:n_tested]))
            yield {"order": order, "labels": n, "micro_f1": micro(labels[:n_tested], found)}


def promised(method: str, seed: int, texts: Texts, labels: Texts) -> Iterator[dict[str, Any]]:
    for n in LABELLED:
        y = np.full(labels.size, None, object)
        y[:n] = labels[:n]
        try:
            model = TextClassifier(method=method, threads=1, random_state=seed).fit(list(texts), y)
        except PteError:  # such as one label of a class
            continue
        likely = model.predict_proba(list(texts[n:]))
        best, least = likely.argmax(axis=1), np.full(model.classes_.size, np.inf)
        held, present = model._trained.held_out, model._present
        assert held is not None
        for precision in PROMISES:
            least[present] = thresholds(held, precision, present.size)
            gets = likely.max(axis=1) >= least[best]
            right = model.classes_[best[gets]] == labels[n:][gets]
            share = float(right.mean()) if right.size else None
            yield {"labels": n, "precision": precision, "gets": int(gets.sum()), "right": share}


PARTS = {"names": names, "doubts": doubtful, "next": following, "promise": promised}

if __name__ == "__main__":
    main(sys.argv[1:])
