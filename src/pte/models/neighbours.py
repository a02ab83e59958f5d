"""The training documents that each document is most similar to, by the cosine of TF-IDF.

Labels play no part in it: subsets of a corpus that differ in labels alone share what is found.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.files import atomic_file
from pte.models import bow

MOST = 100
"""Neighbours of a document that are found, where there are so many."""
CHUNK = 512
"""Documents whose similarities to all others are in memory at a time."""


@dataclass(frozen=True)
class Nearest:
    """For each document, positions among the training documents, int32, and cosines, float32.

    Both of shape (documents, k), the most similar first.
    """

    positions: NDArray[np.int32]
    cosines: NDArray[np.float32]

    def matrix(self, k: int, n_train: int) -> sparse.csr_array:
        """The first `k` of each row as a sparse matrix, shape (documents, n_train)."""
        rows = len(self.positions)
        values, columns = self.cosines[:, :k].ravel(), self.positions[:, :k].ravel()
        return sparse.csr_array((values, columns, np.arange(rows + 1) * k), (rows, n_train))


@dataclass(frozen=True)
class Neighbours:
    """`train` are those of training documents, none its own; `test` those of test documents.

    Both in corpus order. `seconds` is what it took to find them.
    """

    train: Nearest
    test: Nearest
    seconds: float

    @classmethod
    def of(cls, corpus: EncodedCorpus) -> "Neighbours":
        """Up to `MOST` of each document. Raises `PteError` when the vocabulary is empty."""
        began = time.perf_counter()
        if not corpus.n_words:
            raise PteError(
                "neighbours: the vocabulary is empty; the training documents hold no word"
            )
        features = bow.fit(corpus)
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
    """The `k` rows of `among` that have the largest inner products with each row of `asked`.

    With `itself` false, row i of `among` is not asked about row i.
    """
    rows = asked.shape[0]
    positions, products = np.empty((rows, k), np.int32), np.empty((rows, k), np.float32)
    columns = among.T.tocsr()
    for begin in range(0, rows, CHUNK):
        chunk = slice(begin, min(begin + CHUNK, rows))
        dense = (asked[chunk] @ columns).toarray()
        if not itself:
            dense[np.arange(len(dense)), np.arange(begin, begin + len(dense))] = -1
        best = np.argpartition(dense, -k, axis=1)[:, dense.shape[1] - k :]
        found = np.take_along_axis(dense, best, axis=1)
        order = np.argsort(-found, axis=1, kind="stable")
        positions[chunk] = np.take_along_axis(best, order, axis=1)
        products[chunk] = np.take_along_axis(found, order, axis=1)
    return Nearest(positions, products)
