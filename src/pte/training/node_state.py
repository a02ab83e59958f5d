"""What a node has learnt in a round, as a folder that the next job reads."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte.core.types import Table
from pte.files import atomic_directory, load_arrays, save_array

_ARRAYS = {"rows": np.float32, "own": np.float32, "pulls": np.float64}


@dataclass(frozen=True)
class NodeState:
    """The `rows` that all nodes have, the rows that only this node has, and the pulls of `rows`."""

    rows: Table
    own: Table
    pulls: NDArray[np.float64]

    def save(self, path: Path) -> None:
        """Write the folder `path`: three sealed arrays."""
        with atomic_directory(path) as folder:
            for name in _ARRAYS:
                save_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, path: Path) -> "NodeState":
        """Open a folder that `save` wrote, memory-mapped.

        Raises `PteError` if the folder is broken.
        """
        return cls(**load_arrays(path, _ARRAYS))
