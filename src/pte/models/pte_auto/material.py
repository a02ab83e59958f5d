"""The features that the experts of PTE(auto) see, and how documents are read."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.tfidf import rarity, unit_rows, weigh
from pte.evaluation.documents import document_means
from pte.models.nb_em import Counts


class Material(NamedTuple):
    """The features that experts see, with a row for each document of a corpus.

    `vectors` are of unit length, float32, by the names of their experts. `counts` has words and,
    if there are pairs, pairs; `present` is 1 where a document has the word or pair. `weighed` is
    TF-IDF of words alone and, if there are pairs, also TF-IDF of words and pairs.
    """

    vectors: Mapping[str, NDArray[np.float32]]
    counts: Counts
    present: sparse.csr_array
    weighed: tuple[sparse.csr_array, ...]


class Reading(NamedTuple):
    """How documents are read; all fields come from the training documents.

    `vectors` are word vectors, float32, by the names of their experts. `rarities` are the factors
    of TF-IDF for words alone and, if there are pairs, also for words and pairs. `length` is the
    mean length of a document.
    """

    vectors: Mapping[str, NDArray[np.float32]]
    rarities: tuple[NDArray[np.float32], ...]
    length: float

    @classmethod
    def of(
        cls,
        corpus: EncodedCorpus,
        vectors: Mapping[str, NDArray[np.float32]],
        counts: sparse.csr_array,
    ) -> "Reading":
        """Make a reading from the training documents; `counts` has a row for every document."""
        trains = counts[corpus.documents(TRAIN)]
        rare = tuple(rarity(each) for each in _parts(trains, corpus.n_words))
        return cls(vectors, rare, float(trains.sum()) / trains.shape[0])

    def material(self, corpus: EncodedCorpus, counts: sparse.csr_array) -> Material:
        """Read all documents of a corpus, whose words are those of the training documents."""
        vectors = {
            name: unit_rows(document_means(corpus, words)) for name, words in self.vectors.items()
        }
        ones = np.ones(counts.data.size, np.float32)
        present = sparse.csr_array((ones, counts.indices, counts.indptr), counts.shape)
        parts = _parts(counts, corpus.n_words)
        weighed = tuple(map(weigh, parts, self.rarities))
        return Material(vectors, Counts.of(counts, self.length), present, weighed)


def _parts(counts: sparse.csr_array, n_words: int) -> tuple[sparse.csr_array, ...]:
    """Return the columns of words alone and, if there are pairs, also all columns."""
    words = sparse.csr_array(counts[:, :n_words])
    return (words,) if counts.shape[1] == n_words else (words, counts)
