"""Weights of networks that have little text or few labels."""

from collections.abc import Sequence

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.networks import named

MOST_DRAWS = 10
"""How often a token is drawn at most, for each network that has a bound."""

LEAST = 1.01e-4
"""The least part of the draws that a network with edges gets: turns repeat after 10,000 draws."""


def auto_weights(
    corpus: EncodedCorpus, phases: Sequence[Sequence[str]], samples: Sequence[int]
) -> dict[str, float]:
    """Choose weights under which a training does not learn few labels by heart.

    The paper draws from all networks equally often. If few documents have labels, it draws each of
    their tokens thousands of times. The vectors of their words then fit these documents alone, and
    classification suffers (paper, section 5.4 and its future work).

    Here a network takes equal turns until each of its tokens has been drawn `MOST_DRAWS` times in
    the draws of a phase; the other networks share the rest. `samples` has the draws of each phase.
    A network whose `tokens` is None has no bound. If all networks reach their bounds, they share
    the draws by their numbers of tokens.

    Within a phase the largest weight is 1. If no network reaches its bound, all weights are 1, as
    in the paper. A positive bound below `LEAST` of the draws is raised to `LEAST`. A network of
    several phases gets its weight in the last of these phases. Raises `PteError` when `samples` is
    not positive, when a network does not exist, and when a phase has only networks without tokens.
    """
    if min(samples) < 1:
        raise PteError(f"samples is {min(samples)}; it must be positive")
    weights: dict[str, float] = {}
    for phase, draws in zip(phases, samples, strict=True):
        bounds = {name: _bound(name, corpus, draws) for name in phase}
        level = _level(list(bounds.values()))
        if not level:
            raise PteError(f"network weights: {'+'.join(phase)} has no edges; is any labelled?")
        shares = {name: min(bound / level, 1.0) for name, bound in bounds.items()}
        least = LEAST * sum(shares.values())
        weights |= {name: share and max(share, least) for name, share in shares.items()}
    return weights


def _bound(name: str, corpus: EncodedCorpus, samples: int) -> float:
    """Return the part of `samples` draws that a network may have; it may be larger than 1."""
    tokens = named.tokens(name, corpus)
    return 1.0 if tokens is None else MOST_DRAWS * tokens / samples


def _level(bounds: Sequence[float]) -> float:
    """Find the level at which the shares min(bound, level) add up to 1.

    If all bounds together are less than 1, the level is the largest bound.
    """
    left = 1.0
    for i, bound in enumerate(sorted(bounds)):
        level = left / (len(bounds) - i)
        if bound >= level:
            return level
        left -= bound
    return max(bounds)
