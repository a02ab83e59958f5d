"""Training on parts of a text in rounds, as nodes of a cluster can: each alone, then together.

Each node holds a part of the documents, and rows for all words and labels. In a round every node
trains on its own part. Then the nodes join what they have learnt, and the next round begins with
that. Ji et al. (arXiv 1611.06172) train word2vec so. Between two rounds a node sends and gets the
rows of words and labels once; rows of documents stay where their text is.
"""

import time
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pte.core.step import learning_rate
from pte.core.types import Table
from pte.errors import PteError
from pte.networks import named
from pte.training.draws import Draws, EdgeBlock
from pte.training.edges import Networks, sampler, stretches
from pte.training.hogwild import Hogwild
from pte.training.hot_rows import HotRows
from pte.training.result import WordVectors, refuse_divergence
from pte.training.setup import Setup
from pte.training.turns import Turns


class Node:
    """A part of the text, and the tables that are trained on it."""

    def __init__(self, networks: Networks, turns: Turns, setup: Setup, number: int) -> None:
        """Start the tables as all nodes do, and draw edges that no other `number` draws.

        `networks` are those of the part.
        """
        shape = setup.hyperparameters
        samplers = [sampler(network) for network in networks.values()]
        seed = int(np.random.SeedSequence([setup.seed, number]).generate_state(1)[0])
        draws = Draws(samplers, seed, shape.step.size)
        drawn = shape.step.drawn_negatives(shape.negatives)
        sources, words = draws.touches([turns], drawn)
        hot = HotRows.of(sources, words, shape.dim, setup.threads)
        self._trainer = Hogwild(draws, setup, hot)
        ends = np.cumsum([0, *draws.sizes]).tolist()
        of_all = [i for i, name in enumerate(networks) if not named.spec(name).of_documents]
        self._places = [(ends[i], ends[i + 1]) for i in of_all]
        self._n_words = draws.n_words
        self.touches = np.concatenate([words, *(sources[i] for i in of_all)])
        """How often a draw touches each of the `rows`."""

    @property
    def rows(self) -> Table:
        """A copy of the rows that all nodes have: words, then sources that are no documents."""
        source, target = self._trainer.learnt
        return np.concatenate([target[: self._n_words], *(source[a:b] for a, b in self._places)])

    @rows.setter
    def rows(self, rows: Table) -> None:
        source, target = self._trainer.learnt
        target[: self._n_words], rest = rows[: self._n_words], rows[self._n_words :]
        for a, b in self._places:
            source[a:b], rest = rest[: b - a], rest[b - a :]

    def train(self, blocks: Sequence[EdgeBlock]) -> None:
        """Train on edges of the part."""
        self._trainer.train(blocks)

    def vectors(self) -> NDArray[np.float32]:
        """The vectors of the words as they are, float32, shape (words, dim)."""
        return self._trainer.vectors()


def joined(before: Table, after: Sequence[Table], pulls: Sequence[NDArray[np.float64]]) -> Table:
    """What nodes have learnt together in a round.

    `before` has the rows at the beginning of the round, and `after` those of each node at its end.
    `pulls` has for each node and row the number of its updates times their rate. An update moves a
    row a part of its way to where the edges draw it, in proportion to the rate. So a pull of p
    moves it 1 − exp(−p) of that way. A row that had the updates of all nodes, P = Σp, would go
    1 − exp(−P) of the way that the nodes find on average, where each counts by its pull. Thus moves
    of rare rows add up, and moves of frequent rows, which are nearly there in each node, are
    averaged.
    """
    together = _way_of_a_pull(np.sum(pulls, axis=0))
    moves = (
        (together / _way_of_a_pull(pull))[:, None].astype(np.float32) * (rows - before)
        for rows, pull in zip(after, pulls, strict=True)
    )
    return np.asarray(sum(moves, start=before))


def _way_of_a_pull(pull: NDArray[np.float64]) -> NDArray[np.float64]:
    """The part of its way that a row goes, divided by its pull: 1 for a row that is not pulled."""
    pull = np.maximum(pull, np.finfo(np.float64).tiny)
    return np.asarray(-np.expm1(-pull) / pull)


def train_rounds(
    parts: Sequence[Networks],
    samples: int,
    rounds: int,
    setup: Setup,
    weights: Mapping[str, float] | None = None,
) -> WordVectors:
    """Train word vectors on `parts` of a text, each on a node of its own, in so many `rounds`.

    The networks of a part have the words and classes of the whole text, and all are trained
    together. `samples` is T, of all nodes together. A round has at least one block of edges
    (`pte.training.draws.BLOCK`), so that there may be fewer. `weights` are as
    `pte.training.edges.train_edges` has them. Here the nodes train one after the other; `seconds`
    are those of the slowest in each round, and of joining. One seed gives bit-identical vectors, if
    each node has one thread.

    Raises `PteError` when there is no part, when they have different networks or words, when
    `samples` or `rounds` is not positive, and when the vectors diverge.
    """
    _check(parts, samples, rounds)
    rate, members = setup.hyperparameters.rate, setup.hyperparameters.step.size
    turns = Turns([(weights or {}).get(name, 1.0) for name in parts[0]])
    nodes = [Node(networks, turns, setup, number) for number, networks in enumerate(parts)]
    total = -(-samples // (members * len(parts)))
    rows, seconds = nodes[0].rows, 0.0
    for blocks in stretches([turns], [total], members, -(-members * total // rounds)):
        began = time.perf_counter()
        alone = [_seconds_of(node, rows, blocks) for node in nodes]
        first, draws = blocks[0].first, sum(block.count for block in blocks)
        pull = draws * float(learning_rate(first + draws // 2, total, rate))
        rows = joined(rows, [node.rows for node in nodes], [pull * n.touches for n in nodes])
        refuse_divergence(rate, rows)
        seconds += time.perf_counter() - began - sum(alone) + max(alone)
    nodes[0].rows = rows
    return WordVectors(nodes[0].vectors(), members * total * len(parts), seconds)


def _seconds_of(node: Node, rows: Table, blocks: Sequence[EdgeBlock]) -> float:
    """Train a node for one round from these rows; returns how long it took."""
    began = time.perf_counter()
    node.rows = rows
    node.train(blocks)
    return time.perf_counter() - began


def _check(parts: Sequence[Networks], samples: int, rounds: int) -> None:
    if not parts or len({tuple(networks) for networks in parts}) > 1:
        raise PteError("parts: give one or more, all with the same networks")
    words = {network.n_targets for networks in parts for network in networks.values()}
    if len(words) != 1:
        raise PteError(f"parts: they have different numbers of words, {sorted(words)}")
    for name, value in (("samples", samples), ("rounds", rounds)):
        if value < 1:
            raise PteError(f"{name} is {value}; it must be positive")
