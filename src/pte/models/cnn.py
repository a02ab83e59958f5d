"""CNN and CNN(pretrain), the paper's supervised baselines (Kim, EMNLP 2014; paper, section 5.1).

The network and its training step are in `pte.models.convolution`; here is how long it is trained.
"""

import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from threadpoolctl import threadpool_limits

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.models.convolution import ConvolutionalNetwork
from pte.models.labelled import labelled_documents
from pte.models.prediction import Prediction

METHOD = "cnn"
BATCH = 50
"""Documents in a batch, as in Kim's experiments."""

STEPS = 100
"""Few documents are passed over several times in an epoch, so that it has about as many batches."""

HELD_OUT, AT_LEAST, AT_MOST = 0.01, 500, 0.1
"""The part of the labelled training documents that judges; 500 if that is fewer, a tenth at most.

The paper has 1 %, but the score of 70 documents has a standard error of five points.
"""

SPREAD = 0.25
"""Word vectors that are not given start uniform in ± this, as unknown words do in Kim's code."""

Progress = Callable[[str], None]
"""Called after every epoch with a line that says how the training stands."""


def fit_predict(
    corpus: EncodedCorpus,
    seed: int,
    threads: int,
    *,
    start: NDArray[np.float32] | None = None,
    dim: int = 100,
    maps: int = 100,
    epochs: int = 50,
    patience: int = 5,
    progress: Progress | None = None,
) -> Prediction:
    """Train on the labelled training documents; predict the class of every test document.

    Word vectors start as `start`, shape (words, dim), which makes it CNN(pretrain), or at random
    with `dim` numbers each; both are trained. Training ends after `epochs`, or when the score of
    held-out documents has not risen for `patience` epochs. The best epoch's weights predict; of
    epochs with one score the one with the lowest loss is the best.

    One seed and one thread give bit-identical weights; the products of matrices use `threads`.
    Raises `PteError` when the labels do not suffice, `start` has another shape or is not finite,
    an argument is not positive, or `seed` is negative.
    """
    _check(corpus, start, seed)
    _check_positive(threads=threads, dim=dim, maps=maps, epochs=epochs, patience=patience)
    rng = np.random.default_rng(seed)
    labelled = labelled_documents(corpus, METHOD)
    training, judging = (labelled[part] for part in hold_out(corpus.labels[labelled], rng))
    if start is None:
        start = rng.uniform(-SPREAD, SPREAD, (corpus.n_words, dim)).astype(np.float32)
    passes = max(1, round(STEPS * BATCH / training.size))
    size = passes * training.size
    began = time.perf_counter()
    spent = 0.0
    curve: list[dict[str, float]] = []
    with threadpool_limits(threads, user_api="blas"):
        network = ConvolutionalNetwork(start, corpus.n_classes, maps, rng.spawn(1)[0])
        best, weights = 0, network.weights()
        for epoch in range(1, epochs + 1):
            before = time.perf_counter()
            order = [rng.permutation(training) for _ in range(passes)]
            loss = _train(network, corpus, np.concatenate(order))
            spent += time.perf_counter() - before
            scores = _scores(network, corpus, judging)
            curve.append({"loss": loss} | _judge(scores, corpus.labels[judging]))
            if epoch == 1 or _merit(curve[-1]) > _merit(curve[best - 1]):
                best, weights = epoch, network.weights()
            seconds = time.perf_counter() - began
            if progress:
                progress(_line(curve, epochs, size * epoch / spent, seconds))
            if epoch - best == patience:
                break
        network.restore(weights)
        predicted = _scores(network, corpus, corpus.documents(TEST)).argmax(axis=1)
    found = {
        "samples": None,
        "seconds": seconds,
        "prediction_seconds": time.perf_counter() - began - seconds,
        "epochs": len(curve),
        "passes_per_epoch": passes,
        "best_epoch": best,
        "threads": threads,
        "documents_per_second": size * len(curve) / spent,
        "held_out": int(judging.size),
        "curve": curve,
    }
    return Prediction(predicted.astype(np.int32), found)


def hold_out(
    labels: NDArray[np.int32], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Indices of the documents that train and of those that judge, in ascending order.

    Classes have the same share of both, as nearly as whole documents can; at least one judges.
    """
    n = labels.size
    count = max(1, round(HELD_OUT * n), min(AT_LEAST, int(AT_MOST * n)))
    order = rng.permutation(n)
    order = order[np.argsort(labels[order], kind="stable")]
    _, firsts, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    rank = np.arange(n) - np.repeat(firsts, sizes)
    order = order[np.argsort((rank + 0.5) / np.repeat(sizes, sizes), kind="stable")]
    return np.sort(order[count:]), np.sort(order[:count])


def _batches(documents: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    return (documents[i : i + BATCH] for i in range(0, documents.size, BATCH))


def _train(
    network: ConvolutionalNetwork, corpus: EncodedCorpus, documents: NDArray[np.int64]
) -> float:
    """One epoch; the mean loss of the documents, each as it was before its step."""
    total = 0.0
    for part in _batches(documents):
        total += part.size * network.train(corpus, part)
    return total / documents.size


def _scores(
    network: ConvolutionalNetwork, corpus: EncodedCorpus, documents: NDArray[np.int64]
) -> NDArray[np.float32]:
    parts = [network.scores(corpus, part) for part in _batches(documents)]
    return np.concatenate([np.empty((0, corpus.n_classes), np.float32), *parts])


def _judge(scores: NDArray[np.float32], labels: NDArray[np.int32]) -> dict[str, float]:
    losses = logsumexp(scores, axis=1) - scores[np.arange(labels.size), labels]
    right = scores.argmax(axis=1) == labels
    return {"held_out_micro_f1": 100 * float(right.mean()), "held_out_loss": float(losses.mean())}


def _merit(point: dict[str, float]) -> tuple[float, float]:
    return point["held_out_micro_f1"], -point["held_out_loss"]


def _line(curve: list[dict[str, float]], epochs: int, speed: float, seconds: float) -> str:
    epoch, last = len(curve), curve[-1]
    return (
        f"epoch {epoch} of at most {epochs}: loss {last['loss']:.4f}, "
        f"held-out micro-F1 {last['held_out_micro_f1']:.2f}, {speed:,.0f} documents/s, "
        f"at most {seconds / epoch * (epochs - epoch):.0f} s left"
    )


def _check(corpus: EncodedCorpus, start: NDArray[np.float32] | None, seed: int) -> None:
    if start is not None and (start.ndim != 2 or len(start) != corpus.n_words):
        raise PteError(
            f"{METHOD}: start has shape {start.shape}; it must have a row for each of the "
            f"{corpus.n_words} words"
        )
    if start is not None and not np.isfinite(start).all():
        raise PteError(f"{METHOD}: start holds numbers that are not finite")
    if seed < 0:
        raise PteError(f"seed is {seed}; it must not be negative")


def _check_positive(**values: int) -> None:
    for name, value in values.items():
        if value < 1:
            raise PteError(f"{METHOD}: {name} is {value}; it must be positive")
