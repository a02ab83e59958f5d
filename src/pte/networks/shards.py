"""A network counted in shards: ranges of its rows, which separate jobs count.

Every shard reads all tokens of the corpus, which are memory-mapped, and keeps the edges of its
rows. So shards need no merging: the rows of one shard follow the rows of the shard before, and the
number of shards changes no edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pte.errors import PteError
from pte.files import REMEDY, atomic_directory, load_arrays, read_json, save_array, write_json
from pte.networks.bipartite import Network
from pte.networks.building import network_of
from pte.networks.counting import Counting, Rows, count_rows, joined
from pte.shard import Shard

_ARRAYS = {"edges": np.int64, "target": np.int32, "weight": np.float32}
_SHAPE = ("first", "n_rows", "n_words", "undirected")


@dataclass(frozen=True)
class NetworkShard:
    """The edges of the rows from `first` on, of a network with `n_rows` rows in all."""

    rows: Rows
    first: int
    n_rows: int
    n_words: int
    undirected: bool

    def save(self, path: Path) -> None:
        """Write the folder `path`: three flat arrays, and `shard.json`."""
        with atomic_directory(path) as folder:
            for name in _ARRAYS:
                save_array(folder / f"{name}.npy", getattr(self.rows, name))
            write_json(folder / "shard.json", {name: getattr(self, name) for name in _SHAPE})

    @classmethod
    def load(cls, path: Path) -> "NetworkShard":
        """Open a folder that `save` wrote, memory-mapped.

        Raises `PteError` if the folder is broken.
        """
        shape = read_json(path / "shard.json", *_SHAPE)
        rows = Rows(**load_arrays(path, _ARRAYS))
        return cls(rows, *(shape[name] for name in _SHAPE))


def count_shard(counting: Counting, shard: Shard, memory: int, threads: int = 1) -> NetworkShard:
    """Count the rows of a shard as `count_rows` does."""
    within = counting.shares(shard.of)[shard.number]
    rows = count_rows(counting, memory, threads, within)
    return NetworkShard(rows, within[0], counting.sizes.size, counting.n_words, counting.undirected)


def join_network(shards: Sequence[NetworkShard]) -> Network:
    """Return the network of all its shards, which may come in any order.

    Raises `PteError` when these are not all shards of one network, and when there is no edge.
    """
    ordered = sorted(shards, key=lambda shard: (shard.first, shard.rows.edges.size))
    ends = [shard.first + shard.rows.edges.size for shard in ordered]
    kinds = {(shard.n_rows, shard.n_words, shard.undirected) for shard in shards}
    if len(kinds) != 1 or [0, *ends] != [*(each.first for each in ordered), ordered[0].n_rows]:
        raise PteError(f"shards: they are not all those of one network; {REMEDY}")
    rows = joined(shard.rows for shard in ordered)
    return network_of(rows, ordered[0].n_words, ordered[0].undirected)
