"""fastText's supervised classifier (Joulin, Grave, Bojanowski and Mikolov, EACL 2017)."""

import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from pte.array_file import ArrayFile
from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import labelled_documents
from pte.errors import NotInstalled, PteError
from pte.training.contract import Chosen, Cost, Fitted, Learnt, Options, Spec, Task
from pte.training.search import Search, folds, groups_of, search

METHOD = "fasttext"
RATES = (0.1, 0.5, 1.0)
EPOCHS = (5, 20)
EPOCHS_OF_FEW = (20, 100)
FEW = 5_000  # this many labelled documents, or fewer, are few: 20 epochs on them are not enough
LABEL, END = "__label__", "</s>"  # fastText's mark of a label, and its word at a line's end

DIM = 100
BUCKETS = 2_000_000  # fastText's number of rows that the vectors of all pairs share

SPEC = Spec(
    yields="predictions",
    options={"pairs": {"type": "boolean"}},
    ordered=lambda options: bool(options.get("pairs")),
    choice={
        "learning_rate": {"type": "number", "exclusiveMinimum": 0},
        "epochs": {"type": "integer", "minimum": 1},
    },
    # what searches found on R8
    usual=lambda options: {"learning_rate": 1.0 if options.get("pairs") else 0.5, "epochs": 20},
    cost=lambda options: Cost(0.3, 24 if options.get("pairs") else 6),
    package="fasttext",
    applies=lambda options: not options.get("pairs"),
    # fastText's table of 30 million word numbers; two rows for each word; the rows of pairs, even
    # without pairs; and the text as words of six letters: as lines, joined, encoded, and in the
    # file
    memory=lambda size: 1.2e8 + 4 * DIM * (2 * size.words + BUCKETS) + 4 * 7 * size.tokens,
)


@dataclass(frozen=True)
class FastTextChoice:
    """The learning rate at the start, and how often training passes over the documents."""

    learning_rate: float
    epochs: int


def choose(task: Task) -> Chosen:
    """Choose the rate and the epochs on one fold of the labelled documents, once for all seeds."""
    trainer = _Trainer(task)
    began = time.perf_counter()
    found = _validate(trainer, labelled_documents(task.corpus, METHOD), task.seed)
    return Chosen(asdict(found.best), tuple(found.curve()), time.perf_counter() - began)


def learn(task: Task) -> Learnt:
    """Learn `vectors` of `words`, `end` of a line, and `output`; pairs would take 800 MB."""
    if task.options.get("pairs"):
        raise PteError(f"{METHOD}: with pairs it keeps no model; leave out the option pairs")
    model, chosen = _train(task)
    names, vectors = model.get_words(), model.get_input_matrix()
    is_word = np.array([name != END for name in names])
    classes = np.argsort([_class_of(label) for label in model.get_labels()])
    arrays = {
        "words": np.array([name for name in names if name != END], np.int32),
        "vectors": vectors[: is_word.size][is_word],
        "end": vectors[names.index(END)],
        "output": model.get_output_matrix()[classes],
    }
    return Learnt(arrays, {"choice": asdict(chosen.best), "notes": chosen.notes})


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return probabilities, shape (documents, classes), without the package."""
    arrays = learnt.arrays
    counts = corpus.counts[:, arrays["words"]].astype(np.float64)
    lengths = np.asarray(counts.sum(axis=1)).reshape(-1, 1) + 1
    means = (counts @ arrays["vectors"].astype(np.float64) + arrays["end"]) / lengths
    return np.asarray(softmax(means @ arrays["output"].T.astype(np.float64), axis=1))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays that `learn` gives."""
    kept.numbers("words", kept.lengths["words"], "known words")
    kept.array("vectors", "float32", "known words", "dim")
    kept.array("end", "float32", "dim")
    return kept.array("output", "float32", "classes", "dim").size


def fit(task: Task) -> Fitted:
    """Choose rate and epochs, train on all labels, and predict in float32 by the package itself."""
    began = time.perf_counter()
    model, chosen = _train(task)
    predicted = _predict(model, _texts(task.corpus, task.corpus.documents(TEST)))
    return Fitted(predicted, seconds=time.perf_counter() - began, notes=chosen.notes)


def _train(task: Task) -> tuple[Any, Search[FastTextChoice]]:
    trainer = _Trainer(task)
    known = labelled_documents(task.corpus, METHOD)
    if task.choice is None:
        chosen = _validate(trainer, known, task.seed)
    else:
        chosen = Search(FastTextChoice(task.choice["learning_rate"], int(task.choice["epochs"])))
    return trainer.train(known, chosen.best), chosen


class _Trainer:
    """Trains classifiers in turn; one random stream gives their orders of documents."""

    def __init__(self, task: Task) -> None:
        try:
            import fasttext
        except ModuleNotFoundError:
            raise NotInstalled("fasttext") from None
        self._fasttext = fasttext
        self.corpus = task.corpus
        self._options = {"dim": DIM, "seed": task.seed % 2**31, "thread": task.threads}
        self._options["verbose"] = 0
        if task.options.get("pairs"):
            self._options |= {"wordNgrams": 2, "bucket": BUCKETS}
        self.usual = FastTextChoice(1.0 if task.options.get("pairs") else 0.5, 20)
        self._rng = np.random.default_rng(task.seed)

    def predict(
        self, learnt: NDArray[np.int64], asked: NDArray[np.int64], choice: FastTextChoice
    ) -> NDArray[np.int32]:
        """Train on the documents `learnt`, and predict the documents `asked`."""
        return _predict(self.train(learnt, choice), _texts(self.corpus, asked))

    def train(self, learnt: NDArray[np.int64], choice: FastTextChoice) -> Any:
        """Train on the documents `learnt`; return the package's model."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "training.txt"
            # fastText trains in the order of its file, and a corpus may be sorted by class
            shuffled = self._rng.permutation(learnt)
            texts = _texts(self.corpus, shuffled)
            lines = zip(self.corpus.labels[shuffled], texts, strict=True)
            path.write_text("".join(f"{LABEL}{label} {text}\n" for label, text in lines))
            try:
                return self._fasttext.train_supervised(
                    str(path), lr=choice.learning_rate, epoch=choice.epochs, **self._options
                )
            except RuntimeError as error:
                raise PteError(f"{METHOD}: training failed: {error}") from None


def _predict(model: Any, texts: list[str]) -> NDArray[np.int32]:
    found, _ = model.predict(texts)
    return np.array([_class_of(names[0]) for names in found], np.int32)


def _class_of(label: str) -> int:
    return int(label.removeprefix(LABEL))


def _texts(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> list[str]:
    """Return documents as word ids: fastText reads UTF-8 and gives some words a meaning."""
    names, offsets = list(map(str, range(corpus.n_words))), corpus.offsets
    return [
        " ".join([names[word] for word in corpus.tokens[offsets[d] : offsets[d + 1]].tolist()])
        for d in documents
    ]


def _validate(trainer: _Trainer, known: NDArray[np.int64], seed: int) -> Search[FastTextChoice]:
    labels = np.asarray(trainer.corpus.labels[known])
    parts = folds(labels, seed, groups_of(trainer.corpus, known))
    if not parts:
        return Search(trainer.usual)
    learn, judge = parts[0]

    def accuracy(choice: FastTextChoice) -> float:
        hits = trainer.predict(known[learn], known[judge], choice) == labels[judge]
        return 100 * float(hits.mean())

    epochs = EPOCHS_OF_FEW if len(known) <= FEW else EPOCHS
    return search([FastTextChoice(*pair) for pair in product(RATES, epochs)], accuracy)
