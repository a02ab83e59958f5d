"""How many epochs to train: as many as serve held-out training documents best."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.evaluate import evaluate
from pte.evaluation.stopping import MOST_DOCUMENTS, stratified_part

HELD_OUT = 0.1
"""The part of the labelled training documents that judges, and does not train."""

SETTING = {"costs": [1.0], "unit_length": [False], "folds": 2, "cv_documents": 2}
"""The classifier that judges: the paper's. Nothing is cross-validated."""

Train = Callable[[EncodedCorpus, int], NDArray[np.float32]]
"""Called with a corpus and a number of epochs; vectors of all its documents."""


@dataclass(frozen=True)
class Choice:
    """`curve` holds pairs of epochs and micro-F1, in percent, of the held-out documents."""

    epochs: int
    curve: tuple[tuple[int, float], ...]
    seconds: float


def choose_epochs(
    corpus: EncodedCorpus,
    train: Train,
    grid: Sequence[int],
    seed: int,
    tell: Callable[[int, float], object] = lambda epochs, score: None,
) -> Choice:
    """The first of `grid` with the best micro-F1 on training documents that are held out.

    `train` is called for each number of epochs on the training documents alone, of which some are
    test documents then; so that whatever is done for test documents is done for these. The rest of
    the grid is not tried after a score that is worse than the best by a standard error, nor after
    two in a row that are no better. `tell` is told each number of epochs and its micro-F1.

    Raises `PteError` when fewer than two labelled documents a class can be held out, the grid is
    empty, and as `train` does.
    """
    if not grid:
        raise PteError("grid: give the numbers of epochs to choose from")
    began = time.perf_counter()
    part = held_out(corpus, seed)
    n_judges = part.documents(TEST).size
    curve: list[tuple[int, float]] = []
    best = (0, 0.0)
    no_better = 0
    for epochs in grid:
        _, scores = evaluate(part, train(part, epochs), SETTING, seed)
        curve.append((epochs, scores["micro_f1"]))
        tell(*curve[-1])
        no_better = 0 if scores["micro_f1"] > best[1] else no_better + 1
        best = max(best, curve[-1], key=lambda point: point[1])
        if no_better == 2 or curve[-1][1] < best[1] - standard_error(best[1], n_judges):
            break
    return Choice(best[0], tuple(curve), time.perf_counter() - began)


def standard_error(percent: float, n: int) -> float:
    """Of a share of n documents, in percent."""
    return float(np.sqrt(percent * (100 - percent) / n))


def held_out(corpus: EncodedCorpus, seed: int) -> EncodedCorpus:
    """The training documents, with a tenth of those that have a label as test documents.

    Of each class in proportion, at most `MOST_DOCUMENTS`. The vocabulary stays.
    """
    labelled = np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED))
    size = min(int(HELD_OUT * labelled.size), MOST_DOCUMENTS)
    if size < 2 * corpus.n_classes:
        raise PteError(
            f"epochs: {labelled.size} labelled training documents of {corpus.n_classes} classes "
            f"are too few to hold some out; give the number of epochs"
        )
    held = stratified_part(corpus, labelled, size, np.random.default_rng(seed))
    tokens, offsets, labels = corpus.training_tokens()
    split = np.array(corpus.split)
    split[held] = TEST
    return replace(
        corpus,
        tokens=tokens,
        offsets=offsets,
        labels=labels,
        split=split[corpus.split == TRAIN],
    )
