"""Which words speak for and against a prediction: what changes when a word is left out.

This serves every method alike, because it asks only for probabilities.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.calibration import LEAST


class Explanation(NamedTuple):
    """The number of the class that is explained, its probability, and the words of the document.

    `words` are pairs of a word and of what it adds to the log-odds of the class, the largest first.
    A negative number speaks against the class.
    """

    number: int
    probability: float
    words: tuple[tuple[str, float], ...]


def explain(
    probabilities: Callable[[EncodedCorpus], NDArray[np.float64]],
    corpus: EncodedCorpus,
    number: int | None = None,
) -> Explanation:
    """Explain the probability of a class, or of the most probable class, for one document.

    `probabilities` returns those of each class for each document of a corpus.

    What a word adds is the log-odds with the word, minus the log-odds when all its occurrences are
    left out. An encoder still reads the whole text.
    """
    rows = corpus.vectors
    tokens = np.asarray(corpus.tokens)
    present = np.unique(tokens)
    variants = [tokens, *(tokens[tokens != word] for word in present)]
    asked = EncodedCorpus(
        tokens=np.concatenate(variants),
        offsets=np.concatenate([[0], np.cumsum([each.size for each in variants])]),
        labels=np.full(len(variants), -1, np.int32),
        split=np.full(len(variants), corpus.split[0], np.uint8),
        words=corpus.words,
        classes=corpus.classes,
        vectors=None if rows is None else np.repeat(rows, len(variants), axis=0),
    )
    likely = probabilities(asked)
    chosen = int(likely[0].argmax()) if number is None else number
    others = np.delete(likely, chosen, axis=1).sum(axis=1)  # 1 − p would lose what is below 1e-16
    odds = np.log(np.maximum(likely[:, chosen], LEAST)) - np.log(np.maximum(others, LEAST))
    adds = odds[0] - odds[1:]
    order = np.argsort(-adds, kind="stable")
    names = [corpus.words[present[i]].decode("utf-8", "replace") for i in order]
    words = tuple(zip(names, adds[order].tolist(), strict=True))
    return Explanation(chosen, float(likely[0, chosen]), words)
