"""Maps of documents: t-SNE, and numbers for what one sees in them (paper, section 5.6).

Documents are compared by cosine: rows of length 1, whose Euclidean neighbours are the same.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import TSNE
from sklearn.metrics import silhouette_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import normalize

from pte.errors import PteError

NEIGHBOURS = 10
PERPLEXITY = 30
SILHOUETTE_DOCUMENTS = 5000
"""Documents whose silhouette is taken, at random; it needs the distances of all pairs."""


def layout(features: NDArray[np.float32], seed: int, threads: int = 1) -> NDArray[np.float32]:
    """Documents on a plane by t-SNE (van der Maaten and Hinton 2008) of cosine distances.

    float32, shape (documents, 2). Starts from the first two principal components, so that far
    groups stay where they are from seed to seed. Raises `PteError` when there are too few.
    """
    if len(features) <= 3 * PERPLEXITY:
        raise PteError(
            f"map: {len(features)} documents are too few; t-SNE needs more than {3 * PERPLEXITY}"
        )
    model = TSNE(perplexity=PERPLEXITY, init="pca", random_state=seed, n_jobs=threads)
    placed: NDArray[np.float32] = model.fit_transform(normalize(features)).astype(np.float32)
    return placed


def separation(
    known: NDArray[np.float32],
    known_labels: NDArray[np.int32],
    asked: NDArray[np.float32],
    asked_labels: NDArray[np.int32],
    seed: int,
) -> dict[str, Any]:
    """How well classes lie apart in the space of the vectors, by cosine.

    `neighbours_f1` is the share, in percent, of the documents `asked` whose class is that of most
    of their nearest `known` documents; `silhouette`, −1 to 1, is the mean over those asked.
    """
    vote = KNeighborsClassifier(NEIGHBOURS, algorithm="brute")
    vote.fit(normalize(known), known_labels)
    space = normalize(asked)
    size = min(SILHOUETTE_DOCUMENTS, len(space))
    return {
        "neighbours_f1": 100 * float((vote.predict(space) == asked_labels).mean()),
        "silhouette": float(
            silhouette_score(
                space, asked_labels, metric="cosine", sample_size=size, random_state=seed
            )
        ),
    }
