"""Pairs trained per second by one thread: PTE and LINE beside what gensim trains.

    python -m benchmarks.speed CORPUS_FOLDER …

A pair is one negative-sampling step with five negatives on vectors of dimension 100, whoever takes
it. gensim gives out words per second; skip-gram's pairs are what its shrinking window gives on
average, PV-DBOW and PV-DM take one step a word. Its `workers=1` is a thread beside the one that
prepares its work, so that it has up to two cores. Building networks, vocabularies and alias tables
is not counted, for either. `cores` says how many cores' worth of time a case was given: less than
one for the package's single thread means that other programs took the rest, and pairs a second of
a core are what it would have done without them.
"""

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
TRAINING = Case(edges=3_000_000)
PEER_PAIRS = 2_000_000
SENTENCE = 10_000
"""gensim cuts off what is longer, so that longer documents are several here."""

GENSIM: dict[str, Any] = {"vector_size": 100, "window": 5, "negative": 5, "sample": 0}
GENSIM |= {"min_count": 1, "workers": 1, "seed": 1}
BASE = ("gensim", "skip-gram", None)

Name = tuple[str, str, str | None]
Measure = Callable[[int], Rate]


def main(folders: list[str]) -> None:
    note = journal("speed")
    for folder in folders:
        corpus = EncodedCorpus.load(Path(folder))
        cases = pte_cases(corpus) | gensim_cases(corpus)
        found = interleaved(cases, ROUNDS)
        rates = {case: [each.rate for each in rounds] for case, rounds in found.items()}
        for case, rounds in found.items():
            note(
                corpus=Path(folder).name,
                system=case[0],
                method=case[1],
                edges=case[2],
                million_pairs_per_second=statistics.median(rates[case]),
                against_skipgram=ratio(rates[case], rates[BASE]) if BASE in rates else None,
                cores=statistics.median(each.cores for each in rounds),
                million_pairs_per_core_second=statistics.median(each.per_core for each in rounds),
            )


def pte_cases(corpus: EncodedCorpus) -> dict[Name, Measure]:
    samplers: dict[str, dict[str, EdgeSampler]] = {
        "stored": {name: StoredEdges(named.build(name, corpus, WINDOW)) for name in NETWORKS},
        "streamed": named.streams(corpus, NETWORKS, WINDOW),
    }

    cases: dict[Name, Measure] = {
        ("pte", method, edges): partial(measure, samplers[edges], method, TRAINING)
        for edges in samplers
        for method in METHODS
    }
    grouped = replace(TRAINING, step="grouped")
    cases["pte", "joint, grouped", "streamed"] = partial(
        measure, samplers["streamed"], "joint", grouped
    )
    return cases


def gensim_cases(corpus: EncodedCorpus) -> dict[Name, Measure]:
    try:
        from gensim.models.doc2vec import Doc2Vec, TaggedDocument
        from gensim.models.word2vec import Word2Vec
    except ImportError:
        print("gensim is not installed: measured without it", file=sys.stderr)
        return {}
    texts = sentences(corpus)
    tagged = [TaggedDocument(text, [i]) for i, text in enumerate(texts)]
    models = {
        "skip-gram": (Word2Vec(**GENSIM, sg=1), texts, expected_pairs),
        "PV-DBOW": (Doc2Vec(**GENSIM, dm=0), tagged, len),
        "PV-DM": (Doc2Vec(**GENSIM, dm=1), tagged, len),
    }
    cases: dict[Name, Measure] = {}
    for method, (model, documents, pairs_of) in models.items():
        model.build_vocab(documents)
        part, pairs = [], 0.0
        for i in np.random.default_rng(0).permutation(len(texts)):
            part.append(documents[i])
            pairs += pairs_of(texts[i])
            if pairs >= PEER_PAIRS:
                break
        cases["gensim", method, None] = partial(gensim_rate, model, part, pairs)
    return cases


def gensim_rate(model: Any, part: Sequence[Any], pairs: float, number: int) -> Rate:
    epochs = max(1, round(PEER_PAIRS / pairs))
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
    main(sys.argv[1:])
