"""How many epochs to train: the number that serves held-out training documents best."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.evaluate import evaluate
from pte.evaluation.setting import CHOICES, ClassifierChoice
from pte.training.contract import Chosen, Task
from pte.training.parts import held_out
from pte.training.passes import Leg, Resumable
from pte.training.search import is_worse

HELD_OUT = 0.1

MOST_DOCUMENTS = 5000

EPOCHS: Mapping[str, Any] = {"type": "integer", "minimum": 1}

GRID: Mapping[str, Any] = {"type": "array", "minItems": 1, "uniqueItems": True, "items": EPOCHS}

COOLING = 0.2
"""In a search, the rate of a training falls over this part of its epochs."""

Train = Callable[[EncodedCorpus, Sequence[int]], Iterator[NDArray[np.float32]]]
"""Called with a corpus and rising numbers of epochs; yields vectors of all documents for each."""


def choose_epochs(corpus: EncodedCorpus, train: Train, grid: Sequence[int], seed: int) -> Chosen:
    """Choose the smallest number in `grid` with the best micro-F1; `train` is called once."""
    if not grid:
        raise PteError("grid: give the numbers of epochs to choose from")
    began = time.perf_counter()
    part = held_out(corpus, HELD_OUT, MOST_DOCUMENTS, "epochs", seed)
    n_judges = part.documents(TEST).size
    grid, scores = sorted(grid), list[float]()
    for epochs, vectors in zip(grid, train(part, grid), strict=False):
        scores.append(evaluate(part, vectors, ClassifierChoice(), CHOICES)[1]["micro_f1"])
        print(f"{epochs} epochs: micro-F1 {scores[-1]:.2f} on held-out documents")
        if ended(scores, n_judges):
            break
    best = grid[int(np.argmax(scores))]
    curve = [{"epochs": n, "micro_f1": score} for n, score in zip(grid, scores, strict=False)]
    return Chosen({"epochs": best}, tuple(curve), time.perf_counter() - began)


def train_grid(training: Resumable, grid: Sequence[int]) -> Iterator[int]:
    """Train for each number of epochs in `grid`, which rises; yield the number once it is trained.

    The rates of E epochs sum up to E / 2 times the first: here too, as the rate is steady, then
    falls over `COOLING` · E epochs. Longer trainings go on from the end of the steady leg.
    """
    size = training.passes.tokens.size
    begin = 0
    for epochs in grid:
        steady = round(epochs * (1 - COOLING) / 2 * size)
        training.train(Leg(begin, steady, falls=False))
        kept = [table.copy() for table in training.learnt]
        training.train(Leg(steady, steady + round(epochs * COOLING * size)))
        yield epochs
        for table, before in zip(training.learnt, kept, strict=True):
            table[:] = before
        begin = steady


def ended(scores: Sequence[float], n_judges: int) -> bool:
    """Return whether two scores in a row are no better, or one is a standard error worse."""
    return len(scores) - int(np.argmax(scores)) > 2 or is_worse(scores, n_judges)


def fit_epochs(task: Task, choose: Callable[[Task], Chosen]) -> tuple[int, dict[str, Any]]:
    """Return a fit's epochs, from `task.choice` or from a search here, and notes on them."""
    if task.choice is not None:
        epochs = int(task.choice["epochs"])
        return epochs, {"epochs": epochs}
    chosen = choose(task)
    search = {"seconds": chosen.seconds, "curve": chosen.curve}
    return int(chosen.choice["epochs"]), {**chosen.choice, "search": search}
