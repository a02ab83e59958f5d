"""Label propagation with local and global consistency (Zhou et al., NIPS 2003).

Training documents are joined to the k others that are most similar in TF-IDF. Their labels spread
along S = D^(−1/2) W D^(−1/2) to F = (1 − α)(I − αS)^(−1) Y. A test document is no part of the
graph: it takes the sum of F over its k nearest training documents, weighted by similarity.
"""

import time

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.models import bow
from pte.models.labelled import folds, labelled_documents
from pte.models.prediction import Prediction

METHOD = "label_propagation"
NEIGHBOURS = (5, 10, 20, 50, 100)
ALPHAS = (0.1, 0.5, 0.9, 0.99)
FOLDS = 5
TOLERANCE = 1e-4
CHUNK = 512
"""Documents whose similarities to all others are in memory at a time."""


def fit_predict(corpus: EncodedCorpus, seed: int, threads: int) -> Prediction:
    """Choose k and α by cross-validation on the labelled documents, then use all their labels.

    A document that judges keeps its place in the graph, without its label, and is predicted as a
    test document is. `threads` is not used. Raises `PteError` when there are too few documents.
    """
    began = time.perf_counter()
    known, train = labelled_documents(corpus, METHOD), corpus.documents(TRAIN)
    ks = [k for k in NEIGHBOURS if k < train.size]
    if not ks:
        raise PteError(
            f"{METHOD}: {train.size} training documents are too few for {NEIGHBOURS[0]} neighbours"
        )
    features = bow.fit(corpus)
    places = np.searchsorted(train, known)
    labels = np.asarray(corpus.labels[known])
    given = np.zeros((train.size, corpus.n_classes))
    given[places, labels] = 1
    parts = list(folds(labels, FOLDS, METHOD, seed))
    known_alone = np.repeat(given[:, None], FOLDS, axis=1)
    for part, (_, judge) in enumerate(parts):
        known_alone[places[judge], part] = 0
    near = nearest(features[train], features[train], ks[-1], itself=False)
    curve = []
    for k in ks:
        closest = first(near, k)
        for alpha in ALPHAS:
            spread = propagate(graph(closest), known_alone.reshape(train.size, -1), alpha)
            believed = (closest @ spread).reshape(train.size, FOLDS, -1)
            hits = sum(
                int((classes(believed[places[judge], part], given) == labels[judge]).sum())
                for part, (_, judge) in enumerate(parts)
            )
            curve.append({"k": k, "alpha": alpha, "score": 100 * hits / labels.size})
    choice = max(curve, key=lambda point: point["score"])
    k, alpha = int(choice["k"]), choice["alpha"]
    spread = propagate(graph(first(near, k)), given, alpha)
    asked = nearest(features[corpus.documents(TEST)], features[train], k)
    training = {
        "samples": None,
        "seconds": time.perf_counter() - began,
        "choice": {"k": k, "alpha": alpha},
        "curve": curve,
        "unlabelled": int((corpus.labels[train] == UNLABELLED).sum()),
    }
    return Prediction(classes(asked @ spread, given), training)


def nearest(
    asked: sparse.csr_array, among: sparse.csr_array, k: int, *, itself: bool = True
) -> sparse.csr_array:
    """Inner products with the k rows of `among` that have the largest, k a row, largest first.

    float32, shape (asked, among). With `itself` false, row i of `among` is not asked about row i.
    """
    rows = asked.shape[0]
    places, similarities = np.empty((rows, k), np.int32), np.empty((rows, k), np.float32)
    columns = among.T.tocsr()
    for begin in range(0, rows, CHUNK):
        chunk = slice(begin, min(begin + CHUNK, rows))
        dense = (asked[chunk] @ columns).toarray()
        if not itself:
            dense[np.arange(len(dense)), np.arange(begin, begin + len(dense))] = -1
        best = np.argpartition(dense, -k, axis=1)[:, -k:]
        found = np.take_along_axis(dense, best, axis=1)
        order = np.argsort(-found, axis=1, kind="stable")
        places[chunk] = np.take_along_axis(best, order, axis=1)
        similarities[chunk] = np.take_along_axis(found, order, axis=1)
    starts = np.arange(rows + 1) * k
    return sparse.csr_array((similarities.ravel(), places.ravel(), starts), (rows, among.shape[0]))


def first(near: sparse.csr_array, k: int) -> sparse.csr_array:
    """Of what `nearest` returned, the first k of each row."""
    rows = near.shape[0]
    values, places = near.data.reshape(rows, -1)[:, :k], near.indices.reshape(rows, -1)[:, :k]
    return sparse.csr_array((values.ravel(), places.ravel(), np.arange(rows + 1) * k), near.shape)


def graph(near: sparse.csr_array) -> sparse.csr_array:
    """S, with W_ij > 0 where one of i and j is among the nearest of the other."""
    joined = near.maximum(near.T)
    degrees = np.asarray(joined.sum(axis=1)).ravel()
    scale = sparse.diags_array(1 / np.sqrt(np.where(degrees > 0, degrees, 1)))
    return sparse.csr_array(scale @ joined @ scale)


def propagate(s: sparse.csr_array, given: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """F: the limit of F ← αSF + (1 − α)Y, by conjugate gradients on (I − αS) F = (1 − α) Y.

    All columns at once, each until its residual is below `TOLERANCE` of its start.
    """
    goal = (1 - alpha) * given
    spread = np.zeros_like(goal)
    residual, direction = goal.copy(), goal.copy()
    size = start = (residual**2).sum(axis=0)
    while (size > TOLERANCE**2 * start).any():
        image = direction - alpha * (s @ direction)
        step = _ratio(size, (direction * image).sum(axis=0))
        spread += step * direction
        residual -= step * image
        size, before = (residual**2).sum(axis=0), size
        direction = residual + _ratio(size, before) * direction
    return spread


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def classes(believed: NDArray[np.float64], given: NDArray[np.float64]) -> NDArray[np.int32]:
    """The class that has most; the largest class where none has any."""
    largest = given.sum(axis=0).argmax()
    chosen: NDArray[np.int64] = np.where(believed.any(axis=1), believed.argmax(axis=1), largest)
    return chosen.astype(np.int32)
