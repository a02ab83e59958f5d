"""The choice of methods, and of the limit of T, that fits into the minutes that a user gives.

The number of tokens is estimated from the size of the text, because jobs are planned before any
job has read the text.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pte.training.contract import Cost

BYTES_OF_A_TOKEN = 6
"""Bytes of a token of English text, with the space after the word."""

NOTHING = Cost(0, 0)
"""The cost of a method that cannot run on the text."""

BESIDES = Cost(20, 5)
"""The cost of what runs with any methods: planning, encoding, predictions, the page, Snakemake."""

CURVE = "learning curve"
CURVE_SHARES = (10, 25, 50)
"""The points of the learning curve in percent of the labels; the table of scores has 100 %."""

EDGES_OF_A_TOKEN = 50
"""The most edges of T for each token in a search; the best T of R8, MR and DBLP is below it."""

FEWEST_EDGES, MOST_EDGES = 1_000_000, 150_000_000
START_EDGES = 3_000_000
"""The smallest limit of T, unless the minutes ask for fewer edges."""


class Candidate(NamedTuple):
    """A method that may be run: its `cost`, whether it `draws` edges, and `own` of its entry.

    `own` has "always" for a method that is never left out, "first" for a method that joins before
    all others, and "curve" for a method of the learning curve.
    """

    cost: Cost
    draws: bool
    own: Collection[str] = ()


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
    candidates: Mapping[str, Candidate], size: int, seconds: float, idle: Collection[str] = ()
) -> Budget:
    """Choose the methods and the limit of T for a text of `size` bytes and for processor `seconds`.

    The candidates are in the order of their rows. T is halved until the methods that are never left
    out fit, or T is `FEWEST_EDGES`. Then others join if they still fit: first what comes "first",
    then the learning curve, then methods that draw no edges, then the variants of LINE and PTE,
    whose scores are much alike. Among these, the quickest joins first. Methods of `idle` cannot run
    on the text. They take no time, and keep their row to say why they cannot run.
    """
    tokens = size // BYTES_OF_A_TOKEN
    limit = min(max(EDGES_OF_A_TOKEN * tokens, START_EDGES), MOST_EDGES)
    costs = {name: NOTHING if name in idle else each.cost for name, each in candidates.items()}
    curve = [name for name, each in candidates.items() if "curve" in each.own]
    besides = BESIDES.seconds(tokens, 0)
    names = {name for name in candidates if "always" in candidates[name].own or name in idle}

    def expected(names: Collection[str]) -> dict[str, float]:
        """Return the seconds of each of `names`."""
        each = {n: cost.seconds(tokens, limit) for n, cost in costs.items() if n in names}
        if CURVE in names:
            each[CURVE] = len(CURVE_SHARES) * sum(each.get(name, 0) for name in curve)
        return each

    def fits(names: Collection[str]) -> bool:
        return besides + sum(expected(names).values()) <= seconds

    while not fits(names) and limit > FEWEST_EDGES:
        limit = max(limit // 2, FEWEST_EDGES)
    left_out = dict[str, float]()
    turns = {CURVE: (1, 0.0)} | {
        name: (0 if "first" in each.own else 2 + each.draws, costs[name].seconds(tokens, limit))
        for name, each in candidates.items()
    }
    for name in sorted(turns.keys() - names, key=lambda name: (turns[name], name)):
        if fits(names | {name}):
            names.add(name)
        else:
            left_out[name] = expected(names | {name})[name]
    return Budget(
        methods=tuple(name for name in candidates if name in names),
        curve=tuple(name for name in curve if {name, CURVE} <= names and name not in idle),
        samples_limit=limit,
        expected=expected(names),
        left_out=left_out,
        besides=besides,
        tokens=tokens,
    )
