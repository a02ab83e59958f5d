"""CNN and CNN(pretrain), the paper's supervised baselines (Kim, EMNLP 2014; paper, section 5.1).

`pte.models.cnn.network` has the network and its training step. Here it is trained until its
predictions of held-out documents no longer improve. This early stopping is a part of the training,
as in the paper: each fit holds out documents of its own, and keeps the weights of its best epoch.
Nothing else is chosen.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax
from threadpoolctl import threadpool_limits

from pte.array_file import ArrayFile
from pte.core.arrays import Float32Array
from pte.core.convolution import WINDOW
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.subsets import labelled_documents
from pte.errors import PteError
from pte.files import load_array
from pte.models.cnn.network import ConvolutionalNetwork
from pte.training.contract import Cost, Fitted, Learnt, Options, Spec, Task, most_likely
from pte.training.search import groups_of, hold_out
from pte.training.setup import Progress, Setup

METHOD = "cnn"
BATCH = 50  # documents in a batch, as in Kim's experiments
STEPS = 100  # batches of an epoch at least; few documents are passed over again

HELD_OUT, AT_LEAST, AT_MOST = 0.01, 500, 0.1
"""The part of the labelled training documents that judges.

If that part is less than 500 documents, 500 documents judge, or a tenth if that is fewer. In the
paper 1 % judges, but the score of 70 documents has a standard error of five points.
"""

SPREAD = 0.25  # unknown words start uniform in ± this, as in Kim's code

PARAMETERS = ("words", "filters", "biases", "output", "intercepts")
"""The names of the network's parameters, in the order of `ConvolutionalNetwork.weights`."""

SPEC = Spec(
    yields="predictions",
    options={"start": {"type": "string"}},
    needs=lambda options: {"start": options["start"]} if "start" in options else {},
    ordered=lambda options: True,
    cost=lambda options: Cost(0.5, 5 if "start" in options else 16),
    threads=8,
    # Four rows for each word: its vector, two rows of Adadelta, and the vector of the best epoch.
    # A batch has far fewer words.
    memory=lambda size: 2e8 + 4 * 4 * size.dim * size.words,
)


@dataclass(frozen=True)
class CnnSettings:
    """The network's size; training ends after `patience` epochs without gain, or `epochs`."""

    dim: int = 100
    maps: int = 100
    epochs: int = 50
    patience: int = 5


KIM = CnnSettings()  # of every table; the configuration's are for embeddings


def learn(task: Task) -> Learnt:
    """Train as Kim did; vectors start at random, or in CNN(pretrain) at those of `start`."""
    start = load_array(Path(task.inputs["start"])) if "start" in task.inputs else None
    return train(task.corpus, task.setup, KIM, start)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return probabilities; one thread computes batches of 50, whose mates may change last bits."""
    network = ConvolutionalNetwork.of([learnt.arrays[name] for name in PARAMETERS])
    with threadpool_limits(1, user_api="blas"):
        scores = _scores(network, corpus, np.arange(corpus.n_documents))
    return np.asarray(softmax(scores.astype(np.float64), axis=1))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays that `learn` gives; raises `PteError`."""
    maps = kept.array("biases", "float32", "maps").size
    kept.array("words", "float32", kept.lengths["words"] + 1, "dim")
    kept.array("filters", "float32", WINDOW * maps, "dim")
    kept.array("output", "float32", "maps", "classes")
    return kept.array("intercepts", "float32", "classes").size


def fit(task: Task) -> Fitted:
    learnt = learn(task)
    began = time.perf_counter()
    predicted = most_likely(apply(learnt, task.options, task.asked))
    notes = {"prediction_seconds": time.perf_counter() - began, **learnt.facts["notes"]}
    return Fitted(predicted, seconds=learnt.facts["seconds"], notes=notes)


@dataclass
class _Course:
    """A curve, the best epoch and its weights, and the seconds of training without judging."""

    curve: list[dict[str, float]] = field(default_factory=list)
    best: int = 0
    weights: list[Float32Array] = field(default_factory=list)
    seconds: float = 0.0


def train(
    corpus: EncodedCorpus,
    setup: Setup,
    settings: CnnSettings = KIM,
    start: NDArray[np.float32] | None = None,
) -> Learnt:
    """Train on labelled documents; return the `PARAMETERS` of the best epoch, by score, then loss.

    Word vectors start as `start`, shape (words, dim), or at random. One seed and one thread give
    the same bits. If each class has one document, the documents that train judge, too.
    """
    rng = np.random.default_rng(setup.seed)
    labelled = labelled_documents(corpus, METHOD)
    groups = groups_of(corpus, labelled)
    split = hold_out(corpus.labels[labelled], n_judging(labelled.size), rng, groups)
    training, judging = labelled[split[0]], labelled[split[1] if split[1].size else split[0]]
    if start is None:
        start = rng.uniform(-SPREAD, SPREAD, (corpus.n_words, settings.dim)).astype(np.float32)
    if start.ndim != 2 or len(start) != corpus.n_words:
        wanted = f"a row for each of the {corpus.n_words} words"
        raise PteError(f"{METHOD}: start has shape {start.shape}; it must have {wanted}")
    if not np.isfinite(start).all():
        raise PteError(f"{METHOD}: start holds numbers that are not finite")
    passes = max(1, round(STEPS * BATCH / training.size))
    began = time.perf_counter()
    with threadpool_limits(setup.threads, user_api="blas"):
        network = ConvolutionalNetwork(start, corpus.n_classes, settings.maps, rng.spawn(1)[0])
        orders = _orders(training, passes, rng)
        course = _run(network, corpus, orders, judging, settings, setup.progress)
        seconds = time.perf_counter() - began
    epochs = len(course.curve)
    notes = {
        "epochs": epochs,
        "passes_per_epoch": passes,
        "best_epoch": course.best,
        "threads": setup.threads,
        "documents_per_second": passes * training.size * epochs / course.seconds,
        "held_out": int(judging.size),
        "curve": course.curve,
    }
    arrays = dict(zip(PARAMETERS, course.weights, strict=True))
    return Learnt(arrays, {"choice": {}, "seconds": seconds, "notes": notes})


def n_judging(n: int) -> int:
    """Return how many of `n` labelled documents judge: at least one document."""
    return max(1, round(HELD_OUT * n), min(AT_LEAST, int(AT_MOST * n)))


def _run(
    network: ConvolutionalNetwork,
    corpus: EncodedCorpus,
    orders: Iterator[NDArray[np.int64]],
    judging: NDArray[np.int64],
    settings: CnnSettings,
    progress: Progress | None,
) -> _Course:
    """Train epoch after epoch, each epoch on the next of `orders`, until the patience ends."""
    course = _Course()
    for epoch in range(1, settings.epochs + 1):
        before = time.perf_counter()
        loss = _train_epoch(network, corpus, next(orders))
        course.seconds += time.perf_counter() - before
        scores = _scores(network, corpus, judging)
        course.curve.append({"loss": loss} | _judge(scores, corpus.labels[judging]))
        if epoch == 1 or _merit(course.curve[-1]) > _merit(course.curve[course.best - 1]):
            course.best, course.weights = epoch, network.weights()
        if progress:
            progress(epoch, settings.epochs)
        if epoch - course.best == settings.patience:
            break
    return course


def _orders(
    documents: NDArray[np.int64], passes: int, rng: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield for each epoch so many passes over the documents, each pass in a random order."""
    while True:
        yield np.concatenate([rng.permutation(documents) for _ in range(passes)])


def _batches(documents: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    return (documents[i : i + BATCH] for i in range(0, documents.size, BATCH))


def _train_epoch(
    network: ConvolutionalNetwork, corpus: EncodedCorpus, documents: NDArray[np.int64]
) -> float:
    """Take a step for each batch; return the documents' mean loss, each loss before its step."""
    total = 0.0
    for part in _batches(documents):
        total += part.size * network.train(corpus, part)
    if not np.isfinite(total):
        raise PteError(f"{METHOD}: training diverged; the loss of an epoch is {total}")
    return total / documents.size


def _scores(
    network: ConvolutionalNetwork, corpus: EncodedCorpus, documents: NDArray[np.int64]
) -> NDArray[np.float32]:
    parts = [network.scores(corpus, part) for part in _batches(documents)]
    none = np.empty((0, network.intercepts.value.size), np.float32)
    return np.concatenate([none, *parts])


def _judge(scores: NDArray[np.float32], labels: NDArray[np.int32]) -> dict[str, float]:
    losses = logsumexp(scores, axis=1) - scores[np.arange(labels.size), labels]
    right = scores.argmax(axis=1) == labels
    return {"held_out_micro_f1": 100 * float(right.mean()), "held_out_loss": float(losses.mean())}


def _merit(point: dict[str, float]) -> tuple[float, float]:
    return point["held_out_micro_f1"], -point["held_out_loss"]
