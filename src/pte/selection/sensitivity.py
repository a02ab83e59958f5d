"""How the score of PTE(joint) depends on its hyperparameters and on T (paper, section 5.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.evaluation.documents import mean_vectors
from pte.evaluation.setting import ClassifierSetting
from pte.networks import named
from pte.networks.weights import auto_weights
from pte.selection.classifier import classify
from pte.training.edges import Watch, train_edges
from pte.training.setup import Setup

NETWORKS = ("ww", "wd", "wl")


@dataclass(frozen=True)
class Look:
    """What vectors are worth after `samples` edges: F1 in percent, and the classes predicted.

    `part` is the part of the training that was asked for; the look is the first after it.
    `predicted` is int32, one of each test document.
    """

    part: float
    samples: int
    micro_f1: float
    macro_f1: float
    predicted: NDArray[np.int32]


def scores_of_joint(
    corpus: EncodedCorpus,
    samples: int,
    setup: Setup,
    looks: Sequence[float],
    weights: str | Mapping[str, float],
    setting: ClassifierSetting,
) -> list[Look]:
    """Train PTE(joint) once on `samples` edges of the token streams and judge it at each look.

    `looks` are parts of the training, rising to 1. They are checkpoints of one run, whose rate
    falls over the whole of it. `weights` says how often each network is drawn from, as
    `pte.training.contract.Task` does. `setting` is that of the classifier.

    Raises `PteError` when the looks do not rise from above 0 to 1, and as `train_edges` and
    `classify` do.
    """
    if not looks or looks[0] <= 0 or looks[-1] != 1 or (np.diff(looks) <= 0).any():
        raise PteError(f"looks are {list(looks)}; they must rise from above 0 to 1")
    ahead = list(looks[:-1])
    found: list[Look] = []

    def note(part: float, drawn: int, vectors: NDArray[np.float32]) -> None:
        made = classify(corpus, mean_vectors(corpus.counts, vectors), setting, setup.seed)
        scores = made.scores
        found.append(Look(part, drawn, scores.micro_f1, scores.macro_f1, made.predicted))

    def look(drawn: int, vectors: NDArray[np.float32]) -> bool:
        passed = [part for part in ahead if drawn >= part * samples]
        if passed and drawn < samples:
            note(passed[-1], drawn, vectors)
        del ahead[: len(passed)]
        return False

    given = {} if isinstance(weights, str) else weights
    if weights == "auto":
        given = auto_weights(corpus, [NETWORKS], samples)
    networks = named.streams(corpus, NETWORKS, setup.hyperparameters.window)
    watch = Watch(look, every=max(1, int(samples * looks[0]))) if ahead else None
    trained = train_edges(networks, [NETWORKS], samples, setup, given, watch)
    note(1, trained.samples, trained.vectors)
    return found


def records_of(
    looks: Sequence[Look], corpus: str, parameter: str, value: str, seed: int
) -> list[dict[str, Any]]:
    """A row of JSON for each look at a training.

    `value` is that of `parameter`, as text. A look at T has the edges drawn for it, and a training
    with all values of the tables, whose parameter is "default", has none.
    """
    run = {"corpus": corpus, "parameter": parameter, "seed": seed}
    fixed = None if parameter == "default" else value
    return [
        run
        | {"value": look.samples if parameter == "samples" else fixed and float(fixed)}
        | {"part": look.part, "samples": look.samples}
        | {"micro_f1": look.micro_f1, "macro_f1": look.macro_f1}
        for look in looks
    ]
