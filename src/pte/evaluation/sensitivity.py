"""How the score of PTE(joint) depends on what it is trained with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.evaluation.documents import mean_vectors
from pte.evaluation.evaluate import evaluate
from pte.models.network_embedding import Hyperparameters, fit
from pte.networks.sampling import streams

NETWORKS = ("ww", "wd", "wl")


@dataclass(frozen=True)
class Look:
    """What vectors are worth after `samples` edges: F1 in percent, and the classes predicted.

    `part` is what of the training was asked for; the look is the first after it. `predicted` is
    int32, one of each test document.
    """

    part: float
    samples: int
    micro_f1: float
    macro_f1: float
    predicted: NDArray[np.int32]


def scores_of_joint(
    corpus: EncodedCorpus,
    samples: int,
    seed: int,
    setting: Mapping[str, Any],
    hyperparameters: Hyperparameters,
    window: int = 5,
    looks: Sequence[float] = (1.0,),
    threads: int = 1,
    weights: Mapping[str, float] | None = None,
    deterministic: bool = False,
) -> list[Look]:
    """Train PTE(joint) once on `samples` edges of the token streams and score it at each look.

    `looks` are parts of the training, rising to 1: checkpoints of one run, whose rate falls over
    the whole of it. The other arguments are those of `fit`.

    Raises `PteError` when the looks do not rise from above 0 to 1, and as `fit` and `evaluate` do.
    """
    if not looks or looks[0] <= 0 or looks[-1] != 1 or (np.diff(looks) <= 0).any():
        raise PteError(f"looks are {list(looks)}; they must rise from above 0 to 1")
    ahead = list(looks[:-1])
    found: list[Look] = []

    def judge(part: float, drawn: int, vectors: NDArray[np.float32]) -> None:
        predicted, scores = evaluate(corpus, mean_vectors(corpus.counts, vectors), setting, seed)
        found.append(Look(part, drawn, scores["micro_f1"], scores["macro_f1"], predicted))

    def watch(drawn: int, vectors: NDArray[np.float32]) -> bool:
        passed = [part for part in ahead if drawn >= part * samples]
        if passed and drawn < samples:
            judge(passed[-1], drawn, vectors)
        del ahead[: len(passed)]
        return False

    trained = fit(
        streams(corpus, list(NETWORKS), window),
        [NETWORKS],
        samples,
        seed,
        hyperparameters,
        threads,
        weights=weights,
        deterministic=deterministic,
        watch=watch if ahead else None,
        watch_every=max(1, int(samples * looks[0])),
    )
    judge(1, trained.samples, trained.vectors)
    return found
