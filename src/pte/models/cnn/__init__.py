"""CNN and CNN(pretrain), the paper's supervised baselines (Kim, EMNLP 2014; paper, section 5.1).

`pte.models.cnn.network` has the network and its training step. `pte.models.cnn.training` decides
how long the network is trained.
"""

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.core.convolution import WINDOW
from pte.corpora.encoded import EncodedCorpus
from pte.files import load_array
from pte.models.cnn.training import KIM, predict, train
from pte.training.contract import Cost, Fitted, Learnt, Options, Spec, Task, most_likely

SPEC = Spec(
    yields="predictions",
    options={"start": {"type": "string"}},
    needs=lambda options: {"start": options["start"]} if "start" in options else {},
    ordered=lambda options: True,
    kernels=lambda options: ("convolution",),
    cost=lambda options: Cost(0.5, 5 if "start" in options else 16),
    threads=8,
    # Four rows for each word: its vector, two rows of Adadelta, and the vector of the best epoch.
    # A batch has far fewer words.
    memory=lambda size: 2e8 + 4 * 4 * size.dim * size.words,
)


def learn(task: Task) -> Learnt:
    """Train with Kim's settings on the labelled training documents.

    In CNN(pretrain) word vectors start as the vectors in the file `start`, shape (words, dim); in
    CNN they start at random. Raises `PteError` as `pte.models.cnn.training.train` does.
    """
    start = load_array(Path(task.inputs["start"])) if "start" in task.inputs else None
    return train(task.corpus, task.setup, KIM, start)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the probabilities of the classes, shape (documents, classes).

    A document is scored in a batch of 50, so its last bits may depend on the documents around it.
    """
    return predict(learnt, corpus)


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays that `learn` gives; raises `PteError`."""
    maps = kept.array("biases", "float32", "maps").size
    kept.array("words", "float32", kept.lengths["words"] + 1, "dim")
    kept.array("filters", "float32", WINDOW * maps, "dim")
    kept.array("output", "float32", "maps", "classes")
    return kept.array("intercepts", "float32", "classes").size


def fit(task: Task) -> Fitted:
    """Learn as `learn` does, and predict the test documents."""
    learnt = learn(task)
    began = time.perf_counter()
    predicted = most_likely(apply(learnt, task.options, task.asked))
    notes = {"prediction_seconds": time.perf_counter() - began, **learnt.facts["notes"]}
    return Fitted(predicted, seconds=learnt.facts["seconds"], notes=notes)
