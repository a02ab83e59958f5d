"""How often each network is drawn from, when its text or its labels are few."""

from collections.abc import Sequence

import numpy as np

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError

MOST_DRAWS = 10
"""A token is drawn so often at most as an edge of wd, and so often as an edge of wl."""


def auto_weights(
    corpus: EncodedCorpus, phases: Sequence[Sequence[str]], samples: int
) -> dict[str, float]:
    """Weights for `network_embedding.fit` under which few labels are not learnt by heart.

    The paper draws from all networks equally often. With few labelled documents each of their
    tokens is then drawn thousands of times, the vectors of their words fit these documents alone,
    and classification suffers (paper, section 5.4 and its future work). Here equal turns end where
    each token of wd, and each labelled token of wl, has been drawn `MOST_DRAWS` times in the
    `samples` draws of a phase; the other networks share what is left. Word pairs (ww), and
    networks that are not a corpus's, have no bound. If there is none of these, wd and wl share the
    draws by their tokens.

    Within a phase the largest weight is 1; where no bound is reached, all are, as in the paper.
    A network of several phases has the weight of the last. Raises `PteError` when `samples` is not
    positive, or a phase has only networks without tokens.
    """
    if samples < 1:
        raise PteError(f"samples is {samples}; it must be positive")
    lengths = np.diff(corpus.offsets)
    train = corpus.split == TRAIN
    labelled = train & (corpus.labels != UNLABELLED)
    draws = {
        "wd": MOST_DRAWS * int(lengths[train].sum()),
        "wl": MOST_DRAWS * int(lengths[labelled].sum()),
    }
    weights: dict[str, float] = {}
    for phase in phases:
        bounds = {name: draws.get(name, samples) / samples for name in phase}
        level = _level(list(bounds.values()))
        if not level:
            raise PteError(f"network weights: {'+'.join(phase)} has no edges; is any labelled?")
        weights |= {name: min(bound / level, 1.0) for name, bound in bounds.items()}
    return weights


def _level(bounds: Sequence[float]) -> float:
    """What each may have at most, for the shares min(bound, level) to add up to 1, or nearly."""
    left = 1.0
    for i, bound in enumerate(sorted(bounds)):
        level = left / (len(bounds) - i)
        if bound >= level:
            return level
        left -= bound
    return max(bounds)
