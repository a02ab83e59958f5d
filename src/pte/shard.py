"""A shard: one of several pieces of work, each done by its own job and joined by a last job."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError


class Shard(NamedTuple):
    """The shard with the number `number`, counted from 0, of `of` shards."""

    number: int
    of: int

    @classmethod
    def parse(cls, item: str) -> "Shard":
        """Read the name that Snakemake gives a shard: "1-of-8" is the first of eight.

        Raises `PteError` for any other text.
        """
        number, between, of = item.partition("-of-")
        if not (between and number.isdecimal() and of.isdecimal() and 0 < int(number) <= int(of)):
            raise PteError(f"shard {item!r}: write it as 1-of-8")
        return cls(int(number) - 1, int(of))


def shares(costs: NDArray[np.int64], shards: int) -> list[tuple[int, int]]:
    """Cut items, in order, into `shards` ranges of about the same cost; some may be empty."""
    ends = np.cumsum(costs)
    whole = ends[-1] if ends.size else 0
    cuts = np.searchsorted(ends, np.arange(1, shards) / shards * whole)
    return list(pairwise([0, *cuts.tolist(), ends.size]))
