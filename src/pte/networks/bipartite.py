"""A weighted bipartite network whose targets are words, and its form on disk."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pte.errors import PteError
from pte.files import atomic_directory, load_arrays, read_json, write_json

_ARRAYS = {"source": np.int32, "target": np.int32, "weight": np.float32}
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


@dataclass(frozen=True)
class Network:
    """Aggregated directed edges source → target (paper, section 4.1; a target is a word).

    `source` and `target` are int32 and `weight` is float32, one entry an edge, each pair once.
    Raises `PteError` when the arrays do not agree, name a node that is not there, or hold a weight
    that is not a positive finite number.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    weight: NDArray[np.float32]
    n_sources: int
    n_targets: int

    def __post_init__(self) -> None:
        """Refuse what no kernel could train on."""
        _check_edges(self.source, self.target, self.weight, self.n_sources, self.n_targets)

    @classmethod
    def from_edges(
        cls, source: ArrayLike, target: ArrayLike, weight: ArrayLike, n_sources: int, n_targets: int
    ) -> "Network":
        """Any edge list; edges named more than once are added up. Sorted by source, then target.

        Raises `PteError` as the class does, for each edge as it was given.
        """
        sources, targets = np.asarray(source, np.int64), np.asarray(target, np.int64)
        weights = np.asarray(weight, np.float64)
        _check_edges(sources, targets, weights, n_sources, n_targets)
        keys, inverse = np.unique(sources * n_targets + targets, return_inverse=True)
        total = np.bincount(inverse, weights, keys.size)
        return cls.from_keys(keys, total, n_sources, n_targets)

    @classmethod
    def from_keys(
        cls, keys: NDArray[np.int64], weight: ArrayLike, n_sources: int, n_targets: int
    ) -> "Network":
        """Edges as distinct sorted keys source · n_targets + target."""
        return cls(
            source=(keys // n_targets).astype(np.int32),
            target=(keys % n_targets).astype(np.int32),
            weight=np.asarray(weight, np.float32),
            n_sources=n_sources,
            n_targets=n_targets,
        )

    @property
    def n_edges(self) -> int:
        """Number of distinct directed edges."""
        return int(self.source.size)

    def source_degrees(self) -> NDArray[np.float64]:
        """Sum of the weights at each source, shape (n_sources,)."""
        return np.bincount(self.source, self.weight, self.n_sources).astype(np.float64)

    def target_degrees(self) -> NDArray[np.float64]:
        """Sum of the weights at each word, shape (n_targets,)."""
        return np.bincount(self.target, self.weight, self.n_targets).astype(np.float64)

    def statistics(self) -> dict[str, Any]:
        """Nodes, edges, total weight, and quantiles of the degrees that are not zero."""

        def describe(degrees: NDArray[np.float64]) -> dict[str, Any]:
            linked = degrees[degrees > 0]
            quantiles = np.quantile(linked, _QUANTILES)
            return {
                "nodes": int(degrees.size),
                "linked": int(linked.size),
                "degree_quantiles": {
                    str(q): float(value) for q, value in zip(_QUANTILES, quantiles, strict=True)
                },
            }

        return {
            "edges": self.n_edges,
            "weight": float(self.weight.sum(dtype=np.float64)),
            "sources": describe(self.source_degrees()),
            "targets": describe(self.target_degrees()),
        }

    def save(self, path: Path) -> None:
        """Write the folder `path`: three flat arrays that memory-map, and the statistics."""
        with atomic_directory(path) as folder:
            for name, dtype in _ARRAYS.items():
                np.save(folder / f"{name}.npy", getattr(self, name).astype(dtype, copy=False))
            shape = {"n_sources": self.n_sources, "n_targets": self.n_targets}
            write_json(folder / "network.json", shape | self.statistics())

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Open a folder written by `save`, memory-mapped."""
        shape = read_json(Path(path) / "network.json")
        arrays = load_arrays(Path(path), _ARRAYS)
        return cls(**arrays, n_sources=shape["n_sources"], n_targets=shape["n_targets"])


def _check_edges(
    source: NDArray[Any], target: NDArray[Any], weight: NDArray[Any], n_sources: int, n_targets: int
) -> None:
    if not (source.shape == target.shape == weight.shape and source.ndim == 1):
        raise PteError("network: source, target and weight must have one length")
    if source.size == 0:
        raise PteError("network: no edges; is the corpus, or its labelled part, empty?")
    for name, nodes, bound in (("source", source, n_sources), ("target", target, n_targets)):
        if nodes.min() < 0 or nodes.max() >= bound:
            raise PteError(f"network: a {name} lies outside 0 … {bound - 1}")
    if not (np.isfinite(weight).all() and weight.min() > 0):
        raise PteError("network: every weight must be a positive finite number")
