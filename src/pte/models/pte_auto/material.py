"""The features that the experts of PTE(auto) see, and how documents are read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.letters import letters_of
from pte.corpora.tfidf import dampened, rarity, unit_rows, weigh
from pte.corpora.word_pairs import Pairs, counts_with
from pte.evaluation.evaluate import document_means
from pte.models.nb_em import Counts

ENCODER = "encoder"
"""The name of the expert that sees the vectors of an encoder of texts."""

FEWEST = 2
"""A run of letters counts if so many training documents have it."""

Vectors = Mapping[str, NDArray[np.float32]]
"""Vectors of words or of documents, by the names of the experts that see them."""


class Reading(NamedTuple):
    """How words are counted; all fields come from the training documents.

    `pairs` are the pairs of words that are counted, or None. `rarity` has the factors of TF-IDF of
    words and pairs, float32. `letters` are the hashes of runs of letters, ascending, and
    `letters_rarity` has their factors; both are empty if no expert sees letters. `length` is the
    mean length of a document.
    """

    pairs: Pairs | None
    rarity: NDArray[np.float32]
    letters: NDArray[np.int64]
    letters_rarity: NDArray[np.float32]
    length: float

    @classmethod
    def of(cls, corpus: EncodedCorpus, pairs: Pairs | None, letters: bool) -> Self:
        """Make a reading from the training documents of a corpus."""
        trains = counts_with(corpus, pairs)[corpus.documents(TRAIN)]
        kept, rare = np.empty(0, np.int64), np.empty(0, np.float32)
        if letters:
            runs = letters_of(corpus)[corpus.documents(TRAIN)]
            kept = np.flatnonzero(np.bincount(runs.indices) >= FEWEST)
            rare = rarity(sparse.csr_array(runs[:, kept]))
        length = float(trains.sum()) / trains.shape[0]
        return cls(pairs, rarity(trains), kept, rare, length)

    def without_letters(self) -> Self:
        """Return the reading for experts that do not see letters."""
        return self._replace(letters=self.letters[:0], letters_rarity=self.letters_rarity[:0])


@dataclass(frozen=True, eq=False)
class WordFeatures:
    """What experts see of the words of the documents of a corpus, with a row for each document.

    The words of the corpus are those of the reading.
    """

    corpus: EncodedCorpus
    reading: Reading

    @cached_property
    def counts(self) -> Counts:
        """Counts of words and, if there are pairs, of pairs."""
        return Counts.of(self._counts, self.reading.length)

    @cached_property
    def present(self) -> sparse.csr_array:
        """1 where a document has a word or a pair, float32."""
        counts = self._counts
        ones = np.ones(counts.data.size, np.float32)
        return sparse.csr_array((ones, counts.indices, counts.indptr), counts.shape)

    @cached_property
    def letters(self) -> sparse.csr_array:
        """TF-IDF of runs of letters, float32, with logarithms of counts."""
        runs = letters_of(self.corpus, self.reading.letters)
        return weigh(dampened(runs), self.reading.letters_rarity)

    def weighed(self, pairs: bool, logarithms: bool) -> sparse.csr_array:
        """Return TF-IDF of words and perhaps of pairs, with counts or 1 + log(count), float32."""
        counts = self._counts if pairs else self._counts[:, : self.corpus.n_words]
        counts = sparse.csr_array(counts)
        rare = self.reading.rarity[: counts.shape[1]]
        return weigh(dampened(counts) if logarithms else counts, rare)

    @cached_property
    def _counts(self) -> sparse.csr_array:
        return counts_with(self.corpus, self.reading.pairs)


class Material(NamedTuple):
    """The words of documents, and vectors of unit length of the same documents."""

    words: WordFeatures
    vectors: Vectors

    @classmethod
    def of(cls, words: WordFeatures, word_vectors: Vectors) -> "Material":
        """Give each document the mean of the vectors of its words, scaled to unit length.

        What an encoder makes of a document is scaled, too.
        """
        means = {
            name: unit_rows(document_means(words.corpus, vectors))
            for name, vectors in word_vectors.items()
        }
        rows = words.corpus.vectors
        return cls(words, means if rows is None else {**means, ENCODER: unit_rows(rows)})
