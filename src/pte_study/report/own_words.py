"""Words of a user's own text: which words tell the classes apart, and which words lie near."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.contest.words import TELLING, telling_words
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import members
from pte.corpora.tfidf import unit_rows

NEAR, LOOKED_UP = 8, 12
"""How many neighbours are shown for a word, and how many words with neighbours."""

COMMON = 5
"""Words shown as neighbours are in at least so many documents: rare words have poor vectors."""


def nearest(
    vectors: NDArray[np.float32],
    asked: NDArray[np.float32],
    among: NDArray[np.int64],
    without: list[int] | None = None,
) -> list[list[int]]:
    """Return the words of `among` that are nearest by cosine to each row of `asked`.

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
    """Return each class's mean document vector minus the mean of classes, shape (classes, dim)."""
    counts = corpus.counts
    totals = np.maximum(np.asarray(counts.sum(axis=1), np.float32), 1).reshape(-1, 1)
    documents = np.asarray(counts @ vectors) / totals
    means = np.stack([documents[each].mean(axis=0) for each in members(corpus)])
    return np.asarray(means - means.mean(axis=0), np.float32)


def common_words(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return the words of at least `COMMON` documents; all words if there are at most `NEAR`."""
    documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    found = np.flatnonzero(documents >= COMMON)
    return found if found.size > NEAR else np.arange(corpus.n_words)


def words_cells(corpus: EncodedCorpus, vectors: NDArray[np.float32]) -> dict[str, pd.DataFrame]:
    """Return two tables of strings: words of each class, and neighbours of telling words."""
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
