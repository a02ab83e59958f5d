"""The choice of methods, and of the limit of T, that fits into the minutes that a user gives.

The number of tokens is estimated from the size of the text, because jobs are planned before any
job has read the text.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

BYTES_OF_A_TOKEN = 6
"""Bytes of a token of English text, with the space after the word."""


@dataclass(frozen=True)
class Cost:
    """The processor seconds that the fit and the score of a method take.

    `fixed` counts for any text, and is mostly the start of jobs. `of_tokens` counts for each
    million tokens, and `of_edges` for each million edges of T. These seconds were measured on an
    AMD EPYC (Zen 5) with one thread, on R8, IMDB and 20 Newsgroups. Edges are trained by groups: on
    R8, the search for T, a fit, and a fit on four fifths of the documents took 0.29 seconds for
    each million edges of T. The choice of a classifier was not measured. Its seconds were computed
    and added: a second fit on four fifths of the documents, and the training of each classifier
    that is tried.
    """

    fixed: float = 4
    of_tokens: float = 2
    of_edges: float = 0

    def seconds(self, tokens: float, edges: float) -> float:
        """Return the estimated seconds for this number of tokens and of edges."""
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
"""The costs of methods by their names."""

OF_NETWORKS = Cost(8, 3, 0.3)
"""The cost of a variant of LINE or PTE: a search for T, and two trainings.

One of the trainings is on a part of the text. Each training draws at most T edges.
"""

UNKNOWN = Cost(5, 40)
"""The cost of any other method."""

NOTHING = Cost(0, 0)
"""The cost of a method that cannot run on the text."""

BESIDES = Cost(20, 5)
"""The cost of what runs with any methods: planning, encoding, predictions, the page, Snakemake."""

KEPT = ("majority", "bow", "pte_joint")
"""Methods that are never left out; if they do not fit, T is made smaller."""

CURVE = "learning curve"
CURVE_METHODS = ("bow", "nb_em", "pte_joint")
CURVE_SHARES = (10, 25, 50)
"""The points of the learning curve in percent of the labels; the table of scores has 100 %."""

FIRST = ("pte_auto", CURVE)
"""What joins `KEPT` first: the best method on most texts, then the curve against labels."""

EDGES_OF_A_TOKEN = 50
"""The most edges of T for each token in a search; the best T of R8, MR and DBLP is below it."""

FEWEST_EDGES, MOST_EDGES = 1_000_000, 150_000_000
START_EDGES = 3_000_000
"""The smallest limit of T, unless the minutes ask for fewer edges."""


@dataclass(frozen=True)
class Budget:
    """What is run: `methods`, the methods of the learning curve, and the limit of T.

    `expected` has the estimated seconds of all that fits, by name. `left_out` has the estimated
    seconds of all that does not fit. `besides` has the seconds of jobs that run in any case. All
    seconds are of one processor. `tokens` is the estimated number of tokens, from which the seconds
    were computed.
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
        """The seconds of all that is run."""
        return self.besides + sum(self.expected.values())


def choose(
    draws: Mapping[str, bool], size: int, seconds: float, idle: Collection[str] = ()
) -> Budget:
    """Choose the methods and the limit of T for a text of `size` bytes and for processor `seconds`.

    `draws` has the candidates in the order of their rows, and says whether each draws edges. T is
    halved until `KEPT` fits, or T is `FEWEST_EDGES`. Then other candidates join if they still fit:
    first `FIRST`, then methods that draw no edges, then the variants of LINE and PTE, whose scores
    are much alike. Among the methods of a group, the quickest joins first. Methods of `idle` cannot
    run on the text. They take no time, and keep their row to say why they cannot run.
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
    """Return the seconds of each of `names`, and the sum of these seconds."""
    each = {name: cost.seconds(tokens, limit) for name, cost in costs.items() if name in names}
    if CURVE in names:
        each[CURVE] = len(CURVE_SHARES) * sum(each.get(name, 0) for name in CURVE_METHODS)
    return each, sum(each.values())


def _turn(
    name: str, draws: Mapping[str, bool], alone: Mapping[str, float]
) -> tuple[int, float, str]:
    """Return a key by which to sort candidates: the candidate with the smallest key joins first."""
    if name in FIRST:
        return FIRST.index(name) - len(FIRST), 0, name
    return int(draws[name]), alone[name], name


def _cost(name: str, draws: bool) -> Cost:
    return COSTS.get(name, OF_NETWORKS if draws else UNKNOWN)
