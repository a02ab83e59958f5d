"""Skip-gram, PV-DBOW and PV-DM beside gensim's: how fast, and how good.

    python -m benchmarks.baselines speed CORPUS_FOLDER …
    python -m benchmarks.baselines quality CORPUS_FOLDER …

Same settings for both: dimension 100, window 5, five negatives, rate 0.025 falling to 2.5e-6, no
subsampling, every word. Speed is in million pairs a second for Skip-gram and million tokens, a step
each, for the others (see speed.py, whose gensim cases these are: `workers=1`, up to two cores).
The package trains on the whole corpus. `against_gensim` is the median of the ratios of a core's
speed within a round, `by_the_clock` the same by the clock.

Quality is F1 on the test part with the paper's classifier setting. Documents of Skip-gram are means
of word vectors; paragraph vectors of test documents are inferred, with as many epochs as in
training. A line a run, then a line a system with mean and standard deviation over the seeds.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import WINDOW, Journal, interleaved, journal, ratio
from benchmarks.speed import GENSIM, ROUNDS, gensim_cases, sentences
from benchmarks.trainings import Rate, now
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import ClassifierChoice
from pte.models import paragraph_vector, skip_gram
from pte.models.paragraph_vector import ParagraphVectors
from pte.training.setup import Hyperparameters, Setup, WordVectors

STEPS = 6_000_000
SEEDS = (1, 2, 3, 4, 5)
FLOOR = 0.025 * 1e-4

VARIANTS = {"PV-DBOW": "dbow", "PV-DM": "dm"}
METHODS = ("skip-gram", *VARIANTS)
EPOCHS = {"skip-gram": 20, "PV-DBOW": 100, "PV-DM": 20}

Case = tuple[str, str, int]
Features = NDArray[np.float32]


def main(part: str, folders: list[str]) -> None:
    note = journal(f"baselines_{part}")
    for folder in folders:
        {"speed": speed, "quality": quality}[part](note, Path(folder).name, load(folder))


def load(folder: str) -> EncodedCorpus:
    return EncodedCorpus.load(Path(folder))


def train(
    corpus: EncodedCorpus, method: str, epochs: int, seed: int, threads: int = 1
) -> WordVectors | ParagraphVectors:
    setup = Setup(seed, Hyperparameters(window=WINDOW), threads)
    if method == "skip-gram":
        return skip_gram.train(corpus, epochs, setup)
    return paragraph_vector.train(corpus, VARIANTS[method], epochs, setup)


def speed(note: Journal, name: str, corpus: EncodedCorpus) -> None:
    cases: dict[Case, Callable[[int], Rate]] = {
        ("pte", method, threads): partial(rate, corpus, method, threads)
        for method in METHODS
        for threads in (1, 2)
    }
    peers = gensim_cases(corpus, 1)
    cases |= {(system, method, 1): case for (system, method, _), case in peers.items()}
    for method in METHODS:
        train(corpus, method, 1, 1)  # compiles
    found = interleaved(cases, ROUNDS)
    for (system, method, threads), rounds in found.items():
        others = found.get(("gensim", method, 1), rounds)
        note(
            kind="speed",
            corpus=name,
            system=system,
            method=method,
            threads=threads,
            million_a_second=statistics.median(each.rate for each in rounds),
            million_a_core_second=statistics.median(each.per_core for each in rounds),
            cores=statistics.median(each.cores for each in rounds),
            against_gensim=ratio([r.per_core for r in rounds], [r.per_core for r in others]),
            by_the_clock=ratio([r.rate for r in rounds], [r.rate for r in others]),
        )


def rate(corpus: EncodedCorpus, method: str, threads: int, number: int) -> Rate:
    tokens = int(np.diff(corpus.offsets)[corpus.split == TRAIN].sum())
    a_token = 6 if method == "skip-gram" else 1
    began, worked_before = now()
    result = train(corpus, method, max(2, STEPS // (tokens * a_token)), number, threads)
    ended, worked = now()
    cores = (worked - worked_before) / (ended - began)
    return Rate(result.samples / result.seconds / 1e6, cores)


def quality(note: Journal, name: str, corpus: EncodedCorpus) -> None:
    scores: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for seed in SEEDS:
        for method in METHODS:
            for system, features_of in (("pte", pte_features), ("gensim", gensim_features)):
                began = time.perf_counter()
                features = features_of(corpus, method, seed)
                seconds = time.perf_counter() - began
                _, score = evaluate(corpus, features, ClassifierChoice())
                micro, macro = score["micro_f1"], score["macro_f1"]
                scores.setdefault((method, system), []).append((micro, macro))
                note(
                    kind="run",
                    corpus=name,
                    system=system,
                    method=method,
                    epochs=EPOCHS[method],
                    seed=seed,
                    micro_f1=micro,
                    macro_f1=macro,
                    seconds=seconds,
                )
    for (method, system), found in scores.items():
        micros, macros = zip(*found, strict=True)
        note(
            kind="mean",
            corpus=name,
            system=system,
            method=method,
            epochs=EPOCHS[method],
            micro_f1=statistics.mean(micros),
            micro_sd=statistics.stdev(micros),
            macro_f1=statistics.mean(macros),
            macro_sd=statistics.stdev(macros),
        )


def pte_features(corpus: EncodedCorpus, method: str, seed: int) -> Features:
    trained = train(corpus, method, EPOCHS[method], seed)
    if isinstance(trained, WordVectors):
        return mean_vectors(corpus.counts, trained.vectors)
    return paragraph_vector.document_vectors(trained, corpus, seed)


def gensim_features(corpus: EncodedCorpus, method: str, seed: int) -> Features:
    from gensim.models.doc2vec import Doc2Vec, TaggedDocument
    from gensim.models.word2vec import Word2Vec

    options: dict[str, Any] = GENSIM | {
        "workers": 1,
        "seed": seed,
        "epochs": EPOCHS[method],
        "min_alpha": FLOOR,
    }
    texts = sentences(corpus)
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()  # as `Passes` does
    if method == "skip-gram":
        model = Word2Vec([texts[i] for i in order], **options, sg=1)
        vectors = np.zeros((corpus.n_words, GENSIM["vector_size"]), np.float32)
        for word, row in model.wv.key_to_index.items():
            vectors[int(word)] = model.wv.vectors[row]
        return mean_vectors(corpus.counts, vectors)
    # The corpora that quality is measured on have no document that gensim would cut.
    tagged = [TaggedDocument(texts[i], [i]) for i in order]
    model = Doc2Vec(tagged, **options, dm=int(method == "PV-DM"))
    features = np.zeros((corpus.n_documents, GENSIM["vector_size"]), np.float32)
    train = corpus.documents(TRAIN)
    features[train[np.diff(corpus.offsets)[train] > 0]] = model.dv.vectors
    for d in corpus.documents(TEST):
        text = corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]]
        if text.size:
            features[d] = model.infer_vector(list(map(str, text)))
    return features


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
