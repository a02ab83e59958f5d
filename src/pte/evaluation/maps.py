"""Maps of documents by t-SNE, and numbers for what one sees in the maps (paper, section 5.6).

A document is the mean of its words' vectors, which are float32, shape (words, dim). Documents are
compared by cosine: for rows of length 1, it gives the neighbours of Euclidean distance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import TSNE
from sklearn.metrics import silhouette_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.preprocessing import normalize

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.errors import PteError
from pte.evaluation.evaluate import mean_vectors

NEIGHBOURS = 10
PERPLEXITY = 30
SILHOUETTE_DOCUMENTS = 5000
"""How many documents, drawn at random, have a silhouette: it needs the distances of all pairs."""


@dataclass(frozen=True)
class Separation:
    """How well classes lie apart in the space of the vectors, by cosine.

    `neighbours_f1` is the share of documents, in percent, whose true class is the most frequent
    class of their nearest known documents. `silhouette`, −1 to 1, is the mean over the documents.
    """

    neighbours_f1: float
    silhouette: float


def place(
    corpus: EncodedCorpus, vectors: NDArray[np.float32], seed: int, threads: int = 1
) -> tuple[NDArray[np.float32], Separation]:
    """Return where the documents lie on a plane, and how well their classes lie apart.

    Test documents have labelled training documents as neighbours. Raises `PteError` as `layout`.
    """
    features, labels = mean_vectors(corpus.counts, vectors), np.asarray(corpus.labels)
    known, asked = labelled_documents(corpus, "map"), corpus.documents(TEST)
    found = separation(features[known], labels[known], features[asked], labels[asked], seed)
    return layout(features, seed, threads), found


def layout(features: NDArray[np.float32], seed: int, threads: int = 1) -> NDArray[np.float32]:
    """Place documents on a plane by t-SNE (van der Maaten and Hinton 2008) of cosine distances.

    The places are float32, shape (documents, 2). t-SNE starts from the first two principal
    components, so that groups far apart stay where they are from seed to seed. Raises `PteError`
    when there are too few documents.
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
) -> Separation:
    """Measure how well the classes of the documents `asked` lie apart, with `known` neighbours."""
    space, size = normalize(asked), min(SILHOUETTE_DOCUMENTS, len(asked))
    silhouette = silhouette_score(
        space, asked_labels, metric="cosine", sample_size=size, random_state=seed
    )
    share = float((_vote(known, known_labels, asked) == asked_labels).mean())
    return Separation(100 * share, float(silhouette))


def _vote(
    known: NDArray[np.float32], known_labels: NDArray[np.int32], asked: NDArray[np.float32]
) -> NDArray[np.int32]:
    """Return the most frequent class, or the first of several, of the nearest `known` documents."""
    classifier = KNeighborsClassifier(NEIGHBOURS, algorithm="brute")
    classifier.fit(normalize(known), known_labels)
    return np.asarray(classifier.predict(normalize(asked)), np.int32)


def neighbours_of(corpus: EncodedCorpus, vectors: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the class that the nearest labelled training documents of each test document have."""
    features, labels = mean_vectors(corpus.counts, vectors), np.asarray(corpus.labels)
    known = labelled_documents(corpus, "neighbours")
    return _vote(features[known], labels[known], features[corpus.documents(TEST)])


def right_in_training(corpus: EncodedCorpus, vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return of which training documents the nearest others have mostly the class, bool.

    These are as many labelled training documents, at even distances, as there are test documents;
    all of them if they are fewer.
    """
    known = labelled_documents(corpus, "neighbours")
    features = normalize(mean_vectors(corpus.counts, vectors)[known])
    finder = NearestNeighbors(n_neighbors=NEIGHBOURS, algorithm="brute").fit(features)
    labels = np.asarray(corpus.labels)[known]
    votes = np.eye(len(corpus.classes), dtype=np.int32)[labels[finder.kneighbors()[1]]].sum(axis=1)
    size = min(corpus.documents(TEST).size, known.size)
    asked = np.linspace(0, known.size - 1, size).round().astype(np.int64)
    return np.asarray(votes.argmax(axis=1) == labels)[asked]
