"""Pairs trained per second: PTE and LINE beside what gensim trains.

    python -m benchmarks.speed [--threads N] CORPUS_FOLDER …

A pair is one negative-sampling step with five negatives on vectors of dimension 100, whoever takes
it. gensim gives out words per second; skip-gram's pairs are what its shrinking window gives on
average, PV-DBOW and PV-DM take one step a word. It has as many `workers` as we have threads, and a
thread beside them that prepares their work, so that one worker has up to two cores. Building
networks, vocabularies and alias tables is not counted, for either. `cores` says how many cores'
worth of time a case was given: fewer than our threads means that other programs took the rest, and
pairs a second of a core are what it would have done without them. Several threads train only edges
from the token stream.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import METHODS, NETWORKS, WINDOW, interleaved, journal, ratio
from benchmarks.trainings import Case, Rate, measure, now
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks import named
from pte.networks.sampling import EdgeSampler, StoredEdges

ROUNDS = 5
EDGES = 3_000_000
PEER_PAIRS = 2_000_000
"""Both are for each thread."""

SENTENCE = 10_000
"""gensim cuts off what is longer, so that longer documents are several here."""

GENSIM: dict[str, Any] = {"vector_size": 100, "window": 5, "negative": 5, "sample": 0}
GENSIM |= {"min_count": 1, "seed": 1}
BASE = ("gensim", "skip-gram", None)

Name = tuple[str, str, str | None]
Measure = Callable[[int], Rate]


def main(folders: list[Path], threads: int) -> None:
    note = journal("speed" if threads == 1 else f"speed_{threads}")
    for folder in folders:
        corpus = EncodedCorpus.load(folder)
        cases = pte_cases(corpus, threads) | gensim_cases(corpus, threads)
        found = interleaved(cases, ROUNDS)
        rates = {case: [each.rate for each in rounds] for case, rounds in found.items()}
        for case, rounds in found.items():
            note(
                corpus=folder.name,
                threads=threads,
                system=case[0],
                method=case[1],
                edges=case[2],
                million_pairs_per_second=statistics.median(rates[case]),
                against_skipgram=ratio(rates[case], rates[BASE]) if BASE in rates else None,
                cores=statistics.median(each.cores for each in rounds),
                million_pairs_per_core_second=statistics.median(each.per_core for each in rounds),
            )


def pte_cases(corpus: EncodedCorpus, threads: int) -> dict[Name, Measure]:
    samplers: dict[str, dict[str, EdgeSampler]] = {
        "streamed": named.streams(corpus, NETWORKS, WINDOW)
    }
    if threads == 1:
        samplers["stored"] = {
            name: StoredEdges(named.build(name, corpus, WINDOW)) for name in NETWORKS
        }
    training = Case(edges=threads * EDGES, threads=threads)
    cases: dict[Name, Measure] = {
        ("pte", method, edges): partial(measure, samplers[edges], method, training)
        for edges in samplers
        for method in METHODS
    }
    grouped = replace(training, step="grouped")
    cases["pte", "joint, grouped", "streamed"] = partial(
        measure, samplers["streamed"], "joint", grouped
    )
    return cases


def gensim_cases(corpus: EncodedCorpus, threads: int) -> dict[Name, Measure]:
    try:
        from gensim.models.doc2vec import Doc2Vec, TaggedDocument
        from gensim.models.word2vec import Word2Vec
    except ImportError:
        print("gensim is not installed: measured without it", file=sys.stderr)
        return {}
    texts, shape = sentences(corpus), GENSIM | {"workers": threads}
    tagged = [TaggedDocument(text, [i]) for i, text in enumerate(texts)]
    models = {
        "skip-gram": (Word2Vec(**shape, sg=1), texts, expected_pairs),
        "PV-DBOW": (Doc2Vec(**shape, dm=0), tagged, len),
        "PV-DM": (Doc2Vec(**shape, dm=1), tagged, len),
    }
    cases: dict[Name, Measure] = {}
    for method, (model, documents, pairs_of) in models.items():
        model.build_vocab(documents)
        part, pairs = [], 0.0
        for i in np.random.default_rng(0).permutation(len(texts)):
            part.append(documents[i])
            pairs += pairs_of(texts[i])
            if pairs >= threads * PEER_PAIRS:
                break
        epochs = max(1, round(threads * PEER_PAIRS / pairs))
        cases["gensim", method, None] = partial(gensim_rate, model, part, pairs, epochs)
    return cases


def gensim_rate(model: Any, part: Sequence[Any], pairs: float, epochs: int, number: int) -> Rate:
    began, worked_before = now()
    model.train(part, total_examples=len(part), epochs=epochs)
    ended, worked = now()
    seconds = ended - began
    return Rate(epochs * pairs / seconds / 1e6, (worked - worked_before) / seconds)


def sentences(corpus: EncodedCorpus) -> list[list[str]]:
    """The training documents in pieces that gensim takes whole; words are called by number."""
    names = [str(i) for i in range(corpus.n_words)]
    part = corpus.of_documents(corpus.split == TRAIN)
    return [
        [names[i] for i in part.tokens[begin : min(begin + SENTENCE, end)]]
        for start, end in pairwise(part.offsets)
        for begin in range(start, end, SENTENCE)
    ]


def expected_pairs(text: Sequence[str]) -> float:
    """Skip-gram's pairs: a window of b = 1 … 5, all equally likely, is drawn at each word."""
    reach = int(GENSIM["window"])
    distances = range(1, min(reach, len(text) - 1) + 1)
    return sum(2 * (len(text) - d) * (reach + 1 - d) / reach for d in distances)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    main(given.corpora, given.threads)
