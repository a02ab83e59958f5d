"""Which methods, and how many edges, fit into the minutes that a user gives.

The size of the text stands for its tokens, so that no job need run before jobs are planned.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

BYTES_OF_A_TOKEN = 6
"""Of English text, with the space behind a word."""


@dataclass(frozen=True)
class Cost:
    """Processor seconds of the fit and the score of a method.

    `fixed` is for any text, `of_tokens` for each million tokens, `of_edges` for each million edges
    of T. They were measured on an AMD EPYC (Zen 5) with one thread, on R8, IMDB and 20 Newsgroups.
    Edges are trained by groups: on R8 the search, a fit and another on four fifths took 0.29
    seconds for each million edges of T. What choosing a classifier takes was added by arithmetic: a
    second fit on four fifths of the documents, and a classifier for each that is tried.
    """

    fixed: float = 4
    of_tokens: float = 2
    of_edges: float = 0

    def seconds(self, tokens: float, edges: float) -> float:
        """The estimate for so many tokens and edges."""
        return self.fixed + self.of_tokens * tokens / 1e6 + self.of_edges * edges / 1e6


COSTS = {
    "majority": Cost(2, 0),
    "bow": Cost(5, 16),
    "nb_em": Cost(3, 4),
    "label_propagation": Cost(4, 15),
    "skipgram": Cost(6, 60),
    "pvdbow": Cost(6, 19),
    "pvdm": Cost(6, 105),
    "cnn": Cost(5, 50),
    "cnn_pretrain": Cost(5, 45),
    "fasttext": Cost(3, 20),
    "pte_joint_bow": Cost(6, 24),
    "pte_pretrain": Cost(9, 3, 0.6),
    "pte_auto": Cost(6, 40, 0.5),
}
"""By the names of methods."""

OF_NETWORKS = Cost(8, 3, 0.3)
"""Of a variant of LINE or PTE: the search for T, and two trainings, one on a part of the text.

Each draws at most T edges.
"""

UNKNOWN = Cost(5, 40)
"""Of any other method."""

NOTHING = Cost(0, 0)
"""Of a method that cannot run on the text."""

KEPT = ("majority", "bow", "pte_joint")
"""Methods that are never left out; edges are drawn less often instead."""

CURVE = "learning curve"
CURVE_METHODS = ("bow", "nb_em", "pte_joint")
CURVE_SHARES = (10, 25, 50)
"""Percent of the labels; all of them are in the table of scores."""

EDGES_OF_A_TOKEN = 50
"""T is searched up to so many edges for each token: R8, MR and DBLP have their best T below it."""

FEWEST_EDGES, MOST_EDGES = 1_000_000, 150_000_000
START_EDGES = 3_000_000
"""The least limit of T where the budget does not ask for fewer."""


@dataclass(frozen=True)
class Budget:
    """What is run: `methods`, those of the learning curve, and the most edges of T.

    `left_out` has the seconds that were estimated for what does not fit, and `seconds` those of
    what does; both are of one processor. `tokens` is the estimate that they are made of.
    """

    methods: tuple[str, ...]
    curve: tuple[str, ...]
    samples_limit: int
    left_out: Mapping[str, float]
    seconds: float
    tokens: int


def choose(
    draws: Mapping[str, bool], size: int, seconds: float, idle: Collection[str] = ()
) -> Budget:
    """Choose among methods for a text of `size` bytes and so many processor seconds.

    `draws` has the candidates in the order of their rows, and whether each draws edges. The slowest
    is left out first, of equals the first. When none but `KEPT` is left, T is halved.
    Methods of `idle` cannot run on the text. They take no time, and stay to say why.
    """
    tokens = size // BYTES_OF_A_TOKEN
    limit = min(max(EDGES_OF_A_TOKEN * tokens, START_EDGES), MOST_EDGES)
    costs = {name: NOTHING if name in idle else _cost(name, draws[name]) for name in draws}
    kept, left_out = list(draws), dict[str, float]()
    with_curve = True
    while True:
        each = {name: costs[name].seconds(tokens, limit) for name in kept}
        if with_curve:
            each[CURVE] = _of_curve(each)
        whole = sum(each.values())
        spare = [name for name in each if name not in KEPT and name not in idle]
        if whole <= seconds or not (spare or limit > FEWEST_EDGES):
            break
        if not spare:
            limit = max(limit // 2, FEWEST_EDGES)
            continue
        slowest = max(spare, key=lambda name: each[name])
        left_out[slowest] = each[slowest]
        with_curve = with_curve and slowest != CURVE
        kept = [name for name in kept if name != slowest]
    shown = [name for name in CURVE_METHODS if name in kept and name not in idle]
    curve = tuple(shown) if with_curve else ()
    return Budget(tuple(kept), curve, limit, left_out, whole, tokens)


def _cost(name: str, draws: bool) -> Cost:
    return COSTS.get(name, OF_NETWORKS if draws else UNKNOWN)


def _of_curve(each: Mapping[str, float]) -> float:
    return len(CURVE_SHARES) * sum(_of(each, CURVE_METHODS))


def _of(each: Mapping[str, float], names: Iterable[str]) -> Sequence[float]:
    return [each[name] for name in names if name in each]
