"""Turns: from which network each draw of a training comes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError

_CYCLE = 10_000
"""Draws after which a cycle of unequal weights repeats. Shares are exact to a ten-thousandth."""


class Turns:
    """Networks take turns in a fixed cycle, each as often as its weight says, evenly spread.

    With equal weights the cycle is 0, 1, … n − 1, as in the paper's joint training. `cycle` is
    int64.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        """Make the cycle from weights relative to each other; a network of weight 0 has no turn.

        Raises `PteError` when a weight is negative, when their sum is 0 or not finite, or when a
        weight is so small that its network would have less than one turn in 10,000.
        """
        shares = np.asarray(weights, np.float64)
        with np.errstate(over="ignore"):
            total = shares.sum()
        if not np.isfinite(total) or (shares < 0).any() or not shares.any():
            raise PteError(
                f"network weights are {list(weights)}; none may be negative, nor all be 0, nor "
                "their sum infinite"
            )
        shares /= total
        playing = np.flatnonzero(shares)
        if shares[playing].min() < 1 / _CYCLE:
            raise PteError(
                f"network weights are {list(weights)}; one is too small beside the others"
            )
        equal = (shares[playing] == shares[playing[0]]).all()
        self.cycle = playing if equal else _spread(shares)
        self._before = np.zeros((self.cycle.size + 1, shares.size), np.int64)
        turns = self.cycle[:, None] == np.arange(shares.size)
        np.cumsum(turns, axis=0, out=self._before[1:])

    @property
    def shares(self) -> NDArray[np.float64]:
        """The part of all draws that each network has."""
        shares: NDArray[np.float64] = self._before[-1] / self.cycle.size
        return shares

    def starts(self, first: int, count: int) -> NDArray[np.int64]:
        """Return where the draws of each network start if the draws are sorted by network.

        The result is int64, for the draws `first` … `first + count − 1`. It has one item more than
        there are networks: the end of the last network's draws.
        """
        counts = self._draws(first + count) - self._draws(first)
        return np.concatenate([[0], np.cumsum(counts)])

    def _draws(self, t: int) -> NDArray[np.int64]:
        """Return how many of the first t draws come from each network."""
        cycles, rest = divmod(t, self.cycle.size)
        draws: NDArray[np.int64] = cycles * self._before[-1] + self._before[rest]
        return draws


def _spread(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a cycle in which each turn goes to the network that is furthest behind its share."""
    due = np.zeros(shares.size)
    cycle = np.empty(_CYCLE, np.int64)
    for t in range(_CYCLE):
        due += shares
        cycle[t] = due.argmax()
        due[cycle[t]] -= 1
    return cycle
