"""Label propagation with local and global consistency (Zhou et al., NIPS 2003).

Training documents are joined to the k others that are most similar in TF-IDF. Their labels spread
along S = D^(−1/2) W D^(−1/2) to F = (1 − α)(I − αS)^(−1) Y. A test document is no part of the
graph: it takes the sum of F over its k nearest training documents, weighted by similarity.
"""

import time
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.models.labelled import folds, labelled_documents
from pte.models.neighbours import MOST, Neighbours
from pte.models.prediction import Prediction

METHOD = "label_propagation"
NEIGHBOURS = (5, 10, 20, 50, MOST)
ALPHAS = (0.1, 0.5, 0.9, 0.99)
FOLDS = 5
TOLERANCE = 1e-4


def fit_predict(
    corpus: EncodedCorpus,
    seed: int,
    threads: int,
    neighbours: Neighbours | None = None,
    choice: Mapping[str, float] | None = None,
) -> Prediction:
    """Choose k and α by cross-validation on the labelled documents, then use all their labels.

    With a `choice`, of `k` and `alpha`, nothing is validated. `neighbours` are those of the corpus,
    found here where they are not given; their seconds count. `threads` is not used. Raises
    `PteError` when there are too few documents.
    """
    known, train = labelled_documents(corpus, METHOD), corpus.documents(TRAIN)
    least = NEIGHBOURS[0] if choice is None else int(choice["k"])
    if train.size <= least:
        raise PteError(
            f"{METHOD}: {train.size} training documents are too few for {least} neighbours"
        )
    near = Neighbours.of(corpus) if neighbours is None else neighbours
    began = time.perf_counter()
    labels = np.asarray(corpus.labels[known])
    given = np.zeros((train.size, corpus.n_classes))
    given[np.searchsorted(train, known), labels] = 1
    curve = []
    if choice is None:
        curve = _validate(corpus, near, known, given, seed)
        choice = max(curve, key=lambda point: point["score"])
    k, alpha = int(choice["k"]), choice["alpha"]
    spread = propagate(graph(near.train.matrix(k, train.size)), given, alpha)
    reached = near.test.matrix(k, train.size) @ spread
    training = {
        "samples": None,
        "seconds": near.seconds + time.perf_counter() - began,
        "choice": {"k": k, "alpha": alpha},
        "curve": curve,
        "unlabelled": int((corpus.labels[train] == UNLABELLED).sum()),
    }
    return Prediction(classes(reached, given), training)


def _validate(
    corpus: EncodedCorpus,
    near: Neighbours,
    known: NDArray[np.int64],
    given: NDArray[np.float64],
    seed: int,
) -> list[dict[str, float]]:
    """Accuracy of every k and α, in percent, each labelled document judged once.

    A document that judges keeps its place in the graph, without its label, and is predicted as a
    test document is.
    """
    train, labels = corpus.documents(TRAIN), np.asarray(corpus.labels[known])
    places = np.searchsorted(train, known)
    parts = list(folds(labels, FOLDS, METHOD, seed))
    known_alone = np.repeat(given[:, None], FOLDS, axis=1)
    for part, (_, judge) in enumerate(parts):
        known_alone[places[judge], part] = 0
    curve = []
    for k in (k for k in NEIGHBOURS if k < train.size):
        closest = near.train.matrix(k, train.size)
        for alpha in ALPHAS:
            spread = propagate(graph(closest), known_alone.reshape(train.size, -1), alpha)
            believed = (closest @ spread).reshape(train.size, FOLDS, -1)
            hits = sum(
                int((classes(believed[places[judge], part], given) == labels[judge]).sum())
                for part, (_, judge) in enumerate(parts)
            )
            curve.append({"k": k, "alpha": alpha, "score": 100 * hits / labels.size})
    return curve


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
