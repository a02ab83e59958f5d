"""Words of a user's own text: which tell the classes apart, and which lie near them."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_labelled, members
from pte.corpora.tfidf import tf_idf, unit_rows

TELLING, NEAR, LOOKED_UP = 8, 8, 12
"""Words shown for a class, neighbours of a word, and words whose neighbours are shown."""

COMMON = 5
"""Only words of so many documents are shown as neighbours, because rare words have poor vectors."""

FEWEST = 3
"""A telling word is in so many labelled documents of its class, or in all if they are fewer."""


def telling_words(corpus: EncodedCorpus) -> list[list[int]]:
    """For each class the words whose mean TF-IDF there is most above that of all documents.

    The difference is counted in standard errors, so that words that are in all texts come last.
    """
    weights, present, known = tf_idf(corpus), corpus.counts > 0, find_labelled(corpus)
    of_all = np.asarray(weights[known].mean(axis=0)).ravel()
    variance = np.asarray((weights[known] ** 2).mean(axis=0)).ravel() - of_all**2
    words = []
    for each in members(corpus):
        mean = np.asarray(weights[each].mean(axis=0)).ravel()
        documents = np.asarray(present[each].sum(axis=0)).ravel()
        enough = documents >= min(FEWEST, documents.max(initial=0))
        above = (mean - of_all) / np.sqrt(np.maximum(variance, 1e-12))
        order = np.argsort(-np.where(enough, above, -np.inf), kind="stable")
        words.append([int(word) for word in order[:TELLING] if enough[word]])
    return words


def nearest(
    vectors: NDArray[np.float32],
    asked: NDArray[np.float32],
    among: NDArray[np.int64],
    without: list[int] | None = None,
) -> list[list[int]]:
    """The words of `among` nearest by cosine to each row of `asked`.

    Row i leaves out the word `without[i]`.
    """
    units, found = unit_rows(vectors[among]), []
    for i, row in enumerate(unit_rows(asked)):  # a thousand rows at once may take gigabytes
        alike = units @ row
        if without is not None:
            alike[among == without[i]] = -np.inf
        found.append([int(among[j]) for j in np.argsort(-alike, kind="stable")[:NEAR]])
    return found


def class_centres(corpus: EncodedCorpus, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean vector of the documents of each class less that of all, shape (classes, dim)."""
    counts = corpus.counts
    totals = np.maximum(np.asarray(counts.sum(axis=1), np.float32), 1).reshape(-1, 1)
    documents = np.asarray(counts @ vectors) / totals
    means = np.stack([documents[each].mean(axis=0) for each in members(corpus)])
    return np.asarray(means - means.mean(axis=0), np.float32)


def common_words(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """The words of at least `COMMON` documents; all where no word is in so many."""
    documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    found = np.flatnonzero(documents >= COMMON)
    return found if found.size > NEAR else np.arange(corpus.n_words)


def words_cells(corpus: EncodedCorpus, vectors: NDArray[np.float32]) -> dict[str, pd.DataFrame]:
    """Two tables of strings: words of each class, and neighbours of telling words."""
    telling = telling_words(corpus)
    common = common_words(corpus)
    near = nearest(vectors, class_centres(corpus, vectors), common)
    by_turn = [words[i] for i in range(TELLING) for words in telling if i < len(words)]
    asked = list(dict.fromkeys(by_turn))[:LOOKED_UP]
    around = nearest(vectors, vectors[asked], common, asked)
    return {
        "Words of each class": pd.DataFrame(
            {
                "class": list(corpus.classes),
                "words that tell it apart": [_named(corpus, words) for words in telling],
                "words whose vectors lie nearest": [_named(corpus, words) for words in near],
            }
        ),
        "Neighbours of telling words": pd.DataFrame(
            {
                "word": [_named(corpus, [word]) for word in asked],
                "nearest words": [_named(corpus, words) for words in around],
            }
        ),
    }


def _named(corpus: EncodedCorpus, words: list[int]) -> str:
    return ", ".join(corpus.words[word].decode("utf-8", "replace") for word in words)
