"""A weighted bipartite network whose targets are words, and its form on disk."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pte.errors import PteError
from pte.files import REMEDY, atomic_directory, load_arrays, read_json, save_array, write_json
from pte.limits import refuse_more_than_int32

_ARRAYS = {"source": np.int32, "target": np.int32, "weight": np.float32}
_SHAPE = ("n_sources", "n_targets", "undirected")
_BLOCK = 2**22  # edges that bincount takes at a time; it needs 16 bytes for each edge


@dataclass(frozen=True)
class Network:
    """Distinct directed edges source → target word with total weights (paper, section 4.1).

    `source` and `target` are int32, `weight` is float32. An `undirected` network stores W with
    source ≤ target for W + Wᵀ, so a loop counts twice: a fair coin turns a drawn edge round.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    weight: NDArray[np.float32]
    n_sources: int
    n_targets: int
    undirected: bool = False

    def __post_init__(self) -> None:
        """Refuse edges that no kernel could train on."""
        _check_edges(self.source, self.target, self.weight, self.n_sources, self.n_targets)
        if self.undirected and self.n_sources != self.n_targets:
            raise PteError(
                f"network: it is undirected, but has {self.n_sources} sources and "
                f"{self.n_targets} targets"
            )
        if self.undirected and (self.source > self.target).any():
            raise PteError("network: it is undirected, so every edge needs source ≤ target")

    @classmethod
    def from_edges(
        cls, source: ArrayLike, target: ArrayLike, weight: ArrayLike, n_sources: int, n_targets: int
    ) -> "Network":
        """Build a network of any edges: add up repeated edges, and sort by source, then target."""
        sources, targets = np.asarray(source, np.int64), np.asarray(target, np.int64)
        weights = np.asarray(weight, np.float64)
        _check_edges(sources, targets, weights, n_sources, n_targets)
        keys, inverse = np.unique(sources * n_targets + targets, return_inverse=True)
        with np.errstate(over="ignore"):  # it is refused below
            sums = np.bincount(inverse, weights, keys.size).astype(np.float32)
        if not np.isfinite(sums).all():
            raise PteError(
                "network: the weights of a repeated edge add up to more than a float32 holds; "
                "divide all weights by one number"
            )
        return cls(
            source=(keys // n_targets).astype(np.int32),
            target=(keys % n_targets).astype(np.int32),
            weight=sums,
            n_sources=n_sources,
            n_targets=n_targets,
        )

    @property
    def stored_edges(self) -> int:
        return int(self.source.size)

    @property
    def n_edges(self) -> int:
        if not self.undirected:
            return self.stored_edges
        return 2 * self.stored_edges - int(np.count_nonzero(self.source == self.target))

    def directed(self) -> "Network":
        """Return the network with every directed edge stored, sorted by source, then target."""
        if not self.undirected:
            return self
        return Network.from_edges(
            np.concatenate([self.source, self.target]),
            np.concatenate([self.target, self.source]),
            np.concatenate([self.weight, self.weight]),
            self.n_sources,
            self.n_targets,
        )

    def source_degrees(self) -> NDArray[np.float64]:
        """Add up the weights at each source, shape (n_sources,)."""
        degrees = _degrees(self.source, self.weight, self.n_sources)
        if self.undirected:
            degrees += _degrees(self.target, self.weight, self.n_targets)
        return degrees

    def target_degrees(self) -> NDArray[np.float64]:
        """Add up the weights at each word, shape (n_targets,)."""
        if self.undirected:
            return self.source_degrees()
        return _degrees(self.target, self.weight, self.n_targets)

    @property
    def total(self) -> float:
        """The weight of all directed edges together."""
        return float(self.source_degrees().sum())

    def save(self, path: Path) -> None:
        """Write the folder `path`: three flat arrays that memory-map, and `network.json`."""
        with atomic_directory(path) as folder:
            for name, dtype in _ARRAYS.items():
                save_array(folder / f"{name}.npy", getattr(self, name).astype(dtype, copy=False))
            write_json(folder / "network.json", {name: getattr(self, name) for name in _SHAPE})

    @classmethod
    def load(cls, path: Path) -> "Network":
        shape = read_json(Path(path) / "network.json", *_SHAPE)
        arrays = load_arrays(Path(path), _ARRAYS)
        source, target, weight = (arrays[name] for name in _ARRAYS)
        try:
            return cls(source, target, weight, *(shape[name] for name in _SHAPE))
        except (PteError, TypeError) as error:
            raise PteError(f"{path}: {error}; {REMEDY}") from None


def _degrees(
    nodes: NDArray[np.int32], weight: NDArray[np.float32], n_nodes: int
) -> NDArray[np.float64]:
    degrees = np.zeros(n_nodes)
    for begin in range(0, nodes.size, _BLOCK):
        block = slice(begin, begin + _BLOCK)
        degrees += np.bincount(nodes[block], weight[block], n_nodes)
    return degrees


def _check_edges(
    source: NDArray[Any], target: NDArray[Any], weight: NDArray[Any], n_sources: int, n_targets: int
) -> None:
    if not (source.shape == target.shape == weight.shape and source.ndim == 1):
        raise PteError("network: source, target and weight must have one length")
    if source.size == 0:
        raise PteError("network: no edges; is the corpus, or its labelled part, empty?")
    refuse_more_than_int32(
        source.size, "network: edges", "draw them from the text (config.yaml: edges)"
    )
    refuse_more_than_int32(n_sources, "network: sources", "give fewer documents")
    refuse_more_than_int32(n_targets, "network: words", "give fewer documents")
    for name, nodes, bound in (("source", source, n_sources), ("target", target, n_targets)):
        if nodes.min() < 0 or nodes.max() >= bound:
            raise PteError(f"network: a {name} lies outside 0 … {bound - 1}")
    if not (np.isfinite(weight).all() and weight.min() > 0):
        raise PteError("network: every weight must be a positive finite number")
