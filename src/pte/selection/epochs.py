"""How many epochs to train: as many as serve held-out training documents best."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.evaluate import evaluate
from pte.evaluation.setting import ClassifierChoice
from pte.selection.parts import held_out
from pte.training.contract import Chosen, Task

HELD_OUT = 0.1
"""The part of the labelled training documents that judges, and does not train."""

MOST_DOCUMENTS = 5000
"""The most documents that judge."""

EPOCHS: Mapping[str, Any] = {"type": "integer", "minimum": 1}
"""JSON schema of a number of epochs."""

GRID: Mapping[str, Any] = {"type": "array", "minItems": 1, "uniqueItems": True, "items": EPOCHS}
"""JSON schema of the numbers of epochs to choose from."""

Train = Callable[[EncodedCorpus, int], NDArray[np.float32]]
"""Called with a corpus and a number of epochs; returns vectors of all its documents."""


@dataclass(frozen=True)
class ChosenEpochs:
    """`curve` holds pairs of epochs and micro-F1, in percent, of the held-out documents."""

    epochs: int
    curve: tuple[tuple[int, float], ...]
    seconds: float

    @property
    def as_chosen(self) -> Chosen:
        """What `choose` of a method returns."""
        points = tuple({"epochs": epochs, "micro_f1": score} for epochs, score in self.curve)
        return Chosen({"epochs": self.epochs}, points, self.seconds)


def tell(epochs: int, score: float) -> None:
    """Print a score of the search."""
    print(f"{epochs} epochs: micro-F1 {score:.2f} on held-out documents")


def choose_epochs(
    corpus: EncodedCorpus,
    train: Train,
    grid: Sequence[int],
    seed: int,
    tell: Callable[[int, float], object] = tell,
) -> ChosenEpochs:
    """The first of `grid` with the best micro-F1 on training documents that are held out.

    `train` is called for each number of epochs with the training documents alone. The held-out
    documents among them are test documents there, so that whatever is done for test documents is
    done for these. The search ends after a score that is worse than the best by a standard error,
    and after two in a row that are no better. `tell` is told each number of epochs and its
    micro-F1.

    Raises `PteError` when fewer than two labelled documents a class can be held out, the grid is
    empty, and as `train` does.
    """
    if not grid:
        raise PteError("grid: give the numbers of epochs to choose from")
    began = time.perf_counter()
    part = held_out(corpus, HELD_OUT, MOST_DOCUMENTS, "epochs", seed)
    n_judges = part.documents(TEST).size
    curve: list[tuple[int, float]] = []
    best = (0, 0.0)
    no_better = 0
    for epochs in grid:
        _, scores = evaluate(part, train(part, epochs), ClassifierChoice())
        score = scores.micro_f1
        curve.append((epochs, score))
        tell(epochs, score)
        no_better = 0 if score > best[1] else no_better + 1
        best = max(best, curve[-1], key=lambda point: point[1])
        if no_better == 2 or score < best[1] - standard_error(best[1], n_judges):
            break
    return ChosenEpochs(best[0], tuple(curve), time.perf_counter() - began)


def fit_epochs(task: Task, choose: Callable[[Task], Chosen]) -> tuple[int, dict[str, Any]]:
    """The epochs of a fit, and what its notes say: those of `task.choice`, or of a search here."""
    if task.choice is not None:
        epochs = int(task.choice["epochs"])
        return epochs, {"epochs": epochs}
    chosen = choose(task)
    search = {"seconds": chosen.seconds, "curve": chosen.curve}
    return int(chosen.choice["epochs"]), {**chosen.choice, "search": search}


def standard_error(percent: float, n: int) -> float:
    """The standard error of a share of n documents, in percent."""
    return float(np.sqrt(percent * (100 - percent) / n))
