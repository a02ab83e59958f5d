"""The training documents that each document is most similar to, by the cosine of TF-IDF.

Labels do not matter here, so subsets of a corpus that differ in labels alone share one result.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.tfidf import BYTES_PER_TOKEN, tf_idf
from pte.errors import PteError
from pte.files import atomic_file
from pte.memory import require

MOST = 100
"""How many neighbours of a document are found, where there are so many."""
CHUNK = 512
"""How many documents are compared with all others at a time, at most."""
CHUNK_BYTES = 2**30
"""The memory that such a comparison may take; with many documents, fewer are compared at a time."""

_CELL = 24  # bytes of a pair of documents: its product twice, once sparse, and its place
_FOUND = 8  # bytes of a neighbour that is found


@dataclass(frozen=True)
class Nearest:
    """The nearest training documents of each document.

    `positions` (int32) counts among the training documents, `cosines` is float32. Both have the
    shape (documents, k) and the most similar first.
    """

    positions: NDArray[np.int32]
    cosines: NDArray[np.float32]

    def matrix(self, k: int, n_train: int) -> sparse.csr_array:
        """Put the first `k` of each row into a sparse matrix, shape (documents, n_train)."""
        rows = len(self.positions)
        values, columns = self.cosines[:, :k].ravel(), self.positions[:, :k].ravel()
        return sparse.csr_array((values, columns, np.arange(rows + 1) * k), (rows, n_train))


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of training and of test documents, each in corpus order.

    No training document is its own neighbour. `seconds` is the time it took to find them.
    """

    train: Nearest
    test: Nearest
    seconds: float

    @classmethod
    def of(cls, corpus: EncodedCorpus) -> "Neighbours":
        """Find up to `MOST` of each document.

        Raises `PteError` when the vocabulary is empty, and, before it begins, when there is too
        little memory.
        """
        began = time.perf_counter()
        if not corpus.n_words:
            raise PteError(
                "neighbours: the vocabulary is empty; the training documents hold no word"
            )
        train_size, all_found = corpus.documents(TRAIN).size, _FOUND * MOST * corpus.n_documents
        needed = BYTES_PER_TOKEN * corpus.tokens.size + all_found
        needed += max(min(CHUNK_BYTES, CHUNK * _CELL * train_size), _CELL * train_size)
        require(needed, "neighbours", f"{corpus.n_documents} documents, each beside all others,")
        features = tf_idf(corpus)
        train, test = features[corpus.documents(TRAIN)], features[corpus.documents(TEST)]
        k = min(MOST, train.shape[0] - 1)
        near_train = nearest(train, train, k, itself=False)
        near_test = nearest(test, train, k)
        return cls(near_train, near_test, time.perf_counter() - began)

    def save(self, path: Path) -> None:
        """Write an .npz file, atomically."""
        parts = {"train": self.train, "test": self.test}
        arrays = {
            f"{part}_{name}": array
            for part, near in parts.items()
            for name, array in vars(near).items()
        }
        with atomic_file(path) as temporary:
            np.savez(temporary, seconds=self.seconds, **arrays)

    @classmethod
    def load(cls, path: Path) -> "Neighbours":
        """Read what `save` wrote. Raises `PteError` when the file is missing or broken."""
        try:
            with np.load(path) as file:
                train, test = (
                    Nearest(file[f"{part}_positions"], file[f"{part}_cosines"])
                    for part in ("train", "test")
                )
                return cls(train, test, float(file["seconds"]))
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise PteError(f"{path}: {error}; delete it and run again") from None


def nearest(
    asked: sparse.csr_array, among: sparse.csr_array, k: int, *, itself: bool = True
) -> Nearest:
    """Find the `k` rows of `among` that have the largest inner products with each row of `asked`.

    If `itself` is false, both are the same rows, and no row is its own neighbour.
    """
    rows = asked.shape[0]
    positions, products = np.empty((rows, k), np.int32), np.empty((rows, k), np.float32)
    columns = among.T.tocsr()
    step = min(CHUNK, max(CHUNK_BYTES // (_CELL * among.shape[0]), 1))
    for begin in range(0, rows, step):
        chunk = slice(begin, min(begin + step, rows))
        dense = (asked[chunk] @ columns).toarray()
        if not itself:
            dense[np.arange(len(dense)), np.arange(begin, begin + len(dense))] = -1
        best = np.argpartition(dense, -k, axis=1)[:, dense.shape[1] - k :]
        found = np.take_along_axis(dense, best, axis=1)
        order = np.argsort(-found, axis=1, kind="stable")
        positions[chunk] = np.take_along_axis(best, order, axis=1)
        products[chunk] = np.take_along_axis(found, order, axis=1)
    return Nearest(positions, products)
