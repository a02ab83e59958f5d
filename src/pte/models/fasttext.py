"""fastText's supervised classifier (Joulin, Grave, Bojanowski and Mikolov, EACL 2017).

The mean of a document's word vectors and a softmax over the classes, trained together.
"""

import tempfile
import time
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import NotInstalled, PteError
from pte.models.labelled import folds, labelled_documents
from pte.models.prediction import Prediction

METHOD = "fasttext"
RATES = (0.1, 0.5, 1.0)
EPOCHS = (5, 20)
DIM = 100
HELD_OUT = 5
"""One in so many labelled documents judges the choice of rate and epochs."""


def fit_predict(
    corpus: EncodedCorpus, seed: int, threads: int, choice: Mapping[str, float] | None = None
) -> Prediction:
    """Choose rate and epochs on held-out labelled documents, train on all labelled ones, predict.

    With a `choice`, of `rate` and `epochs`, nothing is held out. One thread gives the same
    predictions for the same seed; more threads race. Unlabelled documents are not used. Raises
    `NotInstalled` without the fasttext package, and `PteError` when the labels do not suffice.
    """
    try:
        import fasttext
    except ModuleNotFoundError:
        raise NotInstalled("fasttext") from None
    began = time.perf_counter()
    known = labelled_documents(corpus, METHOD)
    labels = np.asarray(corpus.labels[known])
    rng = np.random.default_rng(seed)

    def predict(
        learnt: NDArray[np.int64], asked: NDArray[np.int64], settings: Mapping[str, float]
    ) -> NDArray[np.int32]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "training.txt"
            # fastText trains in the order of its file, and a corpus may be sorted by class
            shuffled = rng.permutation(learnt)
            lines = zip(corpus.labels[shuffled], _texts(corpus, shuffled), strict=True)
            path.write_text("".join(f"__label__{label} {text}\n" for label, text in lines))
            options = {"lr": settings["rate"], "epoch": int(settings["epochs"]), "dim": DIM}
            options |= {"seed": seed, "thread": threads, "verbose": 0}
            try:
                model = fasttext.train_supervised(str(path), **options)
            except RuntimeError as error:
                raise PteError(f"{METHOD}: training failed: {error}") from None
        found, _ = model.predict(_texts(corpus, asked))
        return np.array([int(names[0].removeprefix("__label__")) for names in found], np.int32)

    curve: list[dict[str, float]] = []
    if choice is None:
        learn, judge = next(folds(labels, HELD_OUT, METHOD, seed))
        for rate, epochs in product(RATES, EPOCHS):
            tried = {"rate": rate, "epochs": epochs}
            hits = predict(known[learn], known[judge], tried) == labels[judge]
            curve.append(tried | {"score": 100 * float(hits.mean())})
        choice = max(curve, key=lambda point: point["score"])
    predicted = predict(known, corpus.documents(TEST), choice)
    training = {
        "samples": None,
        "seconds": time.perf_counter() - began,
        "choice": {"rate": choice["rate"], "epochs": int(choice["epochs"])},
        "curve": curve,
    }
    return Prediction(predicted, training)


def _texts(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> list[str]:
    """Word ids for words: fastText reads UTF-8 and gives some words a meaning."""
    return [
        " ".join(map(str, corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]]))
        for d in documents
    ]
