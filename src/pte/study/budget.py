"""Which methods, and how many edges, fit into the minutes that a user gives.

The size of the text stands for its tokens, so that no job need run before jobs are planned.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

BYTES_OF_A_TOKEN = 6
"""Of English text, with the space behind a word."""


@dataclass(frozen=True)
class Cost:
    """Processor seconds of the fit and the score of a method.

    `fixed` is for any text, most of it the starts of jobs; `of_tokens` is for each million tokens,
    `of_edges` for each million edges of T. They were measured on an AMD EPYC (Zen 5)
    with one thread, on R8, IMDB and 20 Newsgroups. Edges are trained by groups: on R8 the search, a
    fit and another on four fifths took 0.29 seconds for each million edges of T. What choosing a
    classifier takes was added by arithmetic: a second fit on four fifths of the documents, and a
    classifier for each that is tried.
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

BESIDES = Cost(20, 5)
"""Of what runs whatever the methods: planning, encoding, predictions, the page, and Snakemake."""

KEPT = ("majority", "bow", "pte_joint")
"""Methods that are never left out; edges are drawn less often instead."""

CURVE = "learning curve"
CURVE_METHODS = ("bow", "nb_em", "pte_joint")
CURVE_SHARES = (10, 25, 50)
"""Percent of the labels; all of them are in the table of scores."""

FIRST = ("pte_auto", CURVE)
"""What joins them first: the method that is best on most texts, then what more labels would do."""

EDGES_OF_A_TOKEN = 50
"""T is searched up to so many edges for each token: R8, MR and DBLP have their best T below it."""

FEWEST_EDGES, MOST_EDGES = 1_000_000, 150_000_000
START_EDGES = 3_000_000
"""The least limit of T where the budget does not ask for fewer."""


@dataclass(frozen=True)
class Budget:
    """What is run: `methods`, those of the learning curve, and the most edges of T.

    `expected` has the seconds that were estimated for what fits, `left_out` those for what does
    not, and `besides` is for what runs in any case; all are of one processor. `tokens` is the
    estimate that they are made of.
    """

    methods: tuple[str, ...]
    curve: tuple[str, ...]
    samples_limit: int
    expected: Mapping[str, float]
    left_out: Mapping[str, float]
    besides: float
    tokens: int

    @property
    def seconds(self) -> float:
        """All that is expected together."""
        return self.besides + sum(self.expected.values())


def choose(
    draws: Mapping[str, bool], size: int, seconds: float, idle: Collection[str] = ()
) -> Budget:
    """Choose among methods for a text of `size` bytes and so many processor seconds.

    `draws` has the candidates in the order of their rows, and whether each draws edges. T is halved
    until `KEPT` fits. Then joins what still fits: `FIRST`, then the other methods, then the
    variants of LINE and PTE, which score much alike; of each the quickest first.
    Methods of `idle` cannot run on the text. They take no time, and stay to say why.
    """
    tokens = size // BYTES_OF_A_TOKEN
    limit = min(max(EDGES_OF_A_TOKEN * tokens, START_EDGES), MOST_EDGES)
    costs = {name: NOTHING if name in idle else _cost(name, draws[name]) for name in draws}
    besides = BESIDES.seconds(tokens, 0)
    names = {name for name in draws if name in KEPT or name in idle}
    while _expected(costs, names, tokens, limit)[1] > seconds - besides and limit > FEWEST_EDGES:
        limit = max(limit // 2, FEWEST_EDGES)
    alone = {name: cost.seconds(tokens, limit) for name, cost in costs.items()}
    left_out = dict[str, float]()
    for name in sorted({*draws, CURVE} - names, key=lambda name: _turn(name, draws, alone)):
        each, whole = _expected(costs, names | {name}, tokens, limit)
        if whole <= seconds - besides:
            names.add(name)
        else:
            left_out[name] = each[name]
    return Budget(
        methods=tuple(name for name in draws if name in names),
        curve=tuple(name for name in CURVE_METHODS if {name, CURVE} <= names and name not in idle),
        samples_limit=limit,
        expected=_expected(costs, names, tokens, limit)[0],
        left_out=left_out,
        besides=besides,
        tokens=tokens,
    )


def _expected(
    costs: Mapping[str, Cost], names: Collection[str], tokens: float, limit: float
) -> tuple[dict[str, float], float]:
    """The seconds of each of `names`, and of all together."""
    each = {name: cost.seconds(tokens, limit) for name, cost in costs.items() if name in names}
    if CURVE in names:
        each[CURVE] = len(CURVE_SHARES) * sum(each.get(name, 0) for name in CURVE_METHODS)
    return each, sum(each.values())


def _turn(
    name: str, draws: Mapping[str, bool], alone: Mapping[str, float]
) -> tuple[int, float, str]:
    """When something has its turn to join; the smallest is first."""
    if name in FIRST:
        return FIRST.index(name) - len(FIRST), 0, name
    return int(draws[name]), alone[name], name


def _cost(name: str, draws: bool) -> Cost:
    return COSTS.get(name, OF_NETWORKS if draws else UNKNOWN)
