"""fastText's supervised classifier (Joulin, Grave, Bojanowski and Mikolov, EACL 2017).

Word vectors and a softmax over the classes are trained together; the softmax sees the mean of a
document's word vectors. With the option `pairs`, pairs of neighbouring words have vectors, too.
"""

import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST
from pte.corpora.labelled import labelled_documents
from pte.errors import NotInstalled, PteError
from pte.selection.parts import folds
from pte.selection.search import Search, search
from pte.training.contract import Chosen, Cost, Fitted, Spec, Task

METHOD = "fasttext"
RATES = (0.1, 0.5, 1.0)
EPOCHS = (5, 20)
EPOCHS_OF_FEW = (20, 100)
FEW = 5_000
"""This many labelled documents, or fewer, are few: 20 epochs on them are not enough."""

DIM = 100
BUCKETS = 2_000_000
"""The number of rows that the vectors of all pairs share; this is fastText's default."""

SPEC = Spec(
    yields="predictions",
    options={"pairs": {"type": "boolean"}},
    ordered=lambda options: bool(options.get("pairs")),
    choice={
        "rate": {"type": "number", "exclusiveMinimum": 0},
        "epochs": {"type": "integer", "minimum": 1},
    },
    # What searches found on R8.
    usual=lambda options: {"rate": 1.0 if options.get("pairs") else 0.5, "epochs": 20},
    # With pairs, published trainings took 2 to 7 times as long: 4 times, in the geometric mean of
    # five corpora.
    cost=lambda options: Cost(3, 80 if options.get("pairs") else 20),
    package="fasttext",
    # fastText's table of 30 million word numbers; two rows for each word; the rows of pairs, even
    # without pairs; and the text as words of six letters: as lines, joined, encoded, and in the
    # file
    memory=lambda size: 1.2e8 + 4 * DIM * (2 * size.words + BUCKETS) + 4 * 7 * size.tokens,
)


@dataclass(frozen=True)
class FastTextChoice:
    """The learning rate at the start, and how often training passes over the documents."""

    rate: float
    epochs: int


def choose(task: Task) -> Chosen:
    """Choose the rate and the epochs on one fold of the labelled documents, once for all seeds.

    Raises `NotInstalled` without the fasttext package, and `PteError` when the labels do not
    suffice.
    """
    trainer = _Trainer(task)
    began = time.perf_counter()
    found = _validate(trainer, labelled_documents(task.corpus, METHOD), task.seed)
    return Chosen(asdict(found.best), tuple(found.curve()), time.perf_counter() - began)


def fit(task: Task) -> Fitted:
    """Choose rate and epochs on held-out documents, train on all labelled documents, and predict.

    If `task.choice` has `rate` and `epochs`, nothing is held out. With one thread, one seed always
    gives the same predictions; more threads race. Unlabelled documents are not used. Raises
    `NotInstalled` without the fasttext package, and `PteError` when there are too few labels.
    """
    trainer = _Trainer(task)
    began = time.perf_counter()
    known = labelled_documents(task.corpus, METHOD)
    if task.choice is None:
        chosen = _validate(trainer, known, task.seed)
    else:
        chosen = Search(FastTextChoice(task.choice["rate"], int(task.choice["epochs"])))
    predicted = trainer.predict(known, task.corpus.documents(TEST), chosen.best)
    return Fitted(predicted, seconds=time.perf_counter() - began, notes=chosen.notes)


class _Trainer:
    """Trains classifiers one after another; one random stream gives their orders of documents."""

    def __init__(self, task: Task) -> None:
        try:
            import fasttext
        except ModuleNotFoundError:
            raise NotInstalled("fasttext") from None
        self._fasttext = fasttext
        self.corpus, self._names = task.corpus, list(map(str, range(task.corpus.n_words)))
        self._options = {"dim": DIM, "seed": task.seed, "thread": task.threads, "verbose": 0}
        if task.options.get("pairs"):
            self._options |= {"wordNgrams": 2, "bucket": BUCKETS}
        self._rng = np.random.default_rng(task.seed)

    def predict(
        self, learnt: NDArray[np.int64], asked: NDArray[np.int64], choice: FastTextChoice
    ) -> NDArray[np.int32]:
        """Train a classifier on the documents `learnt`, and predict the documents `asked`."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "training.txt"
            # fastText trains in the order of its file, and a corpus may be sorted by class
            shuffled = self._rng.permutation(learnt)
            texts = self._texts(shuffled)
            lines = zip(self.corpus.labels[shuffled], texts, strict=True)
            path.write_text("".join(f"__label__{label} {text}\n" for label, text in lines))
            try:
                model = self._fasttext.train_supervised(
                    str(path), lr=choice.rate, epoch=choice.epochs, **self._options
                )
            except RuntimeError as error:
                raise PteError(f"{METHOD}: training failed: {error}") from None
        found, _ = model.predict(self._texts(asked))
        return np.array([int(names[0].removeprefix("__label__")) for names in found], np.int32)

    def _texts(self, documents: NDArray[np.int64]) -> list[str]:
        """Return documents as word ids: fastText reads UTF-8 and gives some words a meaning."""
        offsets, names = self.corpus.offsets, self._names
        return [
            " ".join(
                [names[word] for word in self.corpus.tokens[offsets[d] : offsets[d + 1]].tolist()]
            )
            for d in documents
        ]


def _validate(trainer: _Trainer, known: NDArray[np.int64], seed: int) -> Search[FastTextChoice]:
    """Find the rate and the epochs with the best accuracy on the first fold, in percent."""
    labels = np.asarray(trainer.corpus.labels[known])
    learn, judge = folds(labels, METHOD, seed)[0]

    def accuracy(choice: FastTextChoice) -> float:
        hits = trainer.predict(known[learn], known[judge], choice) == labels[judge]
        return 100 * float(hits.mean())

    epochs = EPOCHS_OF_FEW if len(known) <= FEW else EPOCHS
    return search([FastTextChoice(*pair) for pair in product(RATES, epochs)], accuracy)
