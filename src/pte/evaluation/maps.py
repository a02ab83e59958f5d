"""Maps of documents, means of their words' vectors, by t-SNE and cosine (paper, section 5.6)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import TSNE
from sklearn.metrics import silhouette_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.preprocessing import normalize

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import labelled_documents
from pte.errors import PteError
from pte.evaluation.evaluate import mean_vectors

NEIGHBOURS = 10
PERPLEXITY = 30
SILHOUETTE_DOCUMENTS = 5000  # that have a silhouette: it needs all pairs


@dataclass(frozen=True)
class Separation:
    """How well classes lie apart, by cosine; neighbours in percent, silhouette −1 to 1."""

    neighbours_f1: float
    silhouette: float


def place(
    corpus: EncodedCorpus, vectors: NDArray[np.float32], seed: int, threads: int = 1
) -> tuple[NDArray[np.float32], Separation]:
    """Return where the documents lie on a plane, and how well their classes lie apart."""
    features, labels = mean_vectors(corpus.counts, vectors), np.asarray(corpus.labels)
    known, asked = labelled_documents(corpus, "map"), corpus.documents(TEST)
    found = separation(features[known], labels[known], features[asked], labels[asked], seed)
    return layout(features, seed, threads), found


def layout(features: NDArray[np.float32], seed: int, threads: int = 1) -> NDArray[np.float32]:
    """Place documents by t-SNE, from principal components: distant groups stay for any seed."""
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
    """Return for which training documents, evenly chosen, the others tell the class, bool."""
    known = labelled_documents(corpus, "neighbours")
    features = normalize(mean_vectors(corpus.counts, vectors)[known])
    finder = NearestNeighbors(n_neighbors=NEIGHBOURS, algorithm="brute").fit(features)
    labels = np.asarray(corpus.labels)[known]
    votes = np.eye(len(corpus.classes), dtype=np.int32)[labels[finder.kneighbors()[1]]].sum(axis=1)
    size = min(corpus.documents(TEST).size, known.size)
    asked = np.linspace(0, known.size - 1, size).round().astype(np.int64)
    return np.asarray(votes.argmax(axis=1) == labels)[asked]
