"""Seconds and peak memory against the size of a corpus, on prefixes of one.

    python -m benchmarks.scaling CORPUS_FOLDER [FOLDER_OF_ARCHIVES]

`ww stored`: the word–word network is counted. `joint streamed`: ten million edges are drawn from
the token stream and trained by each kind of step, with the word–label network if there are labels;
`prepared` is the part of the seconds before training. `encode`, if the archives are there: raw text
becomes word numbers. One thread; `processor_seconds` leave out what other programs took.

Every point is a process of its own, which maps its part of the corpus into memory; `base_mb` is
what it has held when all is loaded and compiled, `peak_mb` the most it ever had.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import NETWORKS, ROOT, WINDOW, journal, peak_mb
from benchmarks.trainings import now
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks import named
from pte.training.edges import train_edges
from pte.training.setup import KINDS, Hyperparameters, Setup, Step

TOKENS = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 40_000_000)
EDGES = 10_000_000


def main(folder: Path, archives: Path | None = None) -> None:
    note = journal("scaling")
    corpus, done = EncodedCorpus.load(folder), 0
    for wanted in TOKENS:
        with tempfile.TemporaryDirectory() as temporary:
            part = prefix(corpus, wanted)
            if part.tokens.size == done:
                break  # the corpus has no more
            done = part.tokens.size
            part.save(Path(temporary) / "part")
            for case in CASES:
                size = {"tokens": done, "documents": part.n_documents, "words": part.n_words}
                found = measure(case, Path(temporary) / "part")
                note(corpus=folder.name, case=case, **size, **found)
            if archives:
                found = measure("encode", archives, folder.name, str(part.n_documents))
                note(corpus=folder.name, case="encode", documents=part.n_documents, **found)


def measure(case: str, *arguments: str | Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.scaling", "--case", case, *map(str, arguments)]
    found: dict[str, Any] = json.loads(subprocess.check_output(command, cwd=ROOT))
    return found


def prefix(corpus: EncodedCorpus, tokens: int) -> EncodedCorpus:
    """The first training documents with about so many tokens, and the words that are in them."""
    train = corpus.documents(TRAIN)
    lengths = np.diff(corpus.offsets)[train]
    kept = train[: int(np.searchsorted(np.cumsum(lengths), tokens)) + 1]
    texts = [corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]] for d in kept]
    joined = np.concatenate(texts)
    used = np.bincount(joined, minlength=corpus.n_words) > 0
    number = (np.cumsum(used) - 1).astype(np.int32)
    return EncodedCorpus(
        tokens=number[joined],
        offsets=np.concatenate([[0], np.cumsum([text.size for text in texts])]).astype(np.int64),
        labels=np.asarray(corpus.labels[kept]),
        split=np.full(kept.size, TRAIN, np.uint8),
        words=tuple(corpus.words[i] for i in np.flatnonzero(used)),
        classes=corpus.classes,
    )


def stored(corpus: EncodedCorpus) -> dict[str, Any]:
    return {"stored_edges": named.build("ww", corpus, WINDOW).stored_edges}


def streamed(step: str, corpus: EncodedCorpus, edges: int = EDGES) -> dict[str, Any]:
    began = time.perf_counter()
    labelled = bool((corpus.labels >= 0).any())
    names = [name for name in NETWORKS if labelled or name != "wl"]
    networks = named.streams(corpus, names, WINDOW)
    setup = Setup(1, Hyperparameters(step=Step.of(step)))
    result = train_edges(networks, [names], edges, setup)
    whole = time.perf_counter() - began
    rate = result.samples / result.seconds / 1e6
    return {"million_pairs_per_second": rate, "prepared": whole - result.seconds}


CASES: dict[str, Callable[..., dict[str, Any]]] = {
    "ww stored": stored,
    **{f"joint streamed, {step}": partial(streamed, step) for step in KINDS},
}


def two_words() -> EncodedCorpus:
    arrays = np.arange(2, dtype=np.int32), np.array([0, 2]), np.zeros(1, np.int32)
    return EncodedCorpus(*arrays, np.full(1, TRAIN, np.uint8), (b"a", b"b"), ("one",))


def case_of(case: str, arguments: list[str]) -> Iterator[dict[str, Any]]:
    """One case in this process: compiles and loads, then measures."""
    if case == "encode":
        from benchmarks.encoding import documents_of
        from pte.corpora.encode import number
        from pte.corpora.tokenise import letters

        folder, name, count = arguments
        documents = documents_of(name, Path(folder))[: int(count)]
        number(documents[:1], letters)
        yield {}
        yield {"tokens": int(number(documents, letters).lengths.sum())}
    else:
        CASES[case](two_words(), *([] if case == "ww stored" else [1]))
        corpus = EncodedCorpus.load(Path(arguments[0]))
        yield {}
        yield CASES[case](corpus)


def in_this_process(case: str, arguments: list[str]) -> None:
    steps = case_of(case, arguments)
    next(steps)
    base, began, worked_before = peak_mb(), *now()
    found = next(steps)
    ended, worked = now()
    line = {"seconds": ended - began, "processor_seconds": worked - worked_before}
    print(json.dumps(line | {"base_mb": base, "peak_mb": peak_mb()} | found))


if __name__ == "__main__":
    if sys.argv[1] == "--case":
        in_this_process(sys.argv[2], sys.argv[3:])
    else:
        main(*(Path(each).absolute() for each in sys.argv[1:]))
