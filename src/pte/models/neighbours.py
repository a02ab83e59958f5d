"""The training documents most similar to each document, by the cosine of TF-IDF.

scikit-learn subtracts cosines from 1, whose rounding reorders them now and then.
"""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile, read_array_file
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.features import tf_idf
from pte.errors import PteError
from pte.files import REMEDY, atomic_file
from pte.machine import require

MOST = 100
"""How many neighbours of a document are found, if there are so many documents."""

CHUNK_BYTES = 2**25
"""The bytes that a comparison of some documents with all training documents may take."""

PAIRS_A_SECOND, PRODUCTS_A_SECOND = 1e8, 3e8
"""What a processor takes in a second, roughly: an AMD EPYC took 51 seconds for 5 · 10⁹ pairs."""
MOST_SECONDS = 4 * 3600
"""The most processor seconds expected of a comparison."""

_CELL = 24  # bytes of a pair of documents: its product, sparse and dense, and its key
_FOUND = 8  # bytes of a neighbour that is found


@dataclass(frozen=True)
class Nearest:
    """The nearest training documents, most similar first: int32 and float32, (documents, k)."""

    positions: NDArray[np.int32]
    cosines: NDArray[np.float32]

    def matrix(self, k: int, n_train: int) -> sparse.csr_array:
        """Return the first `k` of each row as a sparse matrix, shape (documents, n_train)."""
        rows = len(self.positions)
        values, columns = self.cosines[:, :k].ravel(), self.positions[:, :k].ravel()
        return sparse.csr_array((values, columns, np.arange(rows + 1) * k), (rows, n_train))


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of training and test documents, in corpus order; none is its own neighbour."""

    train: Nearest
    test: Nearest
    seconds: float

    @classmethod
    def of(cls, corpus: EncodedCorpus) -> "Neighbours":
        """Find up to `MOST` neighbours of each document."""
        began = time.perf_counter()
        if not corpus.n_words:
            raise PteError(
                "neighbours: the vocabulary is empty; the training documents hold no word"
            )
        features = tf_idf(corpus)
        train, test = features[corpus.documents(TRAIN)], features[corpus.documents(TEST)]
        k = min(MOST, train.shape[0] - 1)
        near = nearest(train, train, k, itself=False), nearest(test, train, k)
        return cls(*near, time.perf_counter() - began)

    def save(self, path: Path) -> None:
        """Write an .npz file, atomically."""
        arrays = {
            f"{part}_{name}": array
            for part, near in (("train", self.train), ("test", self.test))
            for name, array in vars(near).items()
        }
        with atomic_file(path) as temporary:
            np.savez(temporary, seconds=self.seconds, **arrays)

    @classmethod
    def load(cls, path: Path) -> "Neighbours":
        """Read what `save` wrote, or raise the refusal that the file holds."""
        kept = read_array_file(path, None, REMEDY)
        if "refused" in kept:
            raise PteError(f"{kept.arrays['refused']}; to try again, delete {path}")
        kept.array("train_positions", "i", "train", "k of train")
        train, test = _nearest_in(kept, "train"), _nearest_in(kept, "test")
        return cls(train, test, float(kept.array("seconds", "float64")))


def _nearest_in(kept: ArrayFile, part: str) -> Nearest:
    shape = part, f"k of {part}"
    positions = kept.numbers(f"{part}_positions", kept.lengths["train"], *shape).astype(np.int32)
    return Nearest(positions, kept.array(f"{part}_cosines", "float32", *shape))


def write_refusal(path: Path, why: str) -> None:
    """Write why there are no neighbours, which `Neighbours.load` raises."""
    with atomic_file(path) as temporary:
        np.savez(temporary, refused=why)


def nearest(
    asked: sparse.csr_array, among: sparse.csr_array, k: int, *, itself: bool = True
) -> Nearest:
    """Find the `k` rows of `among` with the largest products ≥ 0, the first of equal ones."""
    rows, n = asked.shape[0], among.shape[0]
    needed = _FOUND * k * rows + max(CHUNK_BYTES, _CELL * n)
    require(needed, "neighbours", f"{rows} documents, each beside {n} others,")
    _refuse_hours(asked, among)
    positions, products = np.empty((rows, k), np.int32), np.empty((rows, k), np.float32)
    # Whole numbers in the order of the products; of equal products, the first is largest. The bits
    # of floats that are not negative are in the order of the floats.
    half, last = np.uint64(32), np.uint64(2**32 - 1)
    columns, firsts = among.T.tocsr(), last - np.arange(n, dtype=np.uint64)
    step = max(CHUNK_BYTES // (_CELL * n), 1)
    for begin in range(0, rows, step):
        part = slice(begin, begin + step)
        keys = (asked[part] @ columns).toarray().view(np.uint32).astype(np.uint64)
        keys <<= half
        keys |= firsts
        if not itself:
            keys[np.arange(len(keys)), begin + np.arange(len(keys))] = 0
        keys.partition(min(n - k, n - 1), axis=1)
        best = np.sort(keys[:, n - k :], axis=1)[:, ::-1]
        positions[part] = last - (best & last)
        products[part] = (best >> half).astype(np.uint32).view(np.float32)
    return Nearest(positions, products)


def _refuse_hours(asked: sparse.csr_array, among: sparse.csr_array) -> None:
    pairs = asked.shape[0] * among.shape[0]
    held = [np.bincount(m.indices, minlength=m.shape[1]).astype(float) for m in (asked, among)]
    products = float(held[0] @ held[1])
    seconds = pairs / PAIRS_A_SECOND + products / PRODUCTS_A_SECOND
    if seconds > MOST_SECONDS:
        raise PteError(
            f"neighbours: {asked.shape[0]:,} documents, each beside {among.shape[0]:,} for "
            f"training, are {pairs:.1e} pairs at {PAIRS_A_SECOND:.0e} a second and {products:.1e} "
            f"products at {PRODUCTS_A_SECOND:.0e} a second: {seconds / 3600:.1f} hours, more than "
            f"{MOST_SECONDS / 3600:g}; leave label propagation out for this corpus, or give fewer "
            "documents"
        )
