"""How the score of PTE(joint) depends on its hyperparameters and on T (paper, section 5.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus, Targets
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import CHOICES, ClassifierSetting
from pte.networks import named
from pte.networks.named import auto_weights
from pte.training.edges import Watch, train_edges
from pte.training.setup import DEFAULT, JOINT, Setup


@dataclass(frozen=True)
class Checkpoint:
    """The first score after `part` of the training: F1 in percent, and predicted classes."""

    part: float
    samples: int
    micro_f1: float
    macro_f1: float
    predicted: Targets


def scores_of_joint(
    corpus: EncodedCorpus,
    samples: int,
    setup: Setup,
    checkpoints: Sequence[float],
    weights: str | Mapping[str, float],
    setting: ClassifierSetting,
) -> list[Checkpoint]:
    """Train PTE(joint) once; judge it at rising `checkpoints`, by `CHOICES` before the last."""
    ahead = list(checkpoints[:-1])
    found: list[Checkpoint] = []

    def note(part: float, drawn: int, vectors: NDArray[np.float32]) -> None:
        documents = mean_vectors(corpus.counts, vectors)
        solver = CHOICES if part < 1 else setting.solver
        predicted, scores = evaluate(corpus, documents, setting.choice, solver)
        found.append(Checkpoint(part, drawn, scores["micro_f1"], scores["macro_f1"], predicted))

    def checkpoint(drawn: int, vectors: NDArray[np.float32]) -> bool:
        passed = [part for part in ahead if drawn >= part * samples]
        if passed and drawn < samples:
            note(passed[-1], drawn, vectors)
        del ahead[: len(passed)]
        return False

    given = {} if isinstance(weights, str) else weights
    if weights == "auto":
        given = auto_weights(corpus, [JOINT], [samples])
    networks = named.streams(corpus, JOINT, setup.hyperparameters.window)
    watch = Watch(checkpoint, every=max(1, int(samples * checkpoints[0]))) if ahead else None
    trained = train_edges(networks, [JOINT], samples, setup, given, watch)
    note(1, trained.samples, trained.vectors)
    return found


def records_of(
    found: Sequence[Checkpoint], corpus: str, parameter: str, value: str, seed: int
) -> list[dict[str, Any]]:
    """Return checkpoints as JSON, with a `parameter`'s text, the edges for T, or None."""
    fixed = None if parameter in (DEFAULT, "samples") else float(value)
    records = []
    for each in found:
        at = each.samples if parameter == "samples" else fixed
        scores = {name: kept for name, kept in vars(each).items() if name != "predicted"}
        records.append(
            {"corpus": corpus, "parameter": parameter, "seed": seed, "value": at, **scores}
        )
    return records
