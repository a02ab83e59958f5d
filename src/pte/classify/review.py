"""Which labels a person should look at, and which texts to label next, by held-out predictions.

A label is doubtful where a model that has not seen it finds another class likelier. A text without
a label is worth one where the model wavers between two classes; texts that are alike waver alike,
so one of each kind is taken. Some are taken at random: only they tell how good a model is.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pte.classify.folds import Collection, Fold
from pte.classify.given import tokeniser_of
from pte.classify.trial import Trials, Work, run
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError
from pte.evaluation.calibration import LEAST, Asked, raised, surety

if TYPE_CHECKING:
    import pandas as pd

    from pte.classify.text_classifier import TextClassifier

FOLDS = 5
AT_RANDOM = 0.1  # the share of texts to label next that are taken at random
CHOICE = 10  # so many times as many wavering texts as are taken make the kinds
TOPICS = 50  # numbers of a text by which kinds are told apart

COLUMNS = ("row", "why", "label", "likelier", "probability_of_label", "probability", "copies")
LOOK, NEXT, RANDOM = "label", "next", "random"  # why a document is listed

Likely = NDArray[np.float64]  # probabilities of classes, shape (documents, classes)
Row = tuple[Any, ...]


def review(
    model: "TextClassifier", of: Collection, n_next: int = 100, jobs: int = 1
) -> "pd.DataFrame":
    """Return the rows of a review: doubtful labels, then texts to label next."""
    import pandas as pd

    if of.labels.several:
        raise PteError("y: documents have several labels; a review knows one for each document")
    seed, n = model.random_state, len(of.texts)
    folds = [fold for fold in of.folds(FOLDS, seed) if fold.repeat == 0]
    free = np.setdiff1d(np.arange(n), of.labels.known)
    if n_next and free.size:
        folds.append(Fold(0, np.arange(n), free))
    likely = np.zeros((n, of.labels.classes.size))
    trials = Trials(of._replace(tests=None), folds, model)
    for tested in run(trials, [Work(model.method, i) for i in range(len(folds))], jobs):
        if tested.failed:
            raise PteError(tested.failed)
        likely[folds[tested.fold].test] = tested.likely
    likely = _sure(of, likely)
    rows = list(_doubtful(of, likely))
    if n_next:
        rows += _next(of, free, likely, n_next, tokeniser_of(model.tokenizer), seed)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _sure(of: Collection, likely: Likely) -> Likely:
    """Make probabilities as sure as those of labelled documents are right."""
    known = of.labels.known
    tested = likely[known].any(axis=1)
    truth = np.asarray(of.targets(known), np.int32)[tested]
    power = surety([Asked(likely[known][tested], truth)])
    return np.where(likely.any(axis=1, keepdims=True), raised(likely, power), 0)


def _doubtful(of: Collection, likely: Likely) -> Iterator[Row]:
    """Yield labels that held-out predictions, or copies of the text, speak against."""
    classes, known = of.labels.classes, of.labels.known
    numbers, found = np.asarray(of.targets(known), np.int64), likely[known]
    score = np.where(found.any(axis=1), doubts(found, numbers), -np.inf)
    copies = copies_of([of.texts[i] for i in known], numbers)
    for i in np.argsort(-score, kind="stable").tolist():
        if score[i] > 0 or i in copies:
            own, others = int(numbers[i]), found[i].copy()
            others[own] = -1
            other = int(others.argmax())
            of_copies = ", ".join(str(classes[each]) for each in copies.get(i, ()))
            probabilities = float(found[i, own]), float(found[i, other])
            yield int(known[i]), LOOK, classes[own], classes[other], *probabilities, of_copies


def doubts(likely: Likely, labels: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the log-odds of the likeliest other class against each label; above 0 is doubtful."""
    logs, rows = np.log(np.maximum(likely, LEAST)), np.arange(len(labels))
    own = logs[rows, labels]
    logs[rows, labels] = -np.inf
    return np.asarray(logs.max(axis=1) - own)


def copies_of(texts: Sequence[bytes], labels: NDArray[np.integer]) -> dict[int, list[int]]:
    """Return the other labels of documents with the same text, by positions of documents."""
    found = defaultdict[bytes, set[int]](set)
    keys = [b" ".join(text.split()) for text in texts]
    for key, label in zip(keys, labels.tolist(), strict=True):
        found[key].add(label)
    each = enumerate(zip(keys, labels.tolist(), strict=True))
    return {i: sorted(found[key] - {label}) for i, (key, label) in each if len(found[key]) > 1}


def _next(
    of: Collection, free: NDArray[np.int64], likely: Likely, n: int, cut: Tokeniser, seed: int
) -> Iterator[Row]:
    """Yield texts to label next: those where the model wavers, one of a kind, and some others."""
    rng, n, found = np.random.default_rng(seed), min(n, free.size), likely[free]
    by_chance = rng.permutation(free.size)[: round(AT_RANDOM * n)]
    near = np.argsort(-wavering(found), kind="stable")
    near = near[~np.isin(near, by_chance)][: CHOICE * n]
    kinds = kinds_of([of.texts[i] for i in free[near]], n - by_chance.size, cut, seed)
    _, firsts = np.unique(kinds, return_index=True)
    rows = [(NEXT, i) for i in near[np.sort(firsts)].tolist()]
    for number, i in enumerate(by_chance.tolist(), 1):  # among the others, for who stops early
        rows.insert(round(number / AT_RANDOM) - 1, (RANDOM, i))
    for why, i in rows:
        best = int(found[i].argmax())
        likelier = of.labels.classes[best], np.nan, float(found[i, best])
        yield int(free[i]), why, None, *likelier, ""


def wavering(likely: Likely) -> NDArray[np.float64]:
    """Return how near the two likeliest classes of each document are: 0 where they are equal."""
    first, second = np.sort(np.log(np.maximum(likely, LEAST)), axis=1).T[:-3:-1]
    return np.asarray(second - first)


def kinds_of(texts: Sequence[bytes], n: int, cut: Tokeniser, seed: int) -> NDArray[np.int64]:
    """Divide texts into `n` kinds by their words."""
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    if len(texts) <= n:
        return np.arange(len(texts))
    tokens = TfidfVectorizer(analyzer=lambda text: cut(text.encode()), sublinear_tf=True)
    rows = tokens.fit_transform(texts)
    size = min(TOPICS, min(rows.shape) - 1)
    topics = TruncatedSVD(size, random_state=seed).fit_transform(rows) if size > 1 else rows
    return np.asarray(KMeans(n, n_init=1, random_state=seed).fit_predict(topics), np.int64)
