"""Micro-F1 on the test part against seconds of training: PTE(joint) beside fastText's classifier.

    python -m benchmarks.quality CORPUS_FOLDER …

On one and two threads. PTE is watched during one training on as many edges as config.yaml says;
its documents are classified as in the tables, with the paper's setting. fastText trains its own
classifier on the same documents, shuffled, each number of epochs a run of its own.

`seconds` are those of training; PTE's, up to a checkpoint, are in proportion to the edges drawn.
For PTE `preparation_seconds` are what comes before, from the encoded corpus (networks, alias
tables), and `classifier_seconds` what LIBLINEAR takes afterwards, predictions and scores
included; fastText needs neither, and its seconds hold its reading of a text file.
A `headline` line says how long it took to come within 0.3 of the score that the training had
in the end, and for fastText of the best score of any run.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import CONFIG, METHODS, NETWORKS, WINDOW, Journal, journal
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.metrics import score
from pte.evaluation.setting import ClassifierChoice
from pte.networks import named
from pte.networks.sampling import StoredEdges
from pte.training.edges import AUTO_PASSES, Watch, train_edges
from pte.training.setup import Setup

THREADS = (1, 2)
PARTS = 64
CHECKPOINTS = (1, 2, 4, 8, 16, 32, 64)
"""The parts of a training after which its vectors are judged."""

RATES = (0.1, 0.5, 1.0)
EPOCHS = (1, 2, 5, 10, 25)
NEAR = 0.3

Line = dict[str, Any]


def main(folders: list[str]) -> None:
    note = journal("quality")
    for folder in folders:
        corpus, name = EncodedCorpus.load(Path(folder)), Path(folder).name
        for threads in THREADS:
            for system, run in (("pte", run_pte), ("fasttext", run_fasttext)):
                found = []
                for line in run(corpus, name, threads):
                    where = {"corpus": name, "system": system, "threads": threads}
                    note(kind="run", **where, **line)
                    found.append(line)
                headline(note, found, corpus=name, system=system, threads=threads)


def headline(note: Journal, found: list[Line], **where: Any) -> None:
    if not found:
        return
    scores = [line["micro_f1"] for line in found]
    final = scores[-1] if where["system"] == "pte" else max(scores)
    near = [line["seconds"] for line in found if line["micro_f1"] >= final - NEAR]
    note(kind="headline", **where, final_micro_f1=final, seconds=min(near))


def run_pte(corpus: EncodedCorpus, name: str, threads: int) -> Iterator[Line]:
    compile_all(corpus, threads)
    began = time.perf_counter()
    built = {
        each: StoredEdges(named.build(each, corpus, WINDOW, threads=threads)) for each in NETWORKS
    }
    building = time.perf_counter() - began
    edges = sum(each.n_edges for each in built.values())
    total = CONFIG["samples"].get(name, AUTO_PASSES * edges)
    judge = Judge(corpus, [total * part // PARTS for part in CHECKPOINTS])
    result = train_edges(
        built,
        [METHODS["joint"]],
        total,
        Setup(1, threads=threads),
        watch=Watch(judge, every=total // PARTS),
    )
    besides = judge.seconds - result.seconds  # what `train_edges` did but train
    for line in judge.found:
        seconds = result.seconds * line["edges"] / result.samples
        yield line | {"seconds": seconds, "preparation_seconds": building + besides}


def compile_all(corpus: EncodedCorpus, threads: int) -> None:
    built = {name: named.build(name, corpus, WINDOW, threads=threads) for name in NETWORKS}
    train_edges(built, [METHODS["joint"]], 1, Setup(1, threads=threads))


class Judge:
    """Judges the vectors when a number of edges is reached; `seconds` are without judging."""

    def __init__(self, corpus: EncodedCorpus, checkpoints: list[int]) -> None:
        self._corpus, self._checkpoints = corpus, iter(checkpoints)
        self._next = next(self._checkpoints)
        self.found: list[Line] = []
        self.seconds, self._resumed = 0.0, time.perf_counter()

    def __call__(self, drawn: int, vectors: NDArray[np.float32]) -> bool:
        self.seconds += time.perf_counter() - self._resumed
        if drawn >= self._next:
            self._next = next(self._checkpoints, sys.maxsize)
            self._judge(drawn, vectors)
        self._resumed = time.perf_counter()
        return False

    def _judge(self, drawn: int, vectors: NDArray[np.float32]) -> None:
        began = time.perf_counter()
        features = mean_vectors(self._corpus.counts, vectors)
        _, scores = evaluate(self._corpus, features, ClassifierChoice())
        self.found.append(
            {
                "edges": drawn,
                "micro_f1": scores["micro_f1"],
                "classifier_seconds": time.perf_counter() - began,
            }
        )


def run_fasttext(corpus: EncodedCorpus, name: str, threads: int) -> Iterator[Line]:
    try:
        import fasttext
    except ImportError:
        print("fastText is not installed: measured without it", file=sys.stderr)
        return
    train, test = corpus.documents(TRAIN), corpus.documents(TEST)
    texts = [text_of(corpus, document) for document in test]
    truth = np.asarray(corpus.labels[test])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.txt"
        labelled = train[corpus.labels[train] >= 0]
        shuffled = np.random.default_rng(1).permutation(labelled)  # it learns in this order
        rows = [f"__label__{corpus.labels[d]} {text_of(corpus, d)}" for d in shuffled]
        file.write_text("".join(rows), "utf-8")
        for rate in RATES:
            for epochs in EPOCHS:
                options = {"lr": rate, "epoch": epochs, "dim": 100, "wordNgrams": 1, "verbose": 0}
                began = time.perf_counter()
                model = fasttext.train_supervised(str(file), thread=threads, **options)
                seconds = time.perf_counter() - began
                # `model.predict` asks numpy for what numpy 2 refuses; this is what it calls.
                found, _ = model.f.multilinePredict(texts, 1, 0.0, "strict")
                predicted = np.array([int(each[0][9:]) for each in found], np.int32)
                yield {
                    "rate": rate,
                    "epochs": epochs,
                    "seconds": seconds,
                    "micro_f1": score(truth, predicted, corpus.classes)["micro_f1"],
                }


def text_of(corpus: EncodedCorpus, document: int) -> str:
    """A line of a document's words, each called by its number."""
    tokens = corpus.tokens[corpus.offsets[document] : corpus.offsets[document + 1]]
    return " ".join(map(str, tokens)) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
