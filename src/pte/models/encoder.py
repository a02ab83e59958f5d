"""The vectors of an encoder of texts, which was made elsewhere (`pte.encoders`), as features.

Nothing is learnt but the classifier. This is the baseline of what joins an encoder's knowledge.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.limits import MOST
from pte.training.contract import Cost, Learnt, Options, Spec, Task

SPEC = Spec(
    yields="features",
    encoded=lambda options: True,
    seeded=False,
    sees_labels=lambda options: False,
    cost=lambda options: Cost(2, 10),
)


def learn(task: Task) -> Learnt:
    """Learn nothing but the length of the encoder's vectors, `dim`.

    Raises `PteError` when the corpus has no such vectors.
    """
    dim = task.corpus.encoded_rows().shape[1]
    facts: dict[str, Any] = {"choice": {}, "notes": {}, "dim": dim}
    return Learnt({}, facts)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float32]:
    """Return the encoder's vectors, float32, shape (documents, numbers)."""
    return corpus.encoded_rows()


def check(kept: ArrayFile, options: Options) -> int:
    """Check the fact that `learn` gives; return the length of a vector. Raises `PteError`."""
    return int(kept.fact("dim", range(1, MOST)))
