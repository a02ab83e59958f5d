"""Pairs trained per second by one thread: PTE and LINE beside gensim's skip-gram, PV-DBOW and PV-DM.

    python -m benchmarks.speed CORPUS_FOLDER …

A pair is one negative-sampling step with five negatives on vectors of dimension 100, whoever takes
it. gensim gives out words per second; skip-gram's pairs are what its shrinking window gives on
average, PV-DBOW and PV-DM take one step a word. Its `workers=1` is a thread beside the one that
prepares its work, so that it has up to two cores. Building networks, vocabularies and alias tables
is not counted, for either.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import BUILD, METHODS, NETWORKS, interleaved, journal, ratio
from pte.corpora.encoded import EncodedCorpus
from pte.models.network_embedding import fit
from pte.networks.build import BUILDERS
from pte.networks.sampling import STREAMS, EdgeSampler, StoredEdges

ROUNDS = 3
EDGES = 6_000_000
PEER_PAIRS = 3_000_000
SENTENCE = 10_000
"""gensim cuts off what is longer, so that longer documents are several here."""

GENSIM: dict[str, Any] = {"vector_size": 100, "window": 5, "negative": 5, "sample": 0}
GENSIM |= {"min_count": 1, "workers": 1, "seed": 1}
BASE = ("gensim", "skip-gram", None)

Case = Callable[[int], float]


def main(folders: list[str]) -> None:
    note = journal("speed")
    for folder in folders:
        corpus = EncodedCorpus.load(Path(folder))
        cases = pte_cases(corpus) | gensim_cases(corpus)
        found = interleaved(cases, ROUNDS)
        for case, rates in found.items():
            note(
                corpus=Path(folder).name,
                system=case[0],
                method=case[1],
                edges=case[2],
                million_pairs_per_second=statistics.median(rates),
                against_skipgram=ratio(rates, found[BASE]) if BASE in found else None,
            )


def pte_cases(corpus: EncodedCorpus) -> dict[tuple[str, str, str | None], Case]:
    samplers: dict[str, dict[str, EdgeSampler]] = {
        "stored": {name: StoredEdges(BUILDERS[name](corpus, **BUILD[name])) for name in NETWORKS},
        "streamed": {name: STREAMS[name](corpus, **BUILD[name]) for name in NETWORKS},
    }

    def rate(method: str, edges: str, number: int) -> float:
        result = fit(samplers[edges], [METHODS[method]], EDGES, seed=number)
        return result.samples / result.seconds / 1e6

    return {
        ("pte", method, edges): partial(rate, method, edges)
        for edges in samplers
        for method in METHODS
    }


def gensim_cases(corpus: EncodedCorpus) -> dict[tuple[str, str, str | None], Case]:
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
    cases: dict[tuple[str, str, str | None], Case] = {}
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


def gensim_rate(model: Any, part: Sequence[Any], pairs: float, number: int) -> float:
    epochs = max(1, round(PEER_PAIRS / pairs))
    began = time.perf_counter()
    model.train(part, total_examples=len(part), epochs=epochs)
    return epochs * pairs / (time.perf_counter() - began) / 1e6


def sentences(corpus: EncodedCorpus) -> list[list[str]]:
    """The training documents in pieces that gensim takes whole; words are called by number."""
    names = [str(i) for i in range(corpus.n_words)]
    tokens, offsets, _ = corpus.training_tokens()
    return [
        [names[i] for i in tokens[begin : min(begin + SENTENCE, end)]]
        for start, end in zip(offsets[:-1], offsets[1:], strict=True)
        for begin in range(start, end, SENTENCE)
    ]


def expected_pairs(text: Sequence[str]) -> float:
    """Skip-gram's pairs: a window of b = 1 … 5, all equally likely, is drawn at each word."""
    reach = GENSIM["window"]
    distances = range(1, min(reach, len(text) - 1) + 1)
    return sum(2 * (len(text) - d) * (reach + 1 - d) / reach for d in distances)


if __name__ == "__main__":
    main(sys.argv[1:])
