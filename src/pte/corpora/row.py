"""One document's features, in place of scipy's matrix of one row, whose calls take far longer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SparseRow:
    """The numbers `data` in the columns `indices`, of `width` columns; all others are 0."""

    data: NDArray[Any]
    indices: NDArray[np.int64]
    width: int

    @classmethod
    def counting(cls, columns: NDArray[Any], width: int, times: Any = None) -> "SparseRow":
        """Count columns, float32, each as often as `times` says, or once."""
        found, places = np.unique(columns, return_inverse=True)
        counts = np.bincount(places, times, minlength=found.size)
        return cls(counts.astype(np.float32), found, width)

    @property
    def shape(self) -> tuple[int, int]:
        """One row, and the number of columns, as of a matrix."""
        return 1, self.width

    @property
    def indptr(self) -> NDArray[np.int64]:
        """Where the row begins and ends, as in scipy's sparse rows."""
        return np.array([0, self.indices.size])

    def holding(self, data: NDArray[Any]) -> "SparseRow":
        """Return a row with other numbers in the same columns."""
        return replace(self, data=data)

    def sum(self, axis: int = 1) -> NDArray[Any]:
        """Return the sum of the row, as an array of one number."""
        return np.asarray(self.data.sum(keepdims=True))

    def __matmul__(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return the product with a matrix, shape (1, columns), summed in the order of scipy."""
        if not self.indices.size:
            return np.zeros((1, weights.shape[1]), np.result_type(self.data, weights))
        return np.asarray((self.data[:, None] * weights[self.indices]).cumsum(axis=0)[-1:])

    def toarray(self) -> NDArray[Any]:
        """Return the row as a matrix with all its columns."""
        found = np.zeros(self.shape, self.data.dtype)
        found[0, self.indices] = self.data
        return found

    def among(self, columns: NDArray[np.int64]) -> "SparseRow":
        """Return some columns, which ascend, numbered anew."""
        places = np.searchsorted(columns, self.indices)
        known = places < columns.size
        known[known] = columns[places[known]] == self.indices[known]
        return SparseRow(self.data[known], places[known], columns.size)


def beside(rows: Sequence[SparseRow]) -> SparseRow:
    """Return one row, of the columns of several."""
    starts = np.cumsum([0, *(row.width for row in rows)]).tolist()
    shifted = [row.indices + start for row, start in zip(rows, starts, strict=False)]
    data = np.concatenate([row.data for row in rows])
    return SparseRow(data, np.concatenate(shifted), starts[-1])
