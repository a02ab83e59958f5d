"""CNN and CNN(pretrain), the paper's supervised baselines (Kim, EMNLP 2014; paper, section 5.1).

`pte.models.cnn.network` has the network and its training step. `pte.models.cnn.training` decides
how long the network is trained.
"""

from pathlib import Path

from pte.files import load_array
from pte.models.cnn.training import KIM, train
from pte.training.contract import Cost, Fitted, Spec, Task

SPEC = Spec(
    yields="predictions",
    options={"start": {"type": "string"}},
    needs=lambda options: {"start": options["start"]} if "start" in options else {},
    ordered=lambda options: True,
    kernels=lambda options: ("convolution",),
    cost=lambda options: Cost(5, 45 if "start" in options else 50),
    threads=8,
    # Four rows for each word: its vector, two rows of Adadelta, and the vector of the best epoch.
    # A batch has far fewer words.
    memory=lambda size: 2e8 + 4 * 4 * size.dim * size.words,
)


def fit(task: Task) -> Fitted:
    """Train with Kim's settings on the labelled training documents, and predict the test documents.

    In CNN(pretrain) word vectors start as the vectors in the file `start`, shape (words, dim); in
    CNN they start at random. Raises `PteError` as `pte.models.cnn.training.train` does.
    """
    start = load_array(Path(task.inputs["start"])) if "start" in task.inputs else None
    return train(task.corpus, task.setup, KIM, start)
