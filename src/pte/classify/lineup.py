"""Which methods take part in a contest: the likeliest to win first, as far as the minutes reach."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pte.classify.registry import method_named, methods, why_not
from pte.errors import PteError
from pte.training.contract import Amount
from pte.training.method import CONTROL, Method

HEAPS = 7.3, 0.65  # n tokens have about 7.3 n^0.65 words (Heaps' law), as tweets and 20ng
LAST = "later"  # the value of `Method.contest` of a method that is tested if all are
FINALISTS = 3  # how many methods are tested on all documents

EDGES_OF_A_TOKEN = 50  # most T for each token; the best T of R8, MR and DBLP is below
FEWEST_EDGES, MOST_EDGES = 300_000, 150_000_000  # the limit of T, however short or long the text is
EDGES_OF_A_WORD = 2000  # most T for each word, if more: short documents need more


class TextFacts(NamedTuple):
    """What decides who takes part.

    All methods have `heats` trials, on a part of the documents; the best have `finals` more on all
    of them. `part` and `whole` are what a trial learns from.
    """

    part: Amount
    whole: Amount
    heats: int
    finals: int
    several: bool = False
    encoded: bool = False


@dataclass(frozen=True)
class Lineup:
    """The methods that take part, the likeliest to win first, and why others do not.

    `heat` and `final` are processor seconds that are expected of a trial on the part, and on all
    documents. In a `race`, hopeless methods are dropped. Those that are `too_slow` for the minutes
    are among those that are not run; those `not_asked` join only if all are asked.
    """

    methods: tuple[str, ...]
    heat: Mapping[str, float]
    final: Mapping[str, float]
    not_run: Mapping[str, str]
    minutes: float
    race: bool = True
    too_slow: tuple[str, ...] = ()
    not_asked: tuple[str, ...] = ()


def plan(
    text: TextFacts, minutes: float, cores: int, wanted: Sequence[str] = (), every: bool = False
) -> Lineup:
    """Choose the methods for some minutes on some cores; those `wanted`, or all, cost what they do.

    In a race, a method joins if its trials on the part, and all trials of the dearest finalists,
    fit into the minutes. The likeliest method that fits alone, and controls, always join.
    """
    possible, not_run = _possible(text, wanted)
    heat, final = ({n: _seconds(m, of) for n, m in possible.items()} for of in text[:2])
    if wanted or every:
        first = sorted(possible, key=lambda name: possible[name].group != CONTROL)
        return Lineup(tuple(first), heat, final, not_run, minutes, race=False)
    left = 60 * minutes * cores
    order = sorted(possible, key=lambda name: _place(possible[name]))
    asked = [name for name in order if possible[name].contest != LAST or text.several]
    joined = [name for name in asked if possible[name].group == CONTROL]
    rivals = [name for name in asked if name not in joined]
    for name in rivals:
        if race_seconds([*joined, name], heat, final, text) <= left:
            joined.append(name)
    if all(possible[name].group == CONTROL for name in joined):
        joined.append(min(rivals, key=lambda name: heat[name]))
    if missing := [name for name in asked if name not in joined]:
        enough = race_seconds(asked, heat, final, text) / 60 / cores
        told = f"{in_minutes(minutes)} are too few; {in_minutes(_rounded_up(enough))} would do"
        not_run |= dict.fromkeys(missing, told)
    not_asked = tuple(name for name in order if name not in asked)
    return Lineup(tuple(joined), heat, final, not_run, minutes, True, tuple(missing), not_asked)


def race_seconds(
    names: Sequence[str], heat: Mapping[str, float], final: Mapping[str, float], text: TextFacts
) -> float:
    """Return the most processor seconds that a race of these methods is expected to take."""
    return text.heats * sum(heat[name] for name in names) + finals_seconds(
        names, final, text.finals
    )


def finals_seconds(names: Sequence[str], final: Mapping[str, float], trials: int) -> float:
    """Return the processor seconds of the finals, if the dearest methods are in them."""
    return trials * sum(sorted((final[name] for name in names), reverse=True)[:FINALISTS])


def _possible(text: TextFacts, wanted: Sequence[str]) -> tuple[dict[str, Method], dict[str, str]]:
    """Return the methods, wanted or of contests, that can run on the text; why others cannot."""
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
    return possible, not_run


def _place(method: Method) -> tuple[float, str]:
    return (method.contest if isinstance(method.contest, int) else math.inf), method.name


def in_minutes(minutes: float) -> str:
    """Return minutes as text."""
    return "1 minute" if minutes == 1 else f"{minutes:g} minutes"


def _rounded_up(minutes: float) -> float:
    return math.ceil(minutes) if minutes > 10 else math.ceil(10 * minutes) / 10


def _seconds(method: Method, amount: Amount) -> float:
    """Return the processor seconds of one fit, with those of the methods whose vectors it needs."""
    needed = (_seconds(method_named(name), amount) for name in method.needs.values())
    return method.cost.seconds(amount) + sum(needed)


def amount_of(tokens: float, labelled_tokens: float, labelled: float, classes: int) -> Amount:
    """Return what a fit learns from, with the most edges that it draws."""
    edges = most_edges(tokens, HEAPS[0] * tokens ** HEAPS[1])
    return Amount(tokens, labelled_tokens, labelled, classes, edges)


def most_edges(tokens: float, words: float) -> int:
    """Return the limit of the number of edges of a training on a text of this size."""
    most = max(EDGES_OF_A_TOKEN * tokens, EDGES_OF_A_WORD * words, FEWEST_EDGES)
    return round(min(most, MOST_EDGES))
