"""Which methods take part in a contest: those that join first, then the quickest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pte.classify.registry import method_named, methods, why_not
from pte.errors import PteError, counted
from pte.training.method import CONTROL, FIRST, Method

BYTES_OF_A_TOKEN = 6  # bytes of a token of English text, with the space after the word
HEAPS = 7.3, 0.65  # n tokens have about 7.3 n^0.65 words (Heaps' law), as tweets and 20ng
CURVE_SHARES = (0.25, 0.5)  # shares of labels that a learning curve measures, beside all
AUTO = "pte_auto"  # the method that the learning curve always has, beside the method of the advice

EDGES_OF_A_TOKEN = 50  # most T for each token; the best T of R8, MR and DBLP is below
FEWEST_EDGES, MOST_EDGES = 300_000, 150_000_000  # the limit of T, however short or long the text is
EDGES_OF_A_WORD = 2000  # most T for each word, if more: short documents need more


class TextFacts(NamedTuple):
    """What decides who takes part; `trials` are the folds over all `repeats`."""

    size: int
    trials: int
    several: bool = False
    encoded: bool = False
    repeats: int = 1


@dataclass(frozen=True)
class Lineup:
    """The methods that take part, in their order, and why others do not.

    `expected` and `spare` (for learning curves, in the first repeat) are processor seconds.
    """

    methods: tuple[str, ...]
    expected: Mapping[str, float]
    not_run: Mapping[str, str]
    spare: float
    minutes: float
    repeats: int = 1

    def curve_seconds(self, name: str) -> float:
        """Return the processor seconds that are expected for the learning curve of a method."""
        return len(CURVE_SHARES) * self.expected.get(name, math.inf) / self.repeats

    def curves(self, advised: str) -> list[str]:
        """Return the methods of learning curves: the advised one and PTE(auto), if they fit."""
        found, spare = [], self.spare
        for name in dict.fromkeys((advised, AUTO)):
            if self.curve_seconds(name) > spare:
                break
            found.append(name)
            spare -= self.curve_seconds(name)
        return found


def plan(text: TextFacts, minutes: float, cores: int, wanted: Sequence[str] = ()) -> Lineup:
    """Choose the methods for some minutes on some cores; those `wanted` take part at any cost.

    Otherwise the methods that join first take part, and then the quickest. At most half of what is
    left after the first is kept for learning curves.
    """
    not_run, possible = dict[str, str](), dict[str, Method]()
    of_text = {n: each for n, each in methods().items() if text.encoded or not each.encoded}
    for name in wanted or [n for n, each in of_text.items() if each.contest]:
        method = method_named(name)
        if reason := why_not(method, text.several, text.encoded):
            not_run[method.name] = reason
        else:
            possible[method.name] = method
    if all(each.group == CONTROL for each in possible.values()):
        reasons = "; ".join(f"{name}: {why}" for name, why in not_run.items())
        what = "no method but a control can take part; name another method"
        raise PteError(f"{what} ({reasons})" if reasons else what)
    for name, each in methods().items():
        if each.group == CONTROL and each.contest and not text.several:
            possible.setdefault(name, each)
    costs = {name: text.trials * _seconds(each, text) for name, each in possible.items()}
    left = 60 * minutes * cores
    expected = dict[str, float]()
    first = [name for name, each in possible.items() if each.contest == FIRST]
    first.sort(key=lambda name: costs[name])
    others = sorted(possible.keys() - first, key=lambda name: (costs[name], name))
    never_left_out = {n for n, each in possible.items() if each.group == CONTROL}
    never_left_out.add(next(n for n in (*first, *others) if n not in never_left_out))
    reserved = 0.0
    for name in (*first, *others):
        if name in others and not reserved:
            dearest = max(expected.values(), default=0)
            reserved = min(max(left, 0) / 2, len(CURVE_SHARES) * dearest / text.repeats)
            left -= reserved
        if wanted or costs[name] <= left or name in never_left_out:
            expected[name] = costs[name]
            left -= costs[name]
    if missing := [name for name in costs if name not in expected]:
        dearest = max((costs[name] for name in first), default=0)
        enough = sum(costs.values()) + len(CURVE_SHARES) * dearest / text.repeats
        told = _too_long(sum(costs[name] for name in missing), max(left, 0), minutes, cores)
        would = f"{in_minutes(_rounded_up(enough / 60 / cores))} would do"
        not_run |= dict.fromkeys(missing, f"{told}; {would}")
    order = sorted(expected, key=lambda name: (expected[name], name))
    spare = max(left, 0) + reserved
    return Lineup(tuple(order), expected, not_run, spare, minutes, text.repeats)


def in_minutes(minutes: float) -> str:
    """Return minutes as text."""
    return "1 minute" if minutes == 1 else f"{minutes:g} minutes"


def _too_long(missing: float, left: float, minutes: float, cores: int) -> str:
    return (
        f"the methods left out would take about {missing:,.0f} seconds of a processor together, "
        f"and {left:,.0f} are left of the {60 * minutes * cores:,.0f} in {in_minutes(minutes)} of "
        f"{counted(cores, 'core', 'cores')}"
    )


def _rounded_up(minutes: float) -> float:
    return math.ceil(minutes) if minutes > 10 else math.ceil(10 * minutes) / 10


def _seconds(method: Method, text: TextFacts) -> float:
    """Return the processor seconds of one fit, with those of the methods whose vectors it needs."""
    tokens = text.size / BYTES_OF_A_TOKEN
    edges = most_edges(tokens, HEAPS[0] * tokens ** HEAPS[1])
    needed = (_seconds(method_named(name), text) for name in method.needs.values())
    return method.cost.seconds(tokens, edges) + sum(needed)


def most_edges(tokens: float, words: float) -> int:
    """Return the limit of the number of edges of a training on a text of this size."""
    most = max(EDGES_OF_A_TOKEN * tokens, EDGES_OF_A_WORD * words, FEWEST_EDGES)
    return round(min(most, MOST_EDGES))
