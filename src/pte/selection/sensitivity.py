"""How the score of PTE(joint) depends on its hyperparameters and on T (paper, section 5.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from pte.training.plan import DEFAULT, JOINT
from pte.training.setup import Setup


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
    `pte.training.plan.Configured` does. `setting` is that of the classifier.

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
        given = auto_weights(corpus, [JOINT], samples)
    networks = named.streams(corpus, JOINT, setup.hyperparameters.window)
    watch = Watch(look, every=max(1, int(samples * looks[0]))) if ahead else None
    trained = train_edges(networks, [JOINT], samples, setup, given, watch)
    note(1, trained.samples, trained.vectors)
    return found


@dataclass(frozen=True)
class SweepRecord:
    """A look at a training of a sweep, as it is written down.

    `value` is that of `parameter`. A look at T has the edges drawn for it, and a training with all
    values of the tables has none.
    """

    corpus: str
    parameter: str
    seed: int
    value: float | None
    part: float
    samples: int
    micro_f1: float
    macro_f1: float


def records_of(
    looks: Sequence[Look], corpus: str, parameter: str, value: str, seed: int
) -> list[SweepRecord]:
    """A record of each look at a training; `value` is the text of a file name."""
    fixed = None if parameter in (DEFAULT, "samples") else float(value)
    return [
        SweepRecord(
            *(corpus, parameter, seed, look.samples if parameter == "samples" else fixed),
            *(look.part, look.samples, look.micro_f1, look.macro_f1),
        )
        for look in looks
    ]
